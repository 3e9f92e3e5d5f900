"""Races of several players from the rules alone: no table, no kernel, no code of the package but the game itself.

`simple_values` sweeps: every player plays each turn for the most with the values of the sweep before. That settles where
nobody is ever indifferent. `best_reply_gain` takes the play that a solution gives, writes the race out for one player
against it, and returns what the best other strategy gains.
"""

from functools import cache


def _offers(game):
    @cache
    def offers(mode):
        rolls = [(weight, list(game.plays(mode, roll))) for roll, weight in game.rolls(mode).items() if weight]
        return sum(weight for weight, _ in rolls), rolls

    return offers


def _turn(game, score, target, least, must_hit, banked, bust):
    """Return the vector of a turn in which the first entry is maximised; stop before roll where both are worth the same."""
    offers = _offers(game)
    may_stop = getattr(game, "may_stop", lambda mode: True)

    @cache
    def moment(t, mode):
        if must_hit and score + t > target:
            return bust
        if mode is None:
            return banked(t) if t else bust
        stop = banked(t) if t and may_stop(mode) and (t >= least or score + t >= target) else None
        if stop is not None and score + t >= target:
            return stop
        total, rolls = offers(mode)
        parts = [(weight, max((moment(t + p.points, p.mode) for p in plays), key=lambda v: v[0]) if plays else bust)
                 for weight, plays in rolls]  # fmt: skip
        roll = tuple(sum(w * v[j] for w, v in parts) / total for j in range(len(bust)))
        return roll if stop is None or roll[0] > stop[0] else stop

    return moment(0, game.opening)


def simple_values(game, target, players, *, bank_from=0, must_hit=False, sweeps=400, tolerance=1e-14):
    """Return the chances at the start, by sweeps over all positions until nothing moves; None if they never settle."""
    win = (1.0,) + (0.0,) * (players - 1)
    values = {}

    def look(scores):
        return values.setdefault(scores, (1 / players,) * players)

    start = (0,) * players
    look(start)
    for _ in range(sweeps):
        moved = 0.0
        for scores in sorted(values, key=lambda s: -sum(s)):
            own, others = scores[0], scores[1:]

            def banked(t, own=own, others=others):
                if own + t >= target:
                    return win
                after = look((*others, own + t))
                return (after[-1], *after[:-1])

            after = look((*others, own))
            new = _turn(game, own, target, bank_from, must_hit, banked, (after[-1], *after[:-1]))
            moved = max(moved, max(abs(a - b) for a, b in zip(new, values[scores], strict=True)))
            values[scores] = new
        if moved < tolerance and len(values) == len(set(values)):
            return values[start]
    return None


def turn_law(match, choose, spot):
    """Return {spot after the turn: chance} if `choose(spot)` gives plays with their shares."""
    law = {}

    def follow(here, chance):
        if match.is_over(here) or here.turn != spot.turn:
            key = _bare(here)
            law[key] = law.get(key, 0.0) + chance
        elif here.rolling:
            rolls = match.rolls(here)
            total = sum(rolls.values())
            for roll, weight in rolls.items():
                follow(match.after_roll(here, roll), chance * weight / total)
        else:
            for play, share in choose(here):
                follow(match.after_play(here, play), chance * share)

    follow(spot, 1.0)
    return law


def _bare(spot):
    """A spot without what it counts: positions that come round again are the same."""
    return spot.__class__(
        spot.standings, spot.records, spot.seat, finisher=spot.finisher, mode=spot.mode, roll=spot.roll
    )


def best_reply_gain(match, choose, seat, *, sweeps=3000, tolerance=1e-15):
    """Return (what a seat gets at the start under the play of everybody, what its best response to the others gets)."""
    laws = {}
    known = [_bare(match.start())]
    for spot in known:
        laws[spot] = turn_law(match, choose, spot)
        everything = set(laws[spot])
        if match.seat(spot) == seat:
            everything |= set(turn_law(match, lambda s: [(p, 1.0) for p in match.plays(s)], spot))
        for after in everything:
            if not match.is_over(after) and after not in known:
                known.append(after)

    def ended(spot):
        return float(match.returns(spot)[seat])

    results = []
    for free in (False, True):
        values = dict.fromkeys(known, 0.0)
        for _ in range(sweeps):
            moved = 0.0
            for spot in sorted(known, key=lambda s: -sum(s.standings)):

                def worth(after, values=values):
                    return ended(after) if match.is_over(after) else values[_bare(after)]

                if free and match.seat(spot) == seat:
                    new = _best_turn(match, spot, worth)
                else:
                    new = sum(chance * worth(after) for after, chance in laws[spot].items())
                moved = max(moved, abs(new - values[spot]))
                values[spot] = new
            if moved < tolerance:
                break
        results.append(values[known[0]])
    return results[0], results[1]


