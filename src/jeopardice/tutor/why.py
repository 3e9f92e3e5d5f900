"""Why a play is better than another, in sentences made from the numbers.

A roll either busts or it does not. Against a stop, a bust costs c with chance p and any other roll gains g on average, so

    value of rolling - value of stopping = (1 - p) g - p c

and that is what the sentence says. Two rolls are compared by their chances of a bust and by what they leave at risk.
Everything comes from a match and its judge; no game is named here.
"""

from dataclasses import dataclass

from jeopardice.rules.match import Spot
from jeopardice.solution import Judge, Measure, Option
from jeopardice.tutor.session import Session
from jeopardice.tutor.words import capital


@dataclass(frozen=True)
class NextRoll:
    """What the next roll brings: its chance of a bust, and the values after a bust and after any other roll.

    Values are those of the player who rolls, None where there is no such roll.
    """

    bust_chance: float
    after_bust: float | None
    otherwise: float | None


def next_roll(judge: Judge, spot: Spot, option: Option) -> NextRoll | None:
    """Return what the roll after an option brings; None where no roll follows, or one that cannot lose the turn.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import judge_of
    >>> judge = judge_of(solve(Race(Pig(), target=20)))
    >>> start = judge.match.start()
    >>> round(next_roll(judge, start, judge.options_at(start)[0]).bust_chance, 4)
    0.1667
    """
    match = judge.match
    after = match.after_play(spot, option.match_play)
    rolls = match.rolls(after)
    seat = match.seat(spot)
    if not rolls or match.seat(after) != seat:
        return None
    weights, sums = {True: 0, False: 0}, {True: 0.0, False: 0.0}
    for roll, weight in rolls.items():
        busts = match.is_bust(after, roll)
        weights[busts] += weight
        sums[busts] += weight * float(judge.values_at(match.after_roll(after, roll))[seat])
    means = {busts: sums[busts] / weights[busts] if weights[busts] else None for busts in (True, False)}
    return NextRoll(weights[True] / (weights[True] + weights[False]), means[True], means[False])


def why(session: Session, option: Option | None = None) -> str:
    """Return why the best play here is better than `option`; without one, than the best play of the other kind.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import Session, judge_of
    >>> game = Session.new(judge_of(solve(Race(Pig(), target=100, players=2))))
    >>> for roll in (6, 6, 6, 6):
    ...     game = game.choose("roll").roll((roll,))
    >>> print(why(game))
    A roll busts with chance 17% and then costs 18.1 points of win chance; any other roll gains 3.0 on average. \
Weighed by their chances: 3.0 to lose, 2.5 to gain. They win 35.0% of games after a stop, 53.1% after a bust. So stop.
    """
    ranked = session.ranked
    if len(ranked) < 2:
        return ""
    best, other = ranked[0], option or _rival(ranked)
    if other == best:
        other = _rival(ranked)
    if session.loss(other) <= session.judge.tie:
        return f"{capital(best.play)} and {other.play} are equally good here."
    if best.stops != other.stops and best.points == other.points:
        stop, roll = (best, other) if best.stops else (other, best)
        if told := _stop_or_roll(session, stop, roll, best):
            return told
    return _two_plays(session, best, other)


def _rival(ranked: tuple[Option, ...]) -> Option:
    """Return the option to compare the best one with: the same dice but roll for stop, else the second best."""
    best = ranked[0]
    alike = [o for o in ranked[1:] if o.stops != best.stops and o.points == best.points and o.kept == best.kept]
    return (alike or [o for o in ranked[1:] if o.points >= best.points] or list(ranked[1:]))[0]


def _stop_or_roll(session: Session, stop: Option, roll: Option, best: Option) -> str:
    judge, seat = session.judge, session.seat
    ahead = next_roll(judge, session.spot, roll)
    if ahead is None:
        return ""
    measure = judge.measure
    stopped = float(judge.values_at(judge.match.after_play(session.spot, stop.match_play))[seat])
    sign = -1 if measure.prefers_less else 1
    p = ahead.bust_chance
    cost = 0.0 if ahead.after_bust is None else sign * (stopped - ahead.after_bust)
    gain = 0.0 if ahead.otherwise is None else sign * (ahead.otherwise - stopped)
    advice = f"So {'stop' if best.stops else 'roll'}."
    if p == 0:
        return f"The next roll cannot bust and {_gains(measure, gain, named=True)} on average. {advice}"
    told = f"A roll busts with chance {_per_cent(p)} and then {_gains(measure, -cost, named=True)}; "
    told += f"any other roll {_gains(measure, gain)} on average."
    if cost > 0 < gain:
        told += f" Weighed by their chances: {_amount(measure, p * cost)} to lose, {_amount(measure, (1 - p) * gain)} to gain."
    return f"{told}{_other_player(session, stopped, ahead)} {advice}"


def _other_player(session: Session, stopped: float, ahead: NextRoll) -> str:
    """Return what a stop and a bust leave the other player, where there is one and values are chances."""
    measure = session.judge.measure
    if session.match.players != 2 or not measure.is_chance or ahead.after_bust is None:
        return ""
    return f" They win {measure.words(1 - stopped)} of games after a stop, {measure.words(1 - ahead.after_bust)} after a bust."


def _two_plays(session: Session, best: Option, other: Option) -> str:
    judge, measure = session.judge, session.judge.measure
    facts = []
    for option in (best, other):
        ahead = next_roll(judge, session.spot, option)
        stake = session.words.stake(judge.match.game(session.spot), option.match_play)
        facts.append(", ".join(filter(None, (stake, _risk(measure, ahead)))))
    told = "; ".join(f"“{o.play}” {fact}" for o, fact in zip((best, other), facts, strict=True) if fact)
    loss = measure.loss_words(session.loss(other))
    better = f"“{best.play}” is better than “{other.play}” by {loss}."
    return f"{told}. In all {better}" if told else better


def _risk(measure: Measure, ahead: NextRoll | None) -> str:
    if ahead is None or ahead.after_bust is None:
        return ""
    otherwise = (
        f" and is worth {measure.words(ahead.otherwise)} otherwise" if measure.is_chance and ahead.otherwise else ""
    )
    return f"busts with chance {_per_cent(ahead.bust_chance)}{otherwise}"


def _gains(measure: Measure, change: float, *, named: bool = False) -> str:
    """Return a change in words: gains 2.0, costs 14.1 points of win chance."""
    verb = "gains" if change >= 0 else "costs"
    return f"{verb} {measure.loss_words(abs(change)) if named else _amount(measure, abs(change))}"


def _amount(measure: Measure, size: float) -> str:
    number, _, _ = measure.loss_words(size).partition(" ")
    return number


def _per_cent(chance: float) -> str:
    return f"{100 * chance:.0f}%" if 0.005 <= chance <= 0.995 else f"{100 * chance:.2g}%"
