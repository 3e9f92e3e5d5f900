"""The minimax paper as exhibits: Table 1, Figures 1 to 6, the observations of sections 3.2, 4.1 and 4.2.

Its Figures 3, 5 and 6 print no numbers; they are drawn again from the solved game, grey where one rolls and black where
one stops. The observations about them are checked at every moment by `minimax_pig`.
"""

from collections.abc import Hashable
from fractions import Fraction
from functools import cache, partial
from typing import Any, cast

from jeopardice.analysis.head_to_head import head_to_head
from jeopardice.games.pig import Pig
from jeopardice.graphs.stochastic import StochasticGame
from jeopardice.graphs.strategy_iteration import solve_stochastic_game
from jeopardice.papers import minimax_pig as paper
from jeopardice.papers import minimax_pig_figures as figures
from jeopardice.papers.claims import Claim, Exhibit, Paper, Verdict, compared
from jeopardice.papers.explicit_pig import explicit_pig
from jeopardice.points.simulate import SimulatedRaces, simulate
from jeopardice.points.solution import AloneSolution
from jeopardice.points.strategy import BestPlay
from jeopardice.rules.goal import Race
from jeopardice.solver import solve

VERDICTS: dict[str, Verdict] = {"true": "agrees", "roughly true": "unclear", "false": "misprint"}
"""How a verdict on an observation counts: what does not hold is a slip of the paper, with its proof in the errata."""

SIMULATED = 10_000_000


@cache
def _claims() -> tuple[paper.Claim, ...]:
    return tuple(paper.claims())


def observations(section: str) -> list[Claim]:
    """Return the observations of a section (3.2: and of section 3) as claims."""
    wanted = ("3", "3.2") if section == "3.2" else (section,)
    return [
        Claim(
            claim.says,
            paper.printed()["claims"][claim.name]["printed"] or "so",
            claim.verdict,
            VERDICTS[claim.verdict],
            claim.evidence,
        )
        for claim in _claims()
        if claim.section in wanted
    ]


@cache
def _against_fewest() -> tuple[BestPlay, BestPlay, float, float]:
    """Return best play, the strategy with the fewest turns, and how often the former wins, first and second."""
    alone = solve(Race(Pig(), paper.TARGET))
    assert isinstance(alone, AloneSolution)
    best, fewest = BestPlay(paper.solution()), BestPlay(alone, "fewest-turns")
    first = head_to_head(paper.race(), best, fewest).value
    return best, fewest, first, 1 - head_to_head(paper.race(), fewest, best).value


def haigh_roters() -> list[Claim]:
    """Return the share of games won against the strategy with the fewest turns, exactly."""
    *_, first, second = _against_fewest()
    return [compared("share won in %, exactly, a coin deciding who begins", "52", 50 * (first + second), digits=8)]


