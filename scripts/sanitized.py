"""Every pass of the kernels on small cases, with the kernels of JEOPARDICE_KERNELS: what scripts/sanitize runs.

    python -m sanitized address|thread

Each case is a public question whose tables are small but odd: loaded dice, dead modes, unequal seats, minimums, penalties,
last rounds, an exact finish, one unit to go. Every function and every method of the kernels is noted when it is called; one
that no case calls is an error, so a new kernel needs a case here. `thread` runs the passes that share work among threads,
with more threads than cores.
"""

import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

called: set[str] = set()
THREADS = 4


def load_kernels(library: str) -> set[str]:
    """Load kernels before the package loads its own, each noting its calls; return all that can be called."""
    spec = importlib.util.spec_from_file_location("jeopardice.kernels._kernels", library)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    names: set[str] = set()
    for name, bound in list(vars(module).items()):
        if name.startswith("_") or not callable(bound):
            continue
        if isinstance(bound, type):
            names |= note_methods(name, bound)
        else:
            names.add(name)
            setattr(module, name, noted(name, bound))
    return names


def note_methods(name: str, kind: type) -> set[str]:
    """Let the methods and properties of a class note their calls; return their names."""
    names = set()
    for part, bound in list(vars(kind).items()):
        if part.startswith("_") or (not callable(bound) and not isinstance(bound, property)):
            continue
        whole = f"{name}.{part}"
        names.add(whole)
        setattr(
            kind, part, property(noted(whole, bound.__get__)) if isinstance(bound, property) else noted(whole, bound)
        )
    return names


