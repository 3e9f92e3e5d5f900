"""Two players choose at the same time, both rolls fall, both scores move: a race where nobody is first.

Tijms plays Hog like this. A turn's only choice comes before the dice, so each choice a is a law of points, with a
chance z(a) of none. From scores (i, j) the pair (a, b) leads to (i + x, j + y); the position comes back to itself
only if neither scores, so with all later values known its own value is the one solution of

    v = value of the matrix game [ C(a, b) + z(a)·z(b)·v ],      C = what scoring pairs are worth,

whose right side rises with v by less than v does. Newton: take the best mixtures p, q at v and solve v = p·C·q +
(p·z)(q·z)·v; a bracket around v keeps it safe. Positions are solved from the target back; v(j, i) = 1 − v(i, j), and
1/2 on the diagonal.

Rules that are ours to choose: reaching the target ends the race; if both reach it in the same turn the higher score
wins, and equal scores share (`both_reach="higher"`), or they share whatever the scores (`"share"`).

The error bound follows the same order: an error e in the local equation and errors E of the later values allow at most
(e + sum of chances·E) / (1 − z(a)·z(b)), taken at the worst pair of choices.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from jeopardice.engine.anchor import Bracket
from jeopardice.engine.work import check_memory
from jeopardice.errors import PositionError, RulesError
from jeopardice.graphs.matrix_game import EPSILON, MatrixGameSolution, solve_matrix_game
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import report
from jeopardice.points.tables import check_layout
from jeopardice.rules.game import PointsGame
from jeopardice.rules.goal import BothReach
from jeopardice.rules.text import brief, dice_words
from jeopardice.types import Floats

Law = Mapping[int, Fraction]


def turn_laws(game: PointsGame) -> dict[Hashable, dict[int, Fraction]]:
    """Return what each choice of a turn earns: points with their chances, for a game whose turns hold a single choice.

    >>> from jeopardice.games.hog import Hog
    >>> {points: str(chance) for points, chance in turn_laws(Hog(dice_limit=2, sides=3))[2].items()}
    {0: '5/9', 4: '1/9', 5: '2/9', 6: '1/9'}
    """
    check_layout(game)
    rolls = game.rolls(game.opening)
    if len(rolls) != 1:
        raise RulesError(
            f"choosing at the same time needs a choice before any roll, but {brief(game)} opens with a roll"
        )
    laws: dict[Hashable, dict[int, Fraction]] = {}
    for choice in game.plays(game.opening, next(iter(rolls))):
        after = game.rolls(choice.mode)
        total = sum(after.values())
        law: dict[int, Fraction] = {}
        for roll, weight in after.items():
            plays = game.plays(choice.mode, roll)
            if len(plays) > 1 or (plays and plays[0].mode is not None):
                raise RulesError(
                    f"a turn with one choice is needed, but {brief(game)} offers another after the roll {dice_words(roll)}"
                )
            points = choice.points + plays[0].points if plays else 0
            law[points] = law.get(points, Fraction(0)) + Fraction(weight, total)
        laws[choice.mode] = law
    return laws


def solve_one_turn(laws: Mapping[Hashable, Law] | PointsGame) -> tuple[dict[Hashable, float], MatrixGameSolution]:
    """Return a best mixture for a single turn that both play at once, the higher score winning and equal ones sharing.

    >>> from jeopardice.games.hog import Hog
    >>> mixture, game = solve_one_turn(Hog())
    >>> game.value, sorted(mixture)
    (0.5, [2, 3, 5])
    """
    by_choice = laws if isinstance(laws, Mapping) else turn_laws(laws)
    chances = _chances(by_choice)
    points = np.arange(chances.shape[1])
    wins = 0.5 + 0.5 * np.sign(points[:, None] - points[None, :])
    solution = solve_matrix_game(chances @ wins @ chances.T)
    return {choice: float(w) for choice, w in zip(by_choice, solution.row, strict=True) if w > 0}, solution


@dataclass(frozen=True, eq=False)
class SimultaneousSolution:
    """The chance to win with `mine` points against `theirs`, values[mine, theirs] and a best mixture for each."""

    choices: tuple[Hashable, ...]
    target: int
    values: Floats
    error_bounds: Floats
    weights: Floats  # [mine, theirs, choice]

    @property
    def value(self) -> float:
        """The value at the start: 1/2, the game being fair."""
        return float(self.values[0, 0])

    @property
    def error_bound(self) -> float:
        """A bound on the error of every value."""
        return float(self.error_bounds.max())

    def value_at(self, mine: int, theirs: int) -> float:
        """Return the chance to win with `mine` points against `theirs`."""
        self._check(mine, theirs)
        return float(self.values[mine, theirs])

    def mixture(self, mine: int, theirs: int) -> dict[Hashable, float]:
        """Return a best mixture: choices with their chances, those never made left out."""
        self._check(mine, theirs)
        return {c: float(w) for c, w in zip(self.choices, self.weights[mine, theirs], strict=True) if w > 0}

    def _check(self, mine: int, theirs: int) -> None:
        if not (0 <= mine < self.target and 0 <= theirs < self.target):
            raise PositionError(f"scores lie between 0 and {self.target - 1}, got mine={mine!r}, theirs={theirs!r}")


def solve_simultaneous(
    laws: Mapping[Hashable, Law] | PointsGame,
    target: int,
    *,
    both_reach: BothReach = "higher",
    progress: Progress | None = None,
) -> SimultaneousSolution:
    """Return values and mixtures of the race to `target` where both choose at the same time.

    `laws` maps each choice to the law of its points, or is a game such as Hog to take them from (see `turn_laws`).
    """
    if target < 1:
        raise ValueError(f"target is a whole number of at least 1, got target={target!r}")
    if both_reach not in ("higher", "share"):
        raise ValueError(f"both_reach is 'higher' or 'share', got both_reach={both_reach!r}")
    by_choice = laws if isinstance(laws, Mapping) else turn_laws(laws)
    if not by_choice or any(law.get(0, Fraction(0)) >= 1 for law in by_choice.values()):
        raise RulesError("every choice needs some chance to score, or the race could go on for ever")
    check_memory(8.0 * target**2 * (len(by_choice) + 3), "this race", "choose a smaller target")
    chances = _chances(by_choice)
    values, bounds = _finished(target, chances.shape[1], both_reach)
    weights = np.zeros((target, target, len(by_choice)))
    for i in reversed(range(target)):
        for j in reversed(range(i + 1)):
            report(progress, (target - 1 - i) * (target + i + 2) // 2 + i - j, target * (target + 1) // 2)
            solution, bound = _solve_position(chances, values, bounds, i, j)
            weights[j, i], weights[i, j] = solution.column, solution.row  # i = j: the row's, which is best for both
            values[i, j], values[j, i] = (0.5, 0.5) if i == j else (solution.value, 1.0 - solution.value)
            bounds[i, j] = bounds[j, i] = 0.0 if i == j else bound
    inside = slice(target)
    return SimultaneousSolution(tuple(by_choice), target, values[inside, inside], bounds[inside, inside], weights)


def choice_values(
    laws: Mapping[Hashable, Law] | PointsGame,
    solution: SimultaneousSolution,
    mine: int,
    theirs: int,
    *,
    both_reach: BothReach = "higher",
) -> dict[Hashable, float]:
    """Return the chance to win with each choice against the other side's best mixture.

    Choices that are mixed are worth the value of the position; no choice is worth more.
    """
    value = solution.value_at(mine, theirs)
    chances = _chances(laws if isinstance(laws, Mapping) else turn_laws(laws))
    width, target = chances.shape[1], solution.target
    values, _ = _finished(target, width, both_reach)
    values[:target, :target] = solution.values
    window = values[mine : mine + width, theirs : theirs + width].copy()
    window[0, 0] = value
    worth = chances @ window @ chances.T @ solution.weights[theirs, mine]
    return dict(zip(solution.choices, worth.tolist(), strict=True))


def _chances(laws: Mapping[Hashable, Law]) -> Floats:
    """Lay the laws out as chances[choice, points]."""
    chances = np.zeros((len(laws), max(points for law in laws.values() for points in law) + 1))
    for row, law in zip(chances, laws.values(), strict=True):
        for points, chance in law.items():
            row[points] = float(chance)
    return chances


def _finished(target: int, width: int, both_reach: BothReach) -> tuple[Floats, Floats]:
    """Return tables with the finished races filled in."""
    score = np.arange(target + width)
    mine, theirs = score[:, None], score[None, :]
    values = np.where(mine >= target, 1.0, 0.0) * np.ones((1, len(score)))
    both = (mine >= target) & (theirs >= target)
    values[both] = (0.5 + 0.5 * np.sign(mine - theirs))[both] if both_reach == "higher" else 0.5
    return values, np.zeros_like(values)


def _solve_position(
    chances: Floats, values: Floats, bounds: Floats, i: int, j: int
) -> tuple[MatrixGameSolution, float]:
    """Return the matrix game of a position at its own value, and a bound on that value's error."""
    width = chances.shape[1]
    window = (slice(i, i + width), slice(j, j + width))
    later, error = values[window].copy(), bounds[window].copy()
    later[0, 0] = error[0, 0] = 0.0
    scoring = chances @ later @ chances.T
    stay = np.outer(chances[:, 0], chances[:, 0])
    solution, residual = _fixed_point(scoring, stay)
    # two rounded products of `width` terms each, of chances that are rounded themselves
    local = residual + (2 * width + 8) * EPSILON
    bound = float(((local + chances @ error @ chances.T) / (1.0 - stay)).max()) * (1 + 4 * width * EPSILON)
    return solution, bound


def _fixed_point(scoring: Floats, stay: Floats) -> tuple[MatrixGameSolution, float]:
    """Return the matrix game scoring + stay·v at the v that is its value, and how far from it v may be."""
    bracket, v = Bracket(0.0, 1.0), 0.5
    for _ in range(100):
        solution = solve_matrix_game(scoring + stay * v)
        if solution.lower <= v <= solution.upper:
            break
        bracket.narrow(v, solution.lower - v)
        loop = float(solution.row @ stay @ solution.column)
        step = float(solution.row @ scoring @ solution.column) / (1.0 - loop)
        previous, v = v, bracket.within(step)
        if abs(v - previous) <= EPSILON:
            break
    solution = solve_matrix_game(scoring + stay * v)
    residual = max(solution.upper - v, v - solution.lower, 0.0)
    return MatrixGameSolution(v, solution.row, solution.column, solution.lower, solution.upper), residual
