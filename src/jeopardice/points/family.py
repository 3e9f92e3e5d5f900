"""The family of points games: Pig, Ten Thousand, Farkle, Hog, and any rules of one's own with the same three answers.

This is what commands, web and tutor ask; each answer has its own module, loaded when it is first wanted.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jeopardice.engine.work import Work
from jeopardice.errors import PositionError, StaleSolution, TooLargeError, UnknownName
from jeopardice.family import How
from jeopardice.kernels import thread_count
from jeopardice.points.match import PointsMatch, PointsSpot, TurnPlay, match_of
from jeopardice.points.race_table import race_tables
from jeopardice.points.solution import load_points, solve_points
from jeopardice.points.tables import checked_plays, lay_out
from jeopardice.points.turn import edge_of_turn
from jeopardice.points.words import WORDS
from jeopardice.rules.game import Mode, is_points_game
from jeopardice.rules.goal import Goal, Race, Rate, Simultaneous, Turn
from jeopardice.rules.match import Match
from jeopardice.solution import Judge, Solution
from jeopardice.types import Blocks, Keywords

if TYPE_CHECKING:
    from jeopardice.points.strategy import Moment, Strategy
    from jeopardice.rules.coding import Coding

STEPS_A_SECOND = 2e9
"""Plays looked at in a second on one core."""
WALKS = 3
"""Walks through a turn that one anchor needs, about."""


class PointsFamily:
    """What the family answers."""

    shape = "points"
    words = WORDS

    def check(self, goal: Goal) -> None:
        """Refuse games that do not answer the questions of a points game, and races without a target."""
        for game in goal.games:
            if not is_points_game(game):
                raise TypeError(f"a game answers opening, rolls(mode) and plays(mode, roll); {game!r} does not")
        if isinstance(goal, Race | Simultaneous) and goal.target is None:
            raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")

    def work(self, goal: Goal, threads: int | None = None) -> Work:
        """Estimate anchors x walks x moments x plays from the table of a turn."""
        must_hit = isinstance(goal, Race) and goal.ending.must_hit
        table = lay_out(goal.game, drop_dominated=not must_hit)
        plays, threshold = max(1, len(table.arrays["offset"])), edge_of_turn(table).threshold
        if isinstance(goal, Turn | Rate):
            return Work(1, threshold * plays / STEPS_A_SECOND, 16 * (threshold + table.max_points) * len(table.modes))
        target = -(-int(goal.target or 0) // table.unit)
        if isinstance(goal, Simultaneous):
            choices = max(len(groups) for groups in table.groups)
            return Work(target**2, 1e-6 * target**2 * choices, 24 * target**2)
        if goal.players > 2:
            from jeopardice.points.many import many_work

            return many_work(race_tables(goal), threads, goal.ending)
        if goal.piggyback:
            from jeopardice.points.piggyback import piggyback_tables

            return piggyback_tables(goal).work(threads)
        anchors = (target * len(goal.house.records())) ** goal.players * (goal.within or 1)
        walk = target if must_hit or goal.within else min(target, 4 * threshold)
        return Work(anchors, anchors * WALKS * walk * plays / STEPS_A_SECOND / thread_count(threads), 8 * anchors)

    def match(self, goal: Goal) -> Match:
        """Return the race, or the turn, as a tree of spots."""
        if isinstance(goal, Simultaneous):
            from jeopardice.points.simultaneous_match import SimultaneousMatch

            return SimultaneousMatch(goal)
        return match_of(goal)

    def coding(self, goal: Goal) -> "Coding":
        """Return the race, or the turn, in numbers."""
        from jeopardice.points.coding import points_coding, simultaneous_coding

        if isinstance(goal, Simultaneous):
            from jeopardice.points.simultaneous_match import SimultaneousMatch

            return simultaneous_coding(SimultaneousMatch(goal))
        return points_coding(match_of(goal))

    def solve(self, goal: Goal, how: How) -> Any:
        """Solve a turn, a race, a rate or a race in which both choose at the same time."""
        if how.checkpoint is not None:
            raise ValueError("checkpoint is for long runs of Can't Stop; points games are solved in one go")
        for name, value in how.options.items():
            raise ValueError(f"{name} is for boards of Can't Stop; leave it out for points games, got {name}={value!r}")
        if isinstance(goal, Simultaneous):
            if how.exact:
                raise TooLargeError(
                    "exact fractions are for points games in turns; leave out exact for a certified float"
                )
            from jeopardice.points.simultaneous_solution import solve_mixed

            return solve_mixed(goal, progress=how.progress)
        return solve_points(goal, exactly=how.exact, threads=how.threads, progress=how.progress)

    def load(self, goal: Goal, blocks: Blocks, about: Keywords) -> Any:
        """Return the solution that was saved."""
        if isinstance(goal, Simultaneous):
            from jeopardice.points.simultaneous import SimultaneousSolution, turn_laws
            from jeopardice.points.simultaneous_solution import MixedSolution

            target, laws = int(goal.target or 0), tuple(turn_laws(goal.game))
            if blocks["values"].shape != (target, target):
                raise StaleSolution(f"{about['where']} holds numbers for another race; solve and save again")
            tables = (blocks["values"], blocks["bounds"], blocks["weights"])
            return MixedSolution(goal, SimultaneousSolution(laws, target, *tables))
        return load_points(goal, blocks, about)

    def judge(self, solution: Solution) -> Judge:
        """Return the judge that knows a solution's values."""
        from jeopardice.points.judge import PointsJudge

        if isinstance(solution.goal, Simultaneous):
            from jeopardice.points.simultaneous_judge import SimultaneousJudge
            from jeopardice.points.simultaneous_solution import MixedSolution

            assert isinstance(solution, MixedSolution)
            return SimultaneousJudge(solution)
        if not isinstance(solution.goal, Turn | Race):
            raise PositionError(f"only a race or one turn is played to an end, got {solution.goal!r}")
        return PointsJudge(solution)

    def judge_to_play(self, goal: Goal, how: How) -> Judge:
        """Solve the goal and return its judge."""
        return self.judge(self.solve(goal, how))

    def judge_at_once(self, goal: Goal) -> Judge | None:
        """Return a judge that estimates chances, or knows each turn by its points; None where there are no turns."""
        if not isinstance(goal, Race):
            return None
        if goal.players > 1 and goal.payoff == "win" and not goal.piggyback:
            from jeopardice.points.estimated import estimated_race
            from jeopardice.points.judge import PointsJudge

            estimated = estimated_race(goal)
            if estimated is not None:
                return PointsJudge(estimated)
        from jeopardice.points.turn_judge import TurnJudge

        solved = {game: solve_points(Turn(game)) for game in dict.fromkeys(goal.games)}
        return TurnJudge(goal, tuple(solved[game] for game in goal.games))

    def strategies(self, goal: Goal) -> dict[str, str]:
        """Return the names of the strategies that fit a goal."""
        known = {
            "optimal": "best play for the goal",
            "most-points": "each turn for the best mean score",
            "fewest-turns": "as if alone, for the fewest turns",
            "fewest-rolls": "as if alone, for the fewest rolls",
            "louchard": "the best threshold for the points still to go",
            "keep-pace": "end race or keep pace with the opponent",
            "stop-at-20": "stop with 20 points at risk, or at the target",
            "strict-stop-at-20": "stop with 20 points at risk, even if fewer reach the target",
            "roll-5-times": "roll five times, then stop",
        }
        if isinstance(goal, Simultaneous):
            return {"optimal": "the best mixture for the goal"}
        players = goal.players if isinstance(goal, Race) else 0
        unfit = {0: ("fewest-turns", "fewest-rolls", "louchard", "keep-pace"), 2: ()}.get(players, ("keep-pace",))
        return {name: about for name, about in known.items() if name not in unfit}

    def strategy(self, goal: Goal, name: str, seat: int = 0) -> "Strategy":
        """Return the strategy of a name."""
        from jeopardice.points.named_strategies import plain_strategy

        if isinstance(goal, Simultaneous):
            raise UnknownName(f"best play at the same time is a mixture: take the opponent optimal, got {name!r}")
        return plain_strategy(name, goal, seat)

    def play_of(self, strategy: "Strategy", match: PointsMatch, spot: PointsSpot) -> TurnPlay:
        """Return the strategy's play of the roll, then what it says about stopping."""
        plays = match.plays(spot)
        if len(plays) == 1:
            return plays[0]
        points, mode = spot.at_risk, spot.mode
        if spot.offer is not None and hasattr(strategy, "takes_over"):
            taken = strategy.takes_over(moment_of(match, spot), *spot.offer)
            return next(play for play in plays if play.takes_over == taken)
        aside: tuple[int, ...] = ()
        if spot.roll is not None:
            order = {mode: place for place, mode in enumerate((*lay_out(match.game(spot)).modes, None))}
            offered = checked_plays(match.game(spot), spot.mode, spot.roll)
            offered.sort(key=lambda play: (-play.points, order[play.mode]))  # as plans list them
            chosen = strategy.choose(moment_of(match, spot), offered)
            points, mode, aside = spot.at_risk + chosen.points, chosen.mode, chosen.kept
        alike = [play for play in plays if (play.points, play.aside) == (points, aside) and not play.takes_over]
        alike = [play for play in alike if play.stops or play.mode == mode]
        if len({play.stops for play in alike}) == 1:
            return alike[0]
        stops = strategy.stops(moment_of(match, spot, points, mode))
        return next(play for play in alike if play.stops == stops)

    def habits(self, goal: Goal) -> Sequence["Strategy"]:
        """Return what people do whatever the standings."""
        from jeopardice.points.named_strategies import usual_habits

        return () if isinstance(goal, Simultaneous) else usual_habits(goal)


def moment_of(match: PointsMatch, spot: PointsSpot, points: int | None = None, mode: Mode = None) -> "Moment":
    """Return the moment that a strategy sees: before the roll that is to be played, or after it with these points."""
    from jeopardice.points.strategy import Moment

    others = tuple(spot.standings[(spot.seat + j) % match.players] for j in range(1, match.players))
    theirs = others if len(others) > 1 else sum(others)
    mine = spot.standings[spot.seat]
    if points is None:
        return Moment(spot.at_risk, spot.mode, spot.rolls - (spot.roll is not None), mine, theirs, match.target)
    return Moment(points, mode, spot.rolls, mine, theirs, match.target)


FAMILY = PointsFamily()
