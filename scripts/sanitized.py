"""The kernels of JEOPARDICE_KERNELS in place of the installed ones, for scripts/sanitize: a pytest plugin, or a program.

As a plugin it notes which kernels are called and fails if any is not. As a program it runs every pass that uses several
threads.
"""

import importlib.util
import os
import sys
from typing import Any

called: set[str] = set()


class Noted:
    """A function or class of the kernels that notes its use."""

    def __init__(self, name: str, wrapped: Any) -> None:
        self._name, self._wrapped = name, wrapped

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call it."""
        called.add(self._name)
        return self._wrapped(*given, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute; a value of an enumeration counts as a use."""
        called.add(self._name)
        return getattr(self._wrapped, name)


def load_kernels() -> Any:
    """Load the kernels that were asked for, before the package loads its own."""
    spec = importlib.util.spec_from_file_location("jeopardice.kernels._kernels", os.environ["JEOPARDICE_KERNELS"])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def names_of(module: Any) -> list[str]:
    """Return the functions and classes of the kernels."""
    return [name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))]


def run_threads() -> None:
    """Run every pass that shares work among threads, with more threads than cores."""
    from jeopardice import CantStop, Farkle, Pig, Race, Yahtzee, solve
    from jeopardice.analysis.head_to_head import compare
    from jeopardice.columns.alone import certify_cant_stop, solve_cant_stop
    from jeopardice.columns.bracket_solution import solve_bracket
    from jeopardice.columns.duel import duel_bounds, solve_board_duel
    from jeopardice.columns.simulate import simulate_boards
    from jeopardice.columns.strategy import roll_times
    from jeopardice.family import family_of
    from jeopardice.points.simulate import simulate

    threads = 4
    goal = Race(Pig(), 60, players=2)
    for race in (goal, Race(Farkle(), 3000, players=2), Race(Pig(), 30, players=2, opponent=Pig(sides=8))):
        print(race, solve(race, threads=threads).certify(threads=threads), flush=True)
    names = ("stop-at-20", "roll-3-times", "keep-pace", "optimal")
    strategies = [family_of(goal.game).strategy(goal, name) for name in names]
    print(compare(goal, strategies, threads=threads).first, flush=True)
    print(simulate(goal, *strategies[:2], games=20_000, threads=threads).turns.sum(), flush=True)
    print(solve(Race(Pig(), 20, players=2, busts=2, penalty=5), threads=threads).value, flush=True)
    print(solve_bracket(Race(CantStop(3, 2)), 2, threads=threads).certify().error_bound, flush=True)
    board = solve_cant_stop(CantStop(3, 3), threads=threads)
    print(board.start, certify_cant_stop(board, threads=threads), flush=True)
    duel = solve_board_duel(CantStop(2, 2), threads=threads)
    print(duel_bounds(duel, threads=threads).max(), flush=True)
    game = CantStop(3, 2)
    print(simulate_boards(Race(game), roll_times(game, 3), games=20_000, threads=threads).mean_turns, flush=True)
    print(solve(Race(Yahtzee(boxes=("ones", "sixes", "yahtzee", "chance"))), threads=threads).value, flush=True)


if __name__ == "__main__":
    load_kernels()
    run_threads()
else:
    _module = load_kernels()
    _names = names_of(_module)
    for _name in _names:
        setattr(_module, _name, Noted(_name, getattr(_module, _name)))

    def pytest_sessionfinish(session: Any, exitstatus: int) -> None:
        """Fail if a kernel was never called."""
        missing = sorted(set(_names) - called)
        if missing and not exitstatus:
            print(f"\nnever called: {', '.join(missing)}")
            session.exitstatus = 1
