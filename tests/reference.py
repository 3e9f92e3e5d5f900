"""A solver of races for two written from the rules alone: no table, no kernel, no code of the package but the game itself.

A state is both players' (score, has opened, busts in a row), who is to move, and who has finished. Every sweep plays each
turn out by recursion over (points at risk, mode); lower values begin at 0 and upper ones at 1, and both are swept until
they meet, or for some time: the value lies between them at any time. Slow, and meant to be: it is for tiny games.
"""

from functools import cache


def race_value(game, target, *, must_hit=False, bank_from=0, open_from=0, busts=0, penalty=0, floor=0,
               last_round=False, ties="first", sweeps=25, tolerance=1e-11, lowest=-60):  # fmt: skip
    """Return (lower, upper) chances of the first player to win."""
    start = ((0, open_from <= bank_from, 0), (0, open_from <= bank_from, 0))
    lower, upper = {}, {}
    offers = {}

    def plays_of(mode):
        if mode not in offers:
            rolls = [(weight, list(game.plays(mode, roll))) for roll, weight in game.rolls(mode).items() if weight]
            offers[mode] = (sum(weight for weight, _ in rolls), rolls)
        return offers[mode]

    may_stop = getattr(game, "may_stop", lambda mode: True)

    def final(mine, theirs):
        """The mover of a last turn has `mine`, the finisher `theirs`."""
        if mine == theirs:
            return {"first": 0.0, "share": 0.5, "last": 1.0}[ties]
        return float(mine > theirs)

    def turn(position, own, other):
        """Value of the player to move; `own` are the values for lower (upper) bounds, `other` those of the opponent."""
        (score, opened, count), rival = position
        least = bank_from if opened else max(bank_from, open_from)

        def after_bank(total):
            if total >= target:
                return 1 - last_turn(rival[0], total, own is lower) if last_round else 1.0
            return 1 - look(other, (rival, (total, True, 0)), own is lower)

        def bust():
            if not busts:
                fallen = (score, opened, 0)
            elif count + 1 < busts:
                fallen = (score, opened, count + 1)
            elif penalty == "all":
                fallen = (min(score, 0), opened, 0)
            else:
                down = score - penalty
                fallen = (down if floor is None else max(down, floor), opened, 0)
            return 1 - look(other, (rival, fallen), own is lower)

        lost = bust()

        @cache
        def moment(t, mode):
            if must_hit and score + t > target:
                return lost
            if mode is None:
                return after_bank(score + t) if t else lost
            total, rolls = plays_of(mode)
            if t > 8 * target + 60:  # so far nobody looks: lower values stop here, upper ones win
                return 1.0 if own is not lower else after_bank(score + t) if may_stop(mode) else lost
            value = 0.0
            stop = None
            if t and may_stop(mode) and (t >= least or score + t >= target):
                stop = after_bank(score + t)
                if not last_round and score + t >= target:
                    return stop
            for weight, plays in rolls:
                value += weight * (max(moment(t + p.points, p.mode) for p in plays) if plays else lost)
            value /= total
            return value if stop is None else max(stop, value)

        return moment(0, game.opening)

    @cache
    def last_turn(mine, theirs, is_upper):
        @cache
        def moment(t, mode):
            if must_hit and mine + t > target:
                return 0.0
            if mode is None:
                return final(mine + t, theirs) if t else 0.0
            if mine + t > theirs and may_stop(mode):
                return 1.0
            total, rolls = plays_of(mode)
            if t > 8 * target + 60:
                return float(is_upper)
            value = (
                sum(w * (max(moment(t + p.points, p.mode) for p in plays) if plays else 0.0) for w, plays in rolls)
                / total
            )
            return max(value, final(mine + t, theirs)) if t and may_stop(mode) else value

        return moment(0, game.opening)

    known = []

    def look(table, position, is_lower):
        if position not in table:
            if min(position[0][0], position[1][0]) < lowest:
                return 1.0 if is_lower else 0.0  # the opponent's upper (lower) value where nobody looks
            lower[position], upper[position] = 0.0, 1.0
            known.append(position)
        return table[position]

    look(lower, start, True)
    for _ in range(sweeps):
        at = 0
        moved = 0.0
        while at < len(known):
            position = known[at]
            at += 1
            if upper[position] - lower[position] < tolerance / 10:
                continue
            low, high = turn(position, lower, upper), turn(position, upper, lower)
            moved = max(moved, low - lower[position], upper[position] - high)
            lower[position], upper[position] = max(lower[position], low), min(upper[position], high)
        known.sort(key=lambda p: -(p[0][0] + p[1][0]))
        if upper[start] - lower[start] < tolerance or moved < 1e-15:
            break
    return lower[start], upper[start]


