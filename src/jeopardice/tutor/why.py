"""Why a play is better than another, in sentences made from the numbers.

A roll either busts or it does not. Against a stop, a bust costs c with chance p and any other roll gains g on average, so

    value of rolling - value of stopping = (1 - p) g - p c

and that is what the sentence says. Two rolls are compared by their chances of a bust and by what they leave at risk.
Everything comes from a match and its judge; no game is named here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jeopardice.solution import Judge, Measure, Option, distance
from jeopardice.tutor.session import Session
from jeopardice.tutor.words import capital
from jeopardice.types import Spot


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
    return falling(judge, after) if match.rolls(after) and match.seat(after) == match.seat(spot) else None


def falling(judge: Judge, after: Spot) -> NextRoll:
    """Return what a roll brings at a spot where the dice fall."""
    match = judge.match
    rolls, seat = match.rolls(after), match.seat(after)
    weights, sums = {True: 0, False: 0}, {True: 0.0, False: 0.0}
    for roll, weight in rolls.items():
        busts = match.is_bust(after, roll)
        weights[busts] += weight
        sums[busts] += weight * float(judge.values_at(match.after_roll(after, roll))[seat])
    means = {busts: sums[busts] / weights[busts] if weights[busts] else None for busts in (True, False)}
    return NextRoll(weights[True] / (weights[True] + weights[False]), means[True], means[False])


@dataclass(frozen=True)
class Facts:
    """What a reason is made from: the options best first, and what is known of each."""

    measure: Measure
    players: int
    tie: float
    options: Sequence[Option]
    stopped: Callable[[Option], float]
    """The value after a stop, counted as `NextRoll` counts."""
    ahead: Callable[[Option], NextRoll | None]
    """What the roll after an option brings."""
    stake: Callable[[Option], str]
    """What an option banks or leaves at risk, in words."""


def why(session: Session, option: Option | None = None) -> str:
    """Return why the best play here is better than `option`; without one, than the best play of the other kind.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import Session, judge_of
    >>> game = Session.new(judge_of(solve(Race(Pig(), target=100, players=2))))
    >>> for roll in (6, 6, 6, 6):
    ...     game = game.choose("roll").roll((roll,))
    >>> print(why(game))
    A roll busts with chance 17% and then costs 18.1 points of win chance; any other roll gains 3.0 on average. \
Weighed by their chances, rolling loses 3.0 and gains 2.5. They win 35.0% of games after a stop, 53.1% after a bust. So stop.
    """
    judge, spot, seat = session.judge, session.spot, session.seat
    facts = Facts(
        judge.measure,
        judge.match.players,
        judge.tie,
        session.ranked,
        stopped=lambda stop: float(judge.values_at(judge.match.after_play(spot, stop.match_play))[seat]),
        ahead=lambda roll: next_roll(judge, spot, roll),
        stake=lambda any_play: session.words.stake(judge.match.game(spot), any_play.match_play),
    )
    return reason(facts, option)


def reason(facts: Facts, option: Option | None = None) -> str:
    """Return why the best option is better than another; nothing where there is only one."""
    if len(facts.options) < 2:
        return ""
    best, other = facts.options[0], option or _rival(facts.options)
    if other == best:
        other = _rival(facts.options)
    if distance(best.value, other.value) <= facts.tie:
        return f"{capital(best.play)} and {other.play} are equally good here."
    if best.stops and facts.measure.is_chance and best.value >= 1:
        return f"{capital(best.play)}: that wins the game."
    if best.stops != other.stops and best.points == other.points:
        stop, roll = (best, other) if best.stops else (other, best)
        ahead = facts.ahead(roll)
        if ahead is not None:
            return _stop_or_roll(facts, facts.stopped(stop), ahead, "stop" if best.stops else "roll")
    return _two_plays(facts, best, other)


def _rival(ranked: Sequence[Option]) -> Option:
    """Return the option to compare the best one with: the same dice but roll for stop, else the second best."""
    best = ranked[0]
    alike = [o for o in ranked[1:] if o.stops != best.stops and o.points == best.points and o.kept == best.kept]
    return (alike or [o for o in ranked[1:] if o.points >= best.points] or list(ranked[1:]))[0]


def _stop_or_roll(facts: Facts, stopped: float, ahead: NextRoll, best: str) -> str:
    measure, p = facts.measure, ahead.bust_chance
    sign = -1 if measure.prefers_less else 1
    cost = 0.0 if ahead.after_bust is None else sign * (stopped - ahead.after_bust)
    gain = 0.0 if ahead.otherwise is None else sign * (ahead.otherwise - stopped)
    if p == 0:
        return f"The next roll cannot bust and {_gains(measure, gain, named=True)} on average. So {best}."
    sentence = f"A roll busts with chance {_per_cent(p)} and then {_gains(measure, -cost, named=True)}; "
    sentence += f"any other roll {_gains(measure, gain)} on average."
    if cost > 0 < gain:
        lose, win = _amount(measure, p * cost), _amount(measure, (1 - p) * gain)
        sentence += f" Weighed by their chances, rolling loses {lose} and gains {win}."
    if facts.players == 2 and measure.is_chance and ahead.after_bust is not None:
        theirs = measure.words(1 - stopped), measure.words(1 - ahead.after_bust)
        sentence += f" They win {theirs[0]} of games after a stop, {theirs[1]} after a bust."
    return f"{sentence} So {best}."


def _two_plays(facts: Facts, best: Option, other: Option) -> str:
    known = [", ".join(filter(None, (facts.stake(o), _risk(facts, o)))) for o in (best, other)]
    both = "; ".join(f"“{o.play}” {fact}" for o, fact in zip((best, other), known, strict=True) if fact)
    loss = facts.measure.loss_words(distance(best.value, other.value))
    better = f"“{best.play}” is better than “{other.play}” by {loss}."
    return f"{both}. In all {better}" if both else better


def _risk(facts: Facts, option: Option) -> str:
    ahead = facts.ahead(option)
    if ahead is None or ahead.after_bust is None:
        return ""
    risk = f"busts with chance {_per_cent(ahead.bust_chance)}"
    if facts.measure.is_chance and ahead.otherwise is not None:
        risk += f" and is worth {facts.measure.words(ahead.otherwise)} otherwise"
    return risk


def _gains(measure: Measure, change: float, *, named: bool = False) -> str:
    """Return a change in words: gains 2.0, costs 14.1 points of win chance."""
    verb = "gains" if change >= 0 else "costs"
    return f"{verb} {measure.loss_words(abs(change)) if named else _amount(measure, abs(change))}"


def _amount(measure: Measure, size: float) -> str:
    number, _, _ = measure.loss_words(size).partition(" ")
    return number


def _per_cent(chance: float) -> str:
    return f"{100 * chance:.0f}%" if 0.005 <= chance <= 0.995 else f"{100 * chance:.2g}%"