def noted(name: str, bound: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that notes its call first."""

    def call(*given: Any, **named: Any) -> Any:
        called.add(name)
        return bound(*given, **named)

    return call


# --- points games


def turns() -> None:
    """Single turns, their enclosures and their simulation."""
    from jeopardice import Farkle, Hog, Pig, Rate, TenThousand, Turn, solve
    from jeopardice.dice import Dice
    from jeopardice.points.simulate import simulate
    from jeopardice.points.strategy import StopAt

    loaded = Dice.read("5x fair, odd=4,1,4,1,4,1")
    for game in (
        Pig(),
        Pig(sides=2, bust=(2,)),
        TenThousand(),
        Farkle(),
        Farkle(hot_dice="must"),
        Farkle(dice=loaded),
        Hog(3),
    ):
        for goal in (Turn(game), Turn(game, bank_from=300)):
            solve(goal).certify()
    for rate in (Rate(Pig(), bank_from=10, busts=2, penalty=30), Rate(Farkle(), bank_from=300, busts=3, penalty=500)):
        solve(rate).certify()
    simulate(Turn(TenThousand()), StopAt(300), games=5000, threads=THREADS)


def alone() -> None:
    """Races alone: turns, rolls, within, exact finishes, minimums, free rolls."""
    from jeopardice import Farkle, Hog, Pig, Race, TenThousand, solve

    races = [Race(Pig(), target) for target in (1, 2, 50)] + [Race(Pig(), 30, **more) for more in (
        {"cost": "rolls"}, {"finish": "exact"}, {"within": 5}, {"within": 4, "finish": "exact"}, {"bank_from": 12},
    )]  # fmt: skip
    races += [
        Race(Hog(3), 25),
        Race(TenThousand(), 2000),
        Race(Farkle(), 2000, open_from=500),
        Race(Farkle(hot_dice="must"), 1500),
    ]
    races += [Race(Pig(), 20, busts=2, penalty=5), Race(Pig(sides=10, bust=(1, 2, 3)), 25, busts=2, penalty="all")]
    for race in races:
        solution = solve(race).certify()
        solution.advise(mine=0)
        solution.strategy()


def duels() -> None:
    """Races for two: equal and unequal seats, minimums, endings, penalties, best answers."""
    from jeopardice import Farkle, Hog, Pig, Race, TenThousand, solve

    for more in (
        {}, {"opponent": Pig(sides=8)}, {"finish": "exact"}, {"payoff": "margin"}, {"bank_from": 9, "open_from": 15},
        {"last_round": True}, {"last_round": True, "ties": "share", "finish": "exact"}, {"last_round": True, "ties": "last"},
        {"busts": 2, "penalty": 5}, {"busts": 3, "penalty": "all"}, {"busts": 2, "penalty": 3, "floor": -6},
        {"busts": 2, "penalty": 3, "opponent": Pig(sides=8)},
    ):  # fmt: skip
        solution = solve(Race(Pig(), 24, players=2, **more), threads=THREADS).certify(threads=THREADS)
        solution.advise(mine=0, theirs=0)
    for race in (Race(Hog(3), 20, players=2), Race(TenThousand(), 1500, players=2), Race(Pig(), 1, players=2)):
        solve(race, threads=THREADS).certify(threads=THREADS)
    for more in ({}, {"hot_dice": "must"}):
        solve(Race(Farkle(**more), 1500, players=2, bank_from=300), threads=THREADS).certify(threads=THREADS)


def strategies() -> None:
    """Plans of strategies against each other, best answers, laws of counts and simulated races."""
    from jeopardice import Farkle, Pig, Race, TenThousand, solve
    from jeopardice.analysis.distance import exploitability
    from jeopardice.analysis.head_to_head import best_response, compare, head_to_head
    from jeopardice.points.named_strategies import named_strategy
    from jeopardice.points.simulate import simulate

    names = ("stop-at-20", "strict-stop-at-9", "roll-3-times", "keep-pace", "optimal", "fewest-turns", "louchard")
    for goal in (Race(Pig(), 24, players=2), Race(Pig(), 20, players=2, opponent=Pig(sides=8), finish="exact")):
        compare(
            goal,
            [named_strategy(name, goal) for name in names],
            seconds=[named_strategy(name, goal, 1) for name in names],
        )
        own = [named_strategy(name, goal, seat) for seat, name in enumerate(("keep-pace", "roll-3-times"))]
        laws = head_to_head(goal, *own).laws
        laws.turns(), laws.busts(), laws.loser_scores()
        simulate(goal, *own, games=3000, threads=THREADS)
    goal = Race(TenThousand(), 1500, players=2)
    exploitability(goal, named_strategy("most-points", goal))
    best_response(Race(Farkle(), 1500, players=2), named_strategy("stop-at-20", goal))
    solve(Race(Pig(), 24)).strategy()


def several() -> None:
    """Three and more seats, with mixed play, last rounds and games of their own."""
    from jeopardice import Hog, Pig, Race, TenThousand, solve

    for race in (
        Race(Pig(), 12, players=3), Race(Pig(sides=2), 3, players=5), Race(Hog(2), 9, players=3),
        Race(Pig(), 8, players=3, opponents=(Pig(sides=8), Hog(2))), Race(Pig(), 7, players=4, finish="exact"),
        Race(Pig(), 12, players=3, last_round=True, ties="share"), Race(TenThousand(), 700, players=3, bank_from=100),
    ):  # fmt: skip
        solution = solve(race, threads=THREADS).certify(threads=THREADS)
        solution.advise(mine=0, theirs=(0,) * (race.players - 1))
        if not race.last_round:
            solution.others(threads=THREADS)
    for more in ({"busts": 2, "penalty": 3}, {"busts": 2, "penalty": "all"}):
        solve(Race(Pig(), 9, players=3, **more), threads=THREADS).certify(threads=THREADS)


def piggyback() -> None:
    """Races in which the next player may take the turn over."""
    from jeopardice import Pig, Race, TenThousand, solve

    for race in (
        Race(Pig(), 15, players=2, piggyback=True),
        Race(TenThousand(), 1000, players=2, piggyback=True, bank_from=100),
    ):
        solution = solve(race, threads=THREADS).certify(threads=THREADS)
        solution.advise(mine=0, theirs=0)


# --- boards and cards


def boards() -> None:
    """Can't Stop alone, its certificate, checkpoint, replay and both kinds of vectors."""
    from jeopardice import CantStop, Race, solve
    from jeopardice.columns.alone import certify_cant_stop, solve_cant_stop
    from jeopardice.columns.classes import kernel_board
    from jeopardice.kernels import kernels
    from jeopardice.papers.cant_stop_newton import counted, solved, turn_worth

    for game in (CantStop(2, 1), CantStop(3, 2), CantStop(3, 3, columns_to_win=2), CantStop(4, 1)):
        with tempfile.TemporaryDirectory() as place:
            board = solve_cant_stop(game, threads=THREADS, checkpoint=place)
            certify_cant_stop(board, threads=THREADS, checkpoint=place)
        solve_cant_stop(game, threads=1, dtype="float32")
        plain = np.zeros_like(board.table)
        cells = kernel_board(game)
        worker = kernels.CantStopWorker(cells, plain, plain=True)
        worker.work(list(range(cells.rows)))
        assert worker.boards and worker.groups and worker.evaluations and worker.seconds >= 0 and cells.places
        cells.cell(list(game.lengths))
        assert np.array_equal(plain, board.table)
    solution = solve(Race(CantStop(3, 2)))
    solution.advise(mine={3: 1}, markers={4: 1})
    counted(2, 2)
    turn_worth(solved(2, 2), CantStop(2, 2).lengths, 1.0)
    ready = kernels.CantStopReadyRows(cells)
    ready.put_back(ready.take(1))  # as for a worker that is lost


def bounds() -> None:
    """Brackets of Can't Stop: cells, their check, their replay."""
    from jeopardice import CantStop, Race
    from jeopardice.columns.bracket import looseness_of
    from jeopardice.columns.bracket_solution import solve_bracket
    from jeopardice.kernels import kernels

    for started in (1, 2):
        solution = solve_bracket(Race(CantStop(3, 2)), started, threads=THREADS).certify()
        solution.advise(mine={3: 1}, markers={4: 1})
        looseness_of(solution.bracket, THREADS)
    layout = solution.bracket.grid.layout
    lengths = np.array([CantStop(3, 2).lengths], np.int32)
    layout.find_cells(lengths, np.zeros(1, np.int64))
    assert len(layout.order) and layout.cells
    habit = kernels.BoardLookAhead(ratio=0.5, tempo=0.5, least=0.1)
    habit.count_turns(layout, solution.bracket.upper_table.astype(np.float64))
    table = solution.bracket.upper_table.copy()
    for first, last in pairwise(layout.generations):  # blocks of one generation do not need each other
        tally = kernels.work_cells(
            layout, table, True, 1e-13, first, last, False, THREADS, plain=True, done=np.zeros(1, np.int64),
            cancelled=np.zeros(1, np.int32),
        )  # fmt: skip
        assert tally.cells and tally.groups and tally.evaluations


def board_games() -> None:
    """Can't Stop for two, and simulated games under every kind of strategy."""
    from jeopardice import CantStop, Race, solve
    from jeopardice.columns.simulate import simulate_boards
    from jeopardice.columns.strategy import board_strategy

    duel = Race(CantStop(2, 2), players=2)
    solve(duel, threads=THREADS).certify(threads=THREADS)
    for game, players in ((CantStop(3, 2), 1), (CantStop(), 2)):
        race = Race(game, players=players)
        for name in ("roll-3-times", "rule-of-28", "glenn-aloi", "look-ahead")[: 2 * players]:
            own = board_strategy(name, race, lambda race=race: solve(race))
            simulate_boards(race, *[own] * players, games=200, threads=THREADS)


def cards() -> None:
    """Yahtzee with few boxes."""
    from jeopardice import Race, Yahtzee, solve

    for boxes in (("chance",), ("ones", "sixes", "yahtzee", "chance")):
        for joker in ("forced", "free", "none"):
            solve(Race(Yahtzee(boxes=boxes, joker=joker)), threads=THREADS).certify()


def broken_off() -> None:
    """Passes that are told to stop while they run."""
    from jeopardice import CantStop, Pig, Race, solve

    def stop(done: int, total: int) -> None:
        raise InterruptedError

    for race in (
        Race(Pig(), 400, players=2), Race(Pig(), 40, players=3), Race(CantStop(4, 2)), Race(CantStop(3, 2), players=2),
        Race(Pig(), 200, players=2, busts=2, penalty=5), Race(Pig(), 120, players=2, piggyback=True),
    ):  # fmt: skip
        try:
            solve(race, threads=THREADS, progress=stop)
        except InterruptedError:
            continue
        print(f"  {race} was done before it could be stopped")


THREADED = (duels, strategies, several, piggyback, boards, bounds, board_games, cards, broken_off)
CASES = (turns, alone, *THREADED)


def main() -> None:
    """Run the cases, and exit with 1 if a kernel was never called."""
    names = load_kernels(os.environ["JEOPARDICE_KERNELS"])
    print(f"  kernels: {sys.modules['jeopardice.kernels._kernels'].built_with()}")
    is_all = sys.argv[1:] != ["thread"]
    for case in CASES if is_all else THREADED:
        begun = time.process_time()
        case()
        print(f"  {case.__name__}: {time.process_time() - begun:.1f} s", flush=True)
    if is_all and (missing := sorted(names - called)):
        sys.exit(f"never called: {', '.join(missing)}")
    if is_all:
        print(f"  every one of {len(names)} functions and methods was called")


if __name__ == "__main__":
    main()
