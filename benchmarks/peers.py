"""Ours beside what one would pick instead, in one go on one machine: python benchmarks/peers.py [--quick] [--out DIR]

Every solver runs every case that it fits in a process of its own, with a limit of time. Reported are the seconds to write the
model out (build) and to solve it, the memory of the process beyond what it has after loading the solver, and the error against
our certified value. Seconds are processor time, all threads together, so that other work on the machine does not count. A
peer that is not installed is skipped with a line:

    pip install stormpy open_spiel cvxpy quantecon mdpsolver numba yatzy-solver

Peers get the game as a person would write it for them: all moments of all turns, because none of them knows that a turn is
acyclic. Those that need a discount get 1 - 1e-7, which is most of their error. With `--out DIR` the table is written as JSON
and the ratios as a picture.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np

DISCOUNT = 1 - 1e-7

CASES = {
    "Pig for two to 20": ("duel", 20),
    "Pig for two to 50": ("duel", 50),
    "Pig for two to 100": ("duel", 100),
    "Pig for two to 200": ("duel", 200),
    "Pig alone to 100": ("alone", 100),
    "Pig alone to 1000": ("alone", 1000),
    "Ten Thousand, one turn": ("turn", 0),
    "Can't Stop (2,1) alone": ("board", (2, 1)),
    "Can't Stop (2,2) alone": ("board", (2, 2)),
    "Can't Stop (3,1) alone": ("board", (3, 1)),
    "Can't Stop (3,2) alone": ("board", (3, 2)),
    "Yahtzee": ("card", 0),
}


class Model:
    """A game alone as a Markov decision process: row r belongs to `state[r]`, costs `cost[r]` and leads to `rows[r]`.

    State 0 is the start, the last state the end, where nothing costs anything any more.
    """

    def __init__(self, start, ways):
        self.number, self.state, self.cost, self.rows = {start: 0}, [], [], []
        order = [start]
        for name in order:
            for cost, chances in ways(name):
                self.state.append(self.number[name])
                self.cost.append(cost)
                leads = {}
                for after, chance in chances:
                    if after not in self.number and after != "end":
                        self.number[after] = len(self.number)
                        order.append(after)
                    leads[after] = leads.get(after, 0.0) + chance
                self.rows.append(leads)
        self.number["end"] = len(self.number)
        self.rows = [{self.number[after]: chance for after, chance in row.items()} for row in self.rows]
        self.state.append(self.number["end"])
        self.cost.append(0.0)
        self.rows.append({self.number["end"]: 1.0})

    def matrix(self):
        """Return the chances as a sparse matrix."""
        from scipy import sparse

        lengths = np.cumsum([0, *(len(row) for row in self.rows)])
        columns = np.array([to for row in self.rows for to in row])
        chances = np.array([chance for row in self.rows for chance in row.values()])
        return sparse.csr_matrix((chances, columns, lengths), shape=(len(self.rows), len(self.number)))


def pig_model(target):
    """Pig alone for the fewest turns: a state is (score, at risk)."""

    def ways(name):
        score, at_risk = name
        if at_risk == 0 or score + at_risk < target:
            after = [
                ((score, at_risk + face) if score + at_risk + face < target else "end", 1 / 6) for face in range(2, 7)
            ]
            yield float(at_risk == 0), [((score, 0), 1 / 6), *after]
        if at_risk:
            yield 0.0, [((score + at_risk, 0), 1.0)]

    return Model((0, 0), ways)


def board_model(sides, shortest):
    """Can't Stop alone for the fewest turns: a state is a spot where the player chooses."""
    from dataclasses import replace

    from jeopardice import CantStop, Race
    from jeopardice.family import family_of

    goal = Race(CantStop(sides, shortest))
    match = family_of(goal.game).match(goal)

    def plain(spot):
        return "end" if match.is_over(spot) else replace(spot, turn=0, rolls=0, rolls_made=0)

    def ways(spot):
        for play in match.plays(spot):
            after = match.after_play(spot, play)
            rolls = match.rolls(after)
            total = sum(rolls.values())
            fallen = [(match.after_roll(after, roll), weight / total) for roll, weight in rolls.items()] or [
                (after, 1.0)
            ]
            yield sum(chance * spot.turn for spot, chance in fallen), [(plain(spot), chance) for spot, chance in fallen]

    return Model(plain(match.start()), ways)


def model_of(kind, size):
    """Return the explicit model of a case alone."""
    return pig_model(size) if kind == "alone" else board_model(*size)