def _best_turn(match, spot, worth):
    def best(here):
        if match.is_over(here) or here.turn != spot.turn:
            return worth(here)
        if here.rolling:
            rolls = match.rolls(here)
            return sum(w * best(match.after_roll(here, r)) for r, w in rolls.items()) / sum(rolls.values())
        return max(best(match.after_play(here, play)) for play in match.plays(here))

    return best(spot)


# ---------------------------------------------------------------- with every rule of the match


def settled_values(match, *, cap, sweeps=2000, tolerance=1e-14):
    """Return {position: chances by seat} by sweeps over all positions of a match; None if they never settle.

    A turn is followed up to scores of `cap`, where it stops. A player who is indifferent stops.
    """
    return _swept(match, lambda here, options: _first_best(options, here.seat), cap, sweeps, tolerance)


def reply_values(match, choose, seat, *, cap, sweeps=2000, tolerance=1e-14):
    """Return everybody's chances at the start if all play by `choose`, and those if one seat replies as well as it can."""

    def given(here, options):
        chances = dict(options)
        shares = [(share, chances[play]) for play, share in choose(here) if play in chances]
        if not shares:  # cut off
            return options[0][1]
        return tuple(sum(share * v[j] for share, v in shares) for j in range(match.players))

    def reply(here, options):
        return _first_best(options, seat) if here.seat == seat else given(here, options)

    start = _bare(match.start())
    return tuple(_swept(match, taken, cap, sweeps, tolerance)[start] for taken in (given, reply))


def _swept(match, taken, cap, sweeps, tolerance):
    """Sweep over all positions until nothing moves; `taken` says what becomes of the options [(play, chances)].

    Last turns lead to nothing but later ones, and are looked at once.
    """
    values, trees, last_turns = {}, {}, {}

    def look(spot):
        if match.is_over(spot):
            return tuple(float(share) for share in match.returns(spot))
        key = _bare(spot)
        if spot.finisher is None:
            return values.setdefault(key, (1 / match.players,) * match.players)
        if key not in last_turns:
            last_turns[key] = _tree_value(_tree(match, key, cap), look, taken)
        return last_turns[key]

    look(match.start())
    for _ in range(sweeps):
        moved, known = 0.0, len(values)
        # high scores first, then many busts: each position after those that it mostly leads to
        for spot in sorted(values, key=lambda s: (-sum(s.standings), -sum(r.busts for r in s.records))):
            if spot not in trees:
                trees[spot] = _tree(match, spot, cap)
            new = _tree_value(trees[spot], look, taken)
            moved = max(moved, *(abs(a - b) for a, b in zip(new, values[spot], strict=True)))
            values[spot] = new
        if moved < tolerance and known == len(values):
            return values | last_turns
    return None


def _first_best(options, seat):
    best = options[0][1]
    for _, chances in options[1:]:
        if chances[seat] > best[seat] + 1e-14:
            best = chances
    return best


def _tree(match, spot, cap):
    """Return the moments of a turn, later ones first: (spot, [(weight, number)], [(play, number)]), else a spot after it."""
    moments, number = [], {}

    def add(here):
        if match.is_over(here) or here.turn != spot.turn:
            moments.append((here, None, None))
            return len(moments) - 1
        key = (here.at_risk, here.mode, here.roll, here.rolling)
        if key not in number:
            rolls, plays = [], []
            if here.rolling:
                fallen = match.rolls(here)
                total = sum(fallen.values())
                rolls = [(weight / total, add(match.after_roll(here, roll))) for roll, weight in fallen.items()]
            else:
                offered = sorted(match.plays(here), key=lambda play: not play.stops)
                if spot.standings[spot.seat] + here.at_risk >= cap:
                    offered = offered[:1]
                plays = [(play, add(match.after_play(here, play))) for play in offered]
            moments.append((here, rolls, plays))
            number[key] = len(moments) - 1
        return number[key]

    add(spot)
    return moments


def _tree_value(tree, look, taken):
    chances = []
    for here, rolls, plays in tree:
        if rolls is None:
            chances.append(look(here))
        elif rolls:
            chances.append(tuple(sum(w * chances[to][j] for w, to in rolls) for j in range(len(here.standings))))
        else:
            chances.append(taken(here, [(play, chances[to]) for play, to in plays]))
    return chances[-1]