def banked_under(game, strategy, moment_of, mine, theirs, target, *, must_hit=False, bank_from=0):
    """Return the chance of every number of points that a turn banks under a strategy; 0 is a bust.

    The turn is followed moment by moment and the strategy asked at each (`moment_of` makes moments): it may stop with
    `bank_from` points, or at the target. A turn that it plays past the target still goes on, as its own decisions say.
    """
    may_stop, order = getattr(game, "may_stop", lambda mode: True), _order(game)
    banked, moments = {}, {(0, game.opening): 1.0}
    while moments:
        t, mode = min(moments, key=lambda m: (m[0], order[m[1]]))
        chance = moments.pop((t, mode))
        allowed = t and may_stop(mode) and (t >= bank_from or mine + t >= target)
        if (must_hit and mine + t >= target) or (
            allowed and strategy.stops(moment_of(t, mode, 0, mine, theirs, target))
        ):
            end = 0 if must_hit and mine + t > target else t
            banked[end] = banked.get(end, 0.0) + chance
            continue
        rolls = {roll: weight for roll, weight in game.rolls(mode).items() if weight}
        for roll, weight in rolls.items():
            share = chance * weight / sum(rolls.values())
            plays = sorted(game.plays(mode, roll), key=lambda play: (-play.points, order[play.mode]))
            if not plays:
                banked[0] = banked.get(0, 0.0) + share
                continue
            play = strategy.choose(moment_of(t, mode, 0, mine, theirs, target), plays)
            to = t + play.points
            if play.mode is None:
                to = 0 if must_hit and mine + to > target else to
                banked[to] = banked.get(to, 0.0) + share
            else:
                moments[to, play.mode] = moments.get((to, play.mode), 0.0) + share
    return banked


def turns_under(game, target, strategy, moment_of, **rules):
    """Return the mean turns of a race alone under a strategy that is asked at every moment."""

    @cache
    def turns(score):
        if score >= target:
            return 0.0
        banked = banked_under(game, strategy, moment_of, score, 0, target, **rules)
        leave = sum(chance for t, chance in banked.items() if t)
        return (1 + sum(chance * turns(score + t) for t, chance in banked.items() if t)) / leave

    return turns(0)


def wins_under(games, target, strategies, moment_of, **rules):
    """Return the chance of the first of two players to win, both asked at every moment; None where both bust almost always."""

    @cache
    def turn(seat, mine, theirs):
        return banked_under(games[seat], strategies[seat], moment_of, mine, theirs, target, **rules)

    @cache
    def wins(seat, mine, theirs):
        """The chance to win of the player who begins a turn; a bust of both leads back here."""
        ways, replies = turn(seat, mine, theirs), turn(1 - seat, theirs, mine)
        again = ways.get(0, 0.0) * replies.get(0, 0.0)
        if again > 0.98:
            raise ZeroDivisionError
        lost = sum(chance * after(1 - seat, theirs + t, mine) for t, chance in replies.items() if t)
        won = sum(chance * after(seat, mine + t, theirs) for t, chance in ways.items() if t)
        return (won + ways.get(0, 0.0) * (1 - replies.get(0, 0.0) - lost)) / (1 - again)

    def after(seat, mine, theirs):
        return 1.0 if mine >= target else 1 - wins(1 - seat, theirs, mine)

    try:
        return wins(0, 0, 0)
    except ZeroDivisionError:
        return None


def _order(game):
    """Return a number for every mode such that a play without points leads to a later one."""
    order, found = {}, []

    def visit(mode):
        if mode in order or mode is None:
            return
        order[mode] = 0
        for roll, weight in game.rolls(mode).items():
            for play in game.plays(mode, roll) if weight else ():
                if not play.points:
                    visit(play.mode)
        found.append(mode)

    waiting = [game.opening]
    while waiting:
        mode = waiting.pop()
        if mode is None or mode in order:
            continue
        visit(mode)
        for known in list(order):
            waiting += [
                p.mode for r, w in game.rolls(known).items() if w for p in game.plays(known, r) if p.mode not in order
            ]
    return {mode: len(found) - place for place, mode in enumerate(found)} | {None: len(found) + 1}