def simulation() -> list[Claim]:
    """Return the same by as many games as the paper played, half of them begun by each; fixed seeds."""
    best, fewest, *exact = _against_fewest()
    shares, notes = [], []
    for seat, order in enumerate(((best, fewest), (fewest, best))):
        played = simulate(paper.race(), *order, games=SIMULATED // 2, seed=20091230 + seat)
        assert isinstance(played, SimulatedRaces)
        shares.append(played.wins.mean if seat == 0 else 1 - played.wins.mean)
        notes.append((shares[-1] - exact[seat]) / played.wins.standard_error)
    is_near = all(abs(errors) < 4 for errors in notes)
    return [
        compared(f"share won in %, {SIMULATED:,} games", "52", 50 * sum(shares), digits=6),
        Claim(
            "the simulation against our exact chances, in standard errors (first, second)", "within 4",
            ", ".join(f"{errors:+.1f}" for errors in notes), "agrees" if is_near else "differs",
        ),
    ]  # fmt: skip


SHORT_TARGET = 20
"""The game written out is played to 20: what may be done depends only on what is missing to the target."""


def table_1() -> list[Claim]:
    """Return what each player may do in each kind of state, read off the game as it is written out."""
    game = explicit_pig(SHORT_TARGET)
    allowed: dict[tuple[int, str], set[str]] = {}
    for position, one, two in zip(game.positions, game.row_plays, game.column_plays, strict=True):
        player, *scores, at_risk = cast(tuple[int, int, int, int], position)
        reached = scores[player - 1] + at_risk >= SHORT_TARGET
        kind = "τ = 0" if at_risk == 0 else "target reached" if reached else "target not reached"
        may = [" or ".join(sorted(map(str, plays))) for plays in (one, two)]
        allowed.setdefault((player, kind), set()).add(f"one: {may[0]}, two: {may[1]}")
    claims = []
    for player in (1, 2):
        for kind, choice in (("τ = 0", "roll"), ("target not reached", "roll or stop"), ("target reached", "stop")):
            printed = f"one: {choice}, two: wait" if player == 1 else f"one: wait, two: {choice}"
            ours = allowed[player, kind]
            claims.append(_holds(f"({player}, α, β, τ), {kind}", printed, " / ".join(sorted(ours)), ours == {printed}))
    return claims


def figure_1() -> list[Claim]:
    """Return the chances from a state of player one that has not reached the target."""
    after = _chances(explicit_pig(SHORT_TARGET), (1, 3, 5, 4))
    rolled = {str(to): Fraction(chance).limit_denominator(1000) for to, chance in after["roll"].items()}
    busts = rolled.get("(2, 3, 5, 0)")
    lost = _holds("roll: the turn is lost, to (2, α, β, 0)", "1/6", str(busts), busts == Fraction(1, 6))
    scored = []
    for k in range(2, 7):
        chance = rolled.get(f"(1, 3, 5, {4 + k})")
        scored.append(_holds(f"roll: to (1, α, β, τ + {k})", "1/6", str(chance), chance == Fraction(1, 6)))
    stopped = list(after["stop"])
    banked = _holds("stop: to (2, α + τ, β, 0)", "1", str(after["stop"].get((2, 7, 5, 0))), stopped == [(2, 7, 5, 0)])
    return [lost, *scored, banked]


def figure_2() -> list[Claim]:
    """Return the value of the first state, where a coin decides who begins; both sides are solved on their own."""
    solved = solve_stochastic_game(explicit_pig(SHORT_TARGET))
    first, second = (solved.value_at((player, 0, 0, 0)) for player in (1, 2))
    what = f"value of the first state, ½ v(1,0,0,0) + ½ v(2,0,0,0), to {SHORT_TARGET} points"
    return [compared(what, "0.5", (first + second) / 2)]


def figure_4() -> list[Claim]:
    """Return the chances at 180 with 16 at risk when the target must be hit: four points short of it, as 0 and 16 of 20."""
    after = _chances(explicit_pig(SHORT_TARGET, "exact"), (1, 0, 0, 16))["roll"]
    rolled = {to: Fraction(chance).limit_denominator(1000) for to, chance in after.items()}
    lost = rolled.get((2, 0, 0, 0))
    claims = [_holds("the turn is lost: a 1, 5 or 6", "1/2", str(lost), lost == Fraction(1, 2))]
    for k in (2, 3, 4):
        chance = rolled.get((1, 0, 0, 16 + k))
        claims.append(_holds(f"to 16 + {k} at risk", "1/6", str(chance), chance == Fraction(1, 6)))
    return claims


def _chances(game: StochasticGame, position: Hashable) -> dict[str, dict[Any, float]]:
    """Return by play of player one where a position of his leads, with its chances."""
    place = game.index[position]
    first = int(game.first_pair[place])
    rows = {}
    for pair, play in enumerate(game.row_plays[place], start=first):
        row = game.moves[[pair], :].tocoo()
        rows[str(play)] = {game.positions[to]: float(p) for to, p in zip(row.col, row.data, strict=True)}
    return rows


def _holds(what: str, printed: str, ours: str, is_so: bool) -> Claim:
    return Claim(what, printed, ours, "agrees" if is_so else "differs")


PAPER = Paper(
    "minimax-pig",
    "F. Crocce and E. Mordecki, Optimal minimax strategy in a dice game (2009)",
    (
        Exhibit("Table 1", "Who may do what", table_1),
        Exhibit("Figure 1", "From a moment: stop, or roll", figure_1, figures.transitions),
        Exhibit("Figure 2", "The first and the last state", figure_2, figures.ends),
        Exhibit("Figure 3", "Where to roll and where to stop, to win", None, partial(figures.maps, variant="reach")),
        Exhibit("Section 3.2", "Observations about best play", partial(observations, "3.2")),
        Exhibit("Section 3.2, 52 %", "Best play against the fewest turns, exactly", haigh_roters),
        Exhibit("Section 3.2, simulation", "10 000 000 games against the fewest turns", simulation),
        Exhibit("Figure 4", "Landing exactly: from 180 with 16 at risk", figure_4, figures.exact_transitions),
        Exhibit(
            "Figure 5", "Where to roll and where to stop, to land exactly", None, partial(figures.maps, variant="exact")
        ),
        Exhibit("Section 4.1", "Observations about landing exactly", partial(observations, "4.1")),
        Exhibit(
            "Figure 6", "Where to roll and where to stop, for the margin", None, partial(figures.maps, variant="margin")
        ),
        Exhibit("Section 4.2", "Observation about the margin", partial(observations, "4.2")),
    ),
)
