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
    """Return (what a seat gets at the start under the play of everybody, what its best reply to the others gets)."""
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
