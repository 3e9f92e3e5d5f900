"""Every race of points games from the rules alone: any number of players, any mixture of house rules, any moment.

Nothing of the package is used but the games that are given, and only their three questions. A position is seen from the
player to move: (seat, standings in the order of play, place of the finisher, offer); a standing is (score, has opened,
busts in a row). Each turn is written out once as a list of moments, the later ones first, and all turns are swept over
until the values stand still.

With one player the sweeps begin at no cost and rise to the least; for two they begin at the least and at the greatest
that anybody can get, and the value lies between; for more everybody plays for the most of what the sweep before gave.
"""

BUST = "bust"


class Oracle:
    """The race of `games` (one for each seat) to `target` under the rules named."""

    def __init__(self, games, target, *, must_hit=False, payoff="win", counts_rolls=False, within=None, bank_from=0,
                 open_from=0, busts=0, penalty=0, floor=0, last_round=False, ties="first", piggyback=False,
                 beyond=40, lowest=-10**9, most=10**6):  # fmt: skip
        self.games, self.target, self.players = tuple(games), target, len(games)
        self.same = all(game == games[0] for game in games)
        self.must_hit, self.payoff, self.counts_rolls, self.within = must_hit, payoff, counts_rolls, within
        self.bank_from, self.open_from, self.busts, self.penalty, self.floor = (
            bank_from,
            open_from,
            busts,
            penalty,
            floor,
        )
        self.last_round, self.ties, self.piggyback = last_round, ties, piggyback
        self.beyond, self.lowest, self.most_positions = beyond, lowest, most
        opening = (0, open_from <= bank_from, 0)
        self.start = (0, (opening,) * self.players, within, None)
        self.turns = {}
        self._explore()

    # -- the rules between turns

    def game(self, position):
        """The game of the player to move."""
        return self.games[position[0]]

    def passed(self, position, standing, points=0, mode=None):
        """Return what follows a turn: the next position, or ('over', what everybody gets from the mover on)."""
        seat, standings, finisher, _ = position
        standings = (standing, *standings[1:])
        if self.players == 1:
            if self.within is not None:
                left = finisher - 1
                if standing[0] >= self.target:
                    return "over", (1.0,)
                return ("over", (0.0,)) if left == 0 else (0, standings, left, None)
            return ("over", (0.0,)) if standing[0] >= self.target else (0, standings, None, None)
        if finisher is None and standing[0] >= self.target:
            finisher = 0
            if not self.last_round:
                return "over", self.returns([s[0] for s in standings], 0)
        if finisher == 1:
            return "over", self.returns([s[0] for s in standings], 1)
        after = None if finisher is None else (finisher - 1) % self.players
        left = self.games[seat].opening if mode is None else mode
        offer = (points, left) if self.piggyback and points else None
        return (0 if self.same else (seat + 1) % self.players, (*standings[1:], standing), after, offer)

    def returns(self, scores, finisher):
        """Return what everybody gets at the end, from the mover on."""
        order = [(finisher + j) % self.players for j in range(self.players)]
        winners = [finisher]
        if self.last_round:
            high = max(scores)
            winners = [seat for seat in order if scores[seat] == high]
            winners = {"first": winners[:1], "share": winners, "last": winners[-1:]}[self.ties]
        if self.payoff == "margin":
            (winner,) = winners
            margin = float(self.target - scores[1 - winner])
            return tuple(margin if seat == winner else -margin for seat in range(2))
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(self.players))

    def after_bust(self, position):
        """Return what follows a bust."""
        score, opened, row = position[1][0]
        if self.busts:
            row += 1
            if row == self.busts:
                row = 0
                if self.penalty == "all":
                    score = min(score, 0)
                elif self.floor is None:
                    score -= self.penalty
                else:
                    score = max(score - self.penalty, min(score, self.floor))
        return self.passed(position, (score, opened, row))

    def after_bank(self, position, points, mode):
        """Return what follows a bank of points; to bank nothing, or more than one may, is a bust."""
        score = position[1][0][0] + points
        if not points or (self.must_hit and score > self.target):
            return self.after_bust(position)
        return self.passed(position, (score, True, 0), points, mode)

    def may_bank(self, position, points, mode):
        """Whether a player may choose to stop."""
        may_stop = getattr(self.game(position), "may_stop", None)
        if not points or (may_stop is not None and not may_stop(mode)):
            return False
        score, opened, _ = position[1][0]
        least = self.bank_from if opened else max(self.bank_from, self.open_from)
        return points >= least or score + points >= self.target

    # -- turns written out

    def turn(self, position):
        """Return [(stop, [(weight, [moment])], number)] of a turn, later moments first, and {(points, mode): its place}."""
        if position not in self.turns:
            self.turns[position] = self._written_out(position)
        return self.turns[position]

    def _written_out(self, position):
        game, moments, places = self.game(position), [], {}
        score = position[1][0][0]

        def place(points, mode):
            if (points, mode) in places:
                return places[points, mode]
            if self.must_hit and score + points > self.target:
                made = (self.after_bust(position), None)
            elif mode is None:
                made = (self.after_bank(position, points, mode), None)
            else:
                stop = self.after_bank(position, points, mode) if self.may_bank(position, points, mode) else None
                is_won = score + points >= self.target and not self.last_round
                if stop is not None and is_won:
                    made = (stop, None)
                elif score + points > self.target + self.beyond:
                    made = (stop, BUST)
                else:
                    made = (stop, rolled(points, mode))
            moments.append(made)
            places[points, mode] = len(moments) - 1
            return places[points, mode]

        def rolled(points, mode):
            rolls = []
            for roll, weight in game.rolls(mode).items():
                if weight:
                    plays = game.plays(mode, roll)
                    rolls.append((weight, [place(points + p.points, p.mode) for p in plays]))
            return sum(w for w, _ in rolls), rolls

        begin = [place(0, game.opening)]
        if position[3] is not None:
            points, mode = position[3]
            moments.append((None, rolled(points, mode)))
            begin.append(len(moments) - 1)
        return moments, places, begin, self.after_bust(position)

    def _explore(self):
        """Find every position that can be reached by any play at all."""
        known = {self.start: 0}
        waiting = [self.start]
        for position in waiting:
            if len(known) > self.most_positions:
                break
            moments, _, _, bust = self.turn(position)
            for after in (bust, *(stop for stop, _ in moments if stop is not None)):
                if after[0] != "over" and after not in known and min(s[0] for s in after[1]) >= self.lowest:
                    known[after] = len(known)
                    waiting.append(after)
        self.is_complete = len(known) <= self.most_positions
        self.positions = sorted(known, key=lambda p: (-(sum(s[0] for s in p[1])), -sum(s[2] for s in p[1])))

    # -- values

    def solve(self, sweeps=20000, tolerance=1e-13):
        """Sweep until nothing moves; return whether it settled."""
        if self.players == 1:
            self.low = dict.fromkeys(self.positions, 0.0)
        elif self.players == 2:
            most = 1.0 if self.payoff == "win" else float(max(self.target - s[0] for p in self.positions for s in p[1]))
            least = 0.0 if self.payoff == "win" else -most
            self.most, self.least = most, least
            self.low = dict.fromkeys(self.positions, least)
            self.high = dict.fromkeys(self.positions, most)
        else:
            self.low = dict.fromkeys(self.positions, (1 / self.players,) * self.players)
        blocks = {}
        for position in self.positions:
            blocks.setdefault(None if self.busts else sum(s[0] for s in position[1]), []).append(position)
        settled = [self._settle(block, sweeps, tolerance) for block in blocks.values()]
        return all(settled)

    def _settle(self, block, sweeps, tolerance):
        """Sweep over positions of the same sum of scores, until nothing moves; those farther on have settled before."""
        for _ in range(sweeps):
            moved = False
            for position in block:
                old = self.low[position]
                new = self.low[position] = self.begun(position)
                if self.players == 2:
                    self.high[position] = self.begun(position, True)
                    moved |= self.high[position] - new > tolerance and new - old > tolerance / 100
                elif self.players == 1:
                    moved |= abs(new - old) > tolerance * max(1.0, abs(new))
                else:
                    moved |= max(abs(a - b) for a, b in zip(new, old, strict=True)) > tolerance
            if not moved:
                return True
        return False

    @property
    def total(self):
        """What both players' values add up to."""
        return 1.0 if self.payoff == "win" else 0.0

    def look(self, after, upper):
        """Return what a position after the turn is worth to the player whose turn it was (to everybody for three)."""
        if after[0] == "over":
            return after[1] if self.players > 2 else after[1][0]
        if self.players == 1:
            return self.low[after]
        if self.players == 2:
            table = self.low if upper else self.high
            if after not in table:
                return self.most if upper else self.least
            return self.total - table[after]
        worth = self.low[after]
        return (worth[-1], *worth[:-1])

    def worths(self, position, upper=False):
        """Return the worths [(moment, after rolling there or None)] of all moments of a turn, and that of a bust."""
        moments, _, _, bust = self.turn(position)
        lost = self.look(bust, upper)
        sign = -1 if self.players == 1 and self.within is None else 1
        found = []
        for stop, rolls in moments:
            stopped = None if stop is None else self.look(stop, upper)
            rolled = None
            if rolls == BUST:
                rolled = None if stop is not None and not (upper and self.players == 2) else self._far(lost, upper)
            elif rolls is not None:
                rolled = self._mean(rolls, found, lost, sign)
            found.append((self._best(stopped, rolled, sign), rolled))
        return found, lost

    def _far(self, lost, upper):
        return self.most if upper and self.players == 2 else lost

    def _mean(self, rolls, found, lost, sign):
        total, offered = rolls
        parts = [(w, self._most([found[p][0] for p in places], sign) if places else lost) for w, places in offered]
        if self.players > 2:
            return tuple(sum(w * v[j] for w, v in parts) / total for j in range(self.players))
        return sum(w * v for w, v in parts) / total + (1 if self.counts_rolls else 0)

    def _most(self, worths, sign):
        if self.players > 2:
            return max(worths, key=lambda v: v[0])
        return max(worths, key=lambda v: sign * v)

    def _best(self, stop, roll, sign):
        if stop is None or roll is None:
            return roll if stop is None else stop
        return self._most([stop, roll], sign)

    def begun(self, position, upper=False):
        """Return what a position is worth at the beginning of the turn."""
        found, _ = self.worths(position, upper)
        begin = self.turn(position)[2]
        if self.players == 1:
            return found[begin[0]][0] + (0 if self.counts_rolls or self.within is not None else 1)
        return self._most([found[p][0] for p in begin], 1)

    def options(self, position, points, mode, roll=None, upper=False):
        """Return {(stops, points afterwards, mode or None): worth} at a moment, before a roll or after one."""
        moments, places, _, _ = self.turn(position)
        found, _ = self.worths(position, upper)
        paid = 1 if self.players == 1 and self.within is None and not self.counts_rolls else 0
        plays = [] if roll is None else self.game(position).plays(mode, roll)
        after = [(points + play.points, play.mode) for play in plays] or [(points, mode)]
        options = {}
        for t, to in after:
            stop, _ = moments[places[t, to]]
            if stop is not None:
                worth = self.look(stop, upper)
                options[True, t, None] = worth + paid if paid else worth
            rolled = found[places[t, to]][1]
            if rolled is not None:
                options[False, t, to] = rolled + paid if paid else rolled
        return options

    def is_torn(self, tolerance=1e-9):
        """Whether some player is indifferent somewhere while others are not: then values are a matter of choice."""
        for position in self.positions:
            moments = self.turn(position)[0]
            found, _ = self.worths(position)
            groups = [[found[p][0] for p in places] for _, rolls in moments if rolls not in (None, BUST)
                      for _, places in rolls[1]]  # fmt: skip
            groups += [[self.look(stop, False), rolled] for (stop, _), (_, rolled) in zip(moments, found, strict=True)
                       if stop is not None and rolled is not None]  # fmt: skip
            for group in groups:
                best = max((v[0] for v in group), default=0)
                near = [v for v in group if v[0] >= best - tolerance]
                if any(abs(v[j] - near[0][j]) > tolerance for v in near for j in range(self.players)):
                    return True
        return False