def ours(kind, size):
    """Solve and certify."""
    from jeopardice import CantStop, Pig, Race, TenThousand, Turn, Yahtzee, solve

    goal = {"duel": lambda: Race(Pig(), size, players=2), "alone": lambda: Race(Pig(), size),
            "turn": lambda: Turn(TenThousand()), "board": lambda: Race(CantStop(*size)),
            "card": lambda: Race(Yahtzee())}[kind]()  # fmt: skip
    value = solve(goal).value  # loads the kernels
    yield
    began, times = time.process_time(), 0
    while time.process_time() - began < 0.2:  # a solve may be shorter than the clock's tick
        value, times = solve(goal).value, times + 1
    yield value, times


def numpy_sweeps(kind, size):
    """Value iteration with NumPy until nothing changes by more than 1e-12."""
    if kind == "duel":
        from jeopardice.analysis.value_iteration import with_numpy

        yield
        yield with_numpy(size)
        return
    model = model_of(kind, size)
    matrix, cost = model.matrix(), np.array(model.cost)
    first = np.flatnonzero(np.diff(model.state, prepend=-1))
    yield
    values = np.zeros(len(first))
    while True:
        after = np.minimum.reduceat(cost + matrix @ values, first)
        change = np.abs(after - values).max()
        values = after
        if change < 1e-12:
            yield values[0]
            return


def numba_sweeps(kind, size):
    """The same sweeps as plain loops compiled by Numba; compiling counts as building."""
    from jeopardice.analysis.value_iteration import with_numba

    with_numba(5)
    yield
    yield with_numba(size)


def storm(kind, size):
    """Storm with its sound methods, 1e-10 relative; the model goes through its file format DRN."""
    import stormpy

    model = model_of(kind, size)
    lines = ["@type: MDP", "@parameters", "", "@reward_models", "cost", "@nr_states", str(len(model.number)),
             "@nr_choices", str(len(model.rows)), "@model"]  # fmt: skip
    last, end = -1, len(model.number) - 1
    for state, cost, row in zip(model.state, model.cost, model.rows, strict=True):
        if state != last:
            lines.append(f"state {state}{' init' if state == 0 else ''}{' done' if state == end else ''}")
            action, last = 0, state
        lines.append(f"\taction {action} [{cost!r}]")
        action += 1
        lines += [f"\t\t{to} : {chance!r}" for to, chance in sorted(row.items())]
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "model.drn"
        path.write_text("\n".join(lines) + "\n")
        built = stormpy.build_model_from_drn(str(path))
    wanted = stormpy.parse_properties('R{"cost"}min=? [F "done"]')[0]
    environment = stormpy.environments.sound()
    settings = environment.solver().min_max
    (settings() if callable(settings) else settings).precision = stormpy.Rational("1/10000000000")
    yield
    yield stormpy.model_checking(built, wanted, environment=environment).get_value(0)


def quantecon(kind, size):
    """QuantEcon's DiscreteDP, by policy iteration; it needs a discount."""
    from quantecon.markov import DiscreteDP

    model = model_of(kind, size)
    actions, last = [], -1
    for state in model.state:
        actions.append(actions[-1] + 1 if state == last else 0)
        last = state
    problem = DiscreteDP(-np.array(model.cost), model.matrix(), DISCOUNT, np.array(model.state), np.array(actions))
    yield
    yield -problem.solve(method="policy_iteration").v[0]


def mdpsolver(kind, size):
    """Mdpsolver by modified policy iteration; it needs a discount."""
    import mdpsolver

    model = model_of(kind, size)
    states = [[] for _ in model.number]
    for state, cost, row in zip(model.state, model.cost, model.rows, strict=True):
        states[state].append((cost, row))
    problem = mdpsolver.model()
    problem.mdp(
        discount=DISCOUNT,
        rewards=[[-cost for cost, _ in ways] for ways in states],
        tranMatProbs=[[list(row.values()) for _, row in ways] for ways in states],
        tranMatColumns=[[list(row) for _, row in ways] for ways in states],
    )
    yield
    problem.solve(algorithm="mpi", tolerance=1e-9, update="standard")
    yield -problem.getValue(0)


def openspiel(kind, size):
    """OpenSpiel's value iteration on OpenSpiel's own Pig."""
    import pyspiel
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game = pyspiel.load_game(f"pig(players=2,winscore={size},horizon=100000)")
    yield
    values = value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
    yield (values[str(game.new_initial_state())] + 1) / 2


def yatzy_solver(kind, size):
    """yatzy-solver with 64-bit values, the official rules."""
    import yatzy_solver

    rules = yatzy_solver.Variant("american+forced-joker")
    yield
    yield yatzy_solver.Solver.build(rules).state_value("upper 0 | filled -")


ALONE = ("alone", "board")
SOLVERS = {
    "ours": (ours, "jeopardice", ("duel", "alone", "turn", "board", "card")),
    "NumPy": (numpy_sweeps, "numpy", ("duel", *ALONE)),
    "Numba": (numba_sweeps, "numba", ("duel",)),
    "Storm": (storm, "stormpy", ALONE),
    "QuantEcon": (quantecon, "quantecon.markov", ALONE),
    "mdpsolver": (mdpsolver, "mdpsolver", ALONE),
    "OpenSpiel": (openspiel, "open_spiel.python.algorithms.value_iteration", ("duel",)),
    "yatzy-solver": (yatzy_solver, "yatzy_solver", ("card",)),
}


def one(solver, case):
    """Run one solver on one case and print what it took."""
    import_module(SOLVERS[solver][1])
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    steps = SOLVERS[solver][0](*CASES[case])
    next(steps)
    built = time.process_time()
    solved = next(steps)
    value, times = solved if isinstance(solved, tuple) else (solved, 1)
    seconds = (time.process_time() - built) / times
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"build": built - started, "solve": seconds, "value": float(value), "megabytes": used / 1024}))


def run(solver, case, limit):
    """Return what a solver took in a process of its own, or why there is nothing to tell."""
    command = [sys.executable, __file__, "--one", solver, case]
    stop = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=stop)
    if done.returncode < 0:
        return f"not finished after {limit} s"
    if done.returncode:
        return f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:100]}"
    return json.loads(done.stdout.strip().splitlines()[-1])


def is_installed(module):
    """Whether a module, and all that it needs, can be loaded."""
    found = subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True)
    return found.returncode == 0


def main():
    """Print the table; write and draw it if a directory is named."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--one", nargs=2, metavar=("SOLVER", "CASE"), help=argparse.SUPPRESS)
    options.add_argument("--quick", action="store_true", help="only the cases that every solver finishes in seconds")
    options.add_argument("--seconds", type=int, default=120, help="processor time that a solver may take for a case")
    options.add_argument("--out", type=Path, metavar="DIR", help="write peers.json and peers.svg there")
    chosen = options.parse_args()
    if chosen.one:
        one(*chosen.one)
        return
    missing = [name for name, (_, module, _) in SOLVERS.items() if not is_installed(module)]
    for name in missing:
        print(f"{name} is not installed, skipped")
    slow = ("Pig for two to 100", "Pig for two to 200", "Pig alone to 1000", "Can't Stop (3,2) alone")
    table = {}
    print(f"{'case':24} {'solver':13} {'build s':>9} {'solve s':>10} {'MB':>7} {'error':>9} {'times ours':>11}")
    for case, (kind, _) in CASES.items():
        if chosen.quick and case in slow:
            continue
        table[case] = {}
        for name, (_, _, kinds) in SOLVERS.items():
            if kind not in kinds or name in missing:
                continue
            took = table[case][name] = run(name, case, chosen.seconds)
            print(line(case, name, took, table[case]["ours"]), flush=True)
    for words in growth(table):
        print(words)
    if chosen.out is not None:
        chosen.out.mkdir(parents=True, exist_ok=True)
        (chosen.out / "peers.json").write_text(json.dumps(table, indent=1) + "\n", "utf-8")
        draw(table, chosen.out / "peers.svg")


def line(case, name, took, own):
    """Return a line of the table."""
    if isinstance(took, str):
        return f"{case:24} {name:13} {took}"
    error, ratio = abs(took["value"] - own["value"]), took["solve"] / own["solve"]
    return (
        f"{case:24} {name:13} {took['build']:9.3f} {took['solve']:10.5f} {took['megabytes']:7.0f} {error:9.1e} "
        f"{'' if name == 'ours' else format(ratio, ',.0f'):>11}"
    )


def growth(table):
    """Yield how the time to solve Pig for two grows with the target, fitted as a power."""
    for name in ("ours", "NumPy", "Numba"):
        times = [(size, table[case][name]["solve"]) for case, (kind, size) in CASES.items() if kind == "duel"
                 and case in table and isinstance(table[case].get(name), dict) and size >= 50]  # fmt: skip
        if len(times) > 1:
            power = np.polyfit(*np.log(np.array(times)).T, 1)[0]
            yield f"Pig for two, {name}: the time grows with the target to the power {power:.1f}"


def draw(table, path):
    """Draw how many times longer than ours each peer takes to solve; building its model comes on top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for name in list(SOLVERS)[1:]:
        ratios = {
            case: took[name]["solve"] / took["ours"]["solve"]
            for case, took in table.items()
            if isinstance(took.get(name), dict) and isinstance(took["ours"], dict)
        }
        axes.plot(list(ratios.values()), list(ratios), marker="o", linestyle="", label=name)
    axes.set_xscale("log")
    axes.axvline(1, color="grey")
    axes.invert_yaxis()
    axes.set_xlabel("processor time of solving, as a multiple of ours")
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main()
