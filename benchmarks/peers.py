"""Ours beside other solvers, in one go on one machine: python benchmarks/peers.py [--quick] [--only WORDS] [--out DIR]

Every solver runs every case that it fits in a process of its own, with a limit of time. Reported are the seconds to write the
model out (build) and to solve it, the memory of the process beyond what it has after loading solver and model, and the error
against our certified value. Seconds are processor time, all threads together, so that other work on the machine counts little. A
peer that is not installed is skipped with a line, and so is a case after a smaller one of its kind that was not finished:

    pip install stormpy open_spiel cvxpy quantecon mdpsolver numba yatzy-solver

There are two kinds of peers. **General** solvers take any game: Storm, QuantEcon, mdpsolver, OpenSpiel, yatzy-solver for any
Yatzy. They get the game as a person would write it for them: all moments of all turns, because none of them knows that a turn
is acyclic. Those that need a discount get 1 - 1e-7 (mdpsolver 1 - 1e-4), which is most of their error. **Scripts** are a few
lines of NumPy or Numba that somebody would write for one game; their sweeps stop when nothing changes by more than 1e-12, which
proves nothing.
"ours" solves, "ours, proven" computes the certified bound of the error as well. With `--out DIR` the table is written as JSON
and the ratios as a picture.
"""

import argparse
import json
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache, partial
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


BARS = {"Pig for two to 100": 1000, "Pig alone to 1000": 100, "Can't Stop (3,2) alone": 50}

MOST_AT_RISK = 5000
"""In a turn of Ten Thousand that is written out, one stops with this many points at risk."""


BRIEF = 0.5
"""A solve that takes fewer seconds is repeated for that long, and its mean is reported."""


class Model:
    """A game alone as a Markov decision process: row r belongs to `state[r]`, costs `cost[r]` and leads to `rows[r]`.

    State 0 is the start, the last state the end, where nothing costs anything any more. The least cost is wanted, or the
    largest if `gains`: then costs are gains.
    """

    def __init__(self, start, ways, gains=False):
        self.number, self.state, self.cost, self.rows = {start: 0}, [], [], []
        self.sign = 1.0 if gains else -1.0
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

    def rewards(self):
        """Return what is to be maximised, by row."""
        return self.sign * np.array(self.cost)

    def first_rows(self):
        """Return the first row of every state."""
        return np.flatnonzero(np.diff(self.state, prepend=-1))

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

    @cache
    def fallen(spot):
        """Return the cost of a spot before the dice fall, and the chances of the spots after it."""
        rolls = match.rolls(spot)
        total = sum(rolls.values())
        after = [(match.after_roll(spot, roll), weight / total) for roll, weight in rolls.items()] or [(spot, 1.0)]
        return sum(chance * spot.turn for spot, chance in after), [(plain(spot), chance) for spot, chance in after]

    def ways(spot):
        return [fallen(match.after_play(spot, play)) for play in match.plays(spot)]

    return Model(plain(match.start()), ways)


def turn_model():
    """One turn of Ten Thousand for the most points: a state is (at risk, the plays that the roll allows)."""
    from jeopardice import TenThousand

    game = TenThousand()

    @cache
    def plays_of(mode):
        rolls = game.rolls(mode)
        total = sum(rolls.values())
        plays = [[(play.points, play.mode) for play in game.plays(mode, roll)] for roll in rolls]
        return [(tuple(of), weight / total) for of, weight in zip(plays, rolls.values(), strict=True)]

    def rolled(at_risk, mode):
        return [((at_risk, plays) if plays else "end", chance) for plays, chance in plays_of(mode)]

    def ways(name):
        if name == "start":
            yield 0.0, rolled(0, game.opening)
            return
        at_risk, plays = name
        for points, mode in plays:
            yield float(at_risk + points), [("end", 1.0)]
            if at_risk + points < MOST_AT_RISK:
                yield 0.0, rolled(at_risk + points, mode)

    return Model("start", ways, gains=True)


def write_model(case, path):
    """Write the explicit model of a case to a file, for all solvers that need it, and print the seconds it took."""
    kind, size = CASES[case]
    began = time.process_time()
    model = {"alone": lambda: pig_model(size), "board": lambda: board_model(*size), "turn": turn_model}[kind]()
    print(time.process_time() - began)
    Path(path).write_bytes(pickle.dumps(model))


def proven(kind, size, _):
    """Solve, and compute the certified bound of the error."""
    from jeopardice import solve

    def solve_and_prove(goal):
        solution = solve(goal)
        return solution.value if solution.error_bound >= 0 else None

    return partial(solve_and_prove, goal_of(kind, size))


def ours(kind, size, _):
    """Solve; the bound of the error is computed only where somebody asks for it."""
    from jeopardice import solve

    goal = goal_of(kind, size)
    return lambda: solve(goal).value


def goal_of(kind, size):
    """Return the goal of a case."""
    from jeopardice import CantStop, Pig, Race, TenThousand, Turn, Yahtzee

    return {"duel": lambda: Race(Pig(), size, players=2), "alone": lambda: Race(Pig(), size),
            "turn": lambda: Turn(TenThousand()), "board": lambda: Race(CantStop(*size)),
            "card": lambda: Race(Yahtzee())}[kind]()  # fmt: skip


def numpy_sweeps(kind, size, model):
    """Value iteration with NumPy until nothing changes by more than 1e-12."""
    if kind == "duel":
        from value_iteration import with_numpy

        return partial(with_numpy, size)
    matrix, rewards, first = model.matrix(), model.rewards(), model.first_rows()

    def sweep():
        values, change = np.zeros(len(first)), 1.0
        while change >= 1e-12:
            after = np.maximum.reduceat(rewards + matrix @ values, first)
            change = np.abs(after - values).max()
            values = after
        return model.sign * values[0]

    return sweep


def sweeps(first, rewards, starts, to, chances):
    """Return the value of state 0; plain loops for Numba, every new value used at once, the last states first."""
    values = np.zeros(len(first))
    while True:
        change = 0.0
        for state in range(len(first) - 1, -1, -1):
            best = -np.inf
            for row in range(first[state], first[state + 1] if state + 1 < len(first) else len(rewards)):
                value = rewards[row]
                for at in range(starts[row], starts[row + 1]):
                    value += chances[at] * values[to[at]]
                best = max(best, value)
            change = max(change, abs(best - values[state]))
            values[state] = best
        if change < 1e-12:
            return values[0]


def numba_sweeps(kind, size, model):
    """Sweeps as plain loops compiled by Numba; compiling counts as building."""
    if kind == "duel":
        from value_iteration import with_numba

        with_numba(5)
        return partial(with_numba, size)
    from numba import njit

    def arrays(model):
        matrix = model.matrix()
        return model.first_rows(), model.rewards(), matrix.indptr, matrix.indices, matrix.data

    compiled = njit(sweeps)
    compiled(*arrays(pig_model(5)))
    given = arrays(model)
    return lambda: model.sign * compiled(*given)


def storm(kind, size, model):
    """Storm with its sound methods, 1e-10 relative; the model goes through its file format DRN."""
    import stormpy

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
    wanted = stormpy.parse_properties(f'R{{"cost"}}{"max" if model.sign > 0 else "min"}=? [F "done"]')[0]
    environment = stormpy.environments.sound()
    settings = environment.solver().min_max
    (settings() if callable(settings) else settings).precision = stormpy.Rational("1/10000000000")
    return lambda: stormpy.model_checking(built, wanted, environment=environment).get_value(0)


def quantecon(kind, size, model):
    """QuantEcon's DiscreteDP, by policy iteration; it needs a discount."""
    from quantecon.markov import DiscreteDP

    actions, last = [], -1
    for state in model.state:
        actions.append(actions[-1] + 1 if state == last else 0)
        last = state
    problem = DiscreteDP(model.rewards(), model.matrix(), DISCOUNT, np.array(model.state), np.array(actions))
    return lambda: model.sign * problem.solve(method="policy_iteration").v[0]


def mdpsolver(kind, size, model):
    """Mdpsolver by modified policy iteration on one thread; nearer to 1 than this discount it takes minutes."""
    import mdpsolver

    states = [[] for _ in model.number]
    for state, cost, row in zip(model.state, model.cost, model.rows, strict=True):
        states[state].append((model.sign * cost, row))
    problem = mdpsolver.model()
    problem.mdp(
        discount=1 - 1e-4,
        rewards=[[reward for reward, _ in ways] for ways in states],
        tranMatProbs=[[list(row.values()) for _, row in ways] for ways in states],
        tranMatColumns=[[list(row) for _, row in ways] for ways in states],
    )

    def solve():
        problem.solve(algorithm="mpi", tolerance=1e-6, update="standard", parallel=False)
        return model.sign * problem.getValue(0)

    return solve


def openspiel(kind, size, model):
    """OpenSpiel's value iteration on OpenSpiel's own Pig."""
    import pyspiel
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game = pyspiel.load_game(f"pig(players=2,winscore={size},horizon=100000)")

    def solve():
        values = value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
        return (values[str(game.new_initial_state())] + 1) / 2

    return solve


def yatzy_solver(kind, size, model):
    """yatzy-solver with 64-bit values, the official rules."""
    import yatzy_solver

    rules = yatzy_solver.Variant("american+forced-joker")
    return lambda: yatzy_solver.Solver.build(rules).state_value("upper 0 | filled -")


ALONE = ("alone", "turn", "board")
ALL = ("duel", *ALONE, "card")
SOLVERS = {
    "ours": (ours, "jeopardice", ALL),
    "ours, proven": (proven, "jeopardice", ALL),
    "NumPy": (numpy_sweeps, "numpy", ("duel", *ALONE)),
    "Numba": (numba_sweeps, "numba", ("duel", *ALONE)),
    "Storm": (storm, "stormpy", ALONE),
    "QuantEcon": (quantecon, "quantecon.markov", ALONE),
    "mdpsolver": (mdpsolver, "mdpsolver", ALONE),
    "OpenSpiel": (openspiel, "open_spiel.python.algorithms.value_iteration", ("duel",)),
    "yatzy-solver": (yatzy_solver, "yatzy_solver", ("card",)),
}
SCRIPTS = ("NumPy", "Numba")
GENERAL = [name for name in SOLVERS if not name.startswith("ours") and name not in SCRIPTS]


def one(solver, case, path):
    """Run one solver on one case, with the model of this file if there is one, and print what it took."""
    import_module(SOLVERS[solver][1])
    model = pickle.loads(Path(path).read_bytes()) if Path(path).exists() else None
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    solve = SOLVERS[solver][0](*CASES[case], model)
    built = time.process_time()
    value, times = solve(), 1
    seconds = time.process_time() - built
    # again, if it is hardly longer than the tick of the clock; mdpsolver would begin with the answer of the first time
    if seconds < BRIEF and solver != "mdpsolver":
        again = time.process_time()
        while (spent := time.process_time() - again) < BRIEF:
            value, times = solve(), times + 1
        seconds = spent / (times - 1)
    used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    took = {"build": built - started, "solve": seconds, "value": float(value), "megabytes": used}
    print(json.dumps(took | {"states": len(model.number) if model else None}))


def run(limits, *words):
    """Return what this program prints in a process of its own, or the reason why it printed nothing."""
    seconds, gigabytes = limits

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (gigabytes << 30, gigabytes << 30))

    done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, preexec_fn=limit)
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return f"not finished after {seconds} s"
    if "MemoryError" in done.stderr or "bad_alloc" in done.stderr:
        return f"needs more than {gigabytes} GB"
    if done.returncode < 0:
        return f"crashed with signal {-done.returncode} (limit of memory: {gigabytes} GB)"
    if done.returncode:
        return f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:100]}"
    return json.loads(done.stdout.strip().splitlines()[-1])


def run_case(case, name, limits, work):
    """Return what a solver took for a case; its model is written first, unless another solver has needed it."""
    path = Path(work) / f"{case}.model"
    needs_model = CASES[case][0] in ALONE and not name.startswith("ours")
    if needs_model and not path.exists():
        seconds = run((10 * limits[0], limits[1]), "--write", case, str(path))
        if isinstance(seconds, str):
            return f"the model was {seconds}"
        path.with_suffix(".seconds").write_text(str(seconds))
    took = run(limits, "--one", name, case, str(path) if needs_model else "none")
    if needs_model and isinstance(took, dict):
        took["build"] += float(path.with_suffix(".seconds").read_text())
    return took


def is_installed(module):
    """Whether a module, and all that it needs, can be loaded."""
    found = subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True)
    return found.returncode == 0


def main():
    """Print the table; write and draw it if a directory is named."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--one", nargs=3, metavar=("SOLVER", "CASE", "MODEL"), help=argparse.SUPPRESS)
    options.add_argument("--write", nargs=2, metavar=("CASE", "MODEL"), help=argparse.SUPPRESS)
    options.add_argument("--quick", action="store_true", help="only the cases that every solver finishes in seconds")
    options.add_argument("--only", default="", metavar="WORDS", help="only the cases whose names contain these words")
    options.add_argument("--seconds", type=int, default=120, help="processor time that a solver may take for a case")
    options.add_argument("--gigabytes", type=int, default=4, help="memory that a solver may use for a case")
    options.add_argument("--out", type=Path, metavar="DIR", help="write peers.json and peers.svg there")
    chosen = options.parse_args()
    if chosen.one:
        return one(*chosen.one)
    if chosen.write:
        return write_model(*chosen.write)
    with tempfile.TemporaryDirectory() as work:
        compare(chosen, work)


def compare(chosen, work):
    """Run every solver on every case; files of models go to the directory `work`."""
    missing = [name for name, (_, module, _) in SOLVERS.items() if not is_installed(module)]
    for name in missing:
        print(f"{name} is not installed, skipped")
    slow = ("Pig for two to 100", "Pig for two to 200", "Pig alone to 1000", "Can't Stop (3,2) alone")
    table, ended = {}, set()
    print(f"{'case':24} {'solver':13} {'build s':>9} {'solve s':>10} {'MB':>7} {'error':>9} {'times ours':>11}")
    for case, (kind, _) in CASES.items():
        if chosen.only not in case or (chosen.quick and case in slow):
            continue
        table[case] = {}
        for name, (_, _, kinds) in SOLVERS.items():
            if kind not in kinds or name in missing:
                continue
            took = (
                "a smaller case was not finished"
                if (name, kind) in ended
                else run_case(case, name, (chosen.seconds, chosen.gigabytes), work)
            )
            table[case][name] = took
            if isinstance(took, str):
                ended.add((name, kind))
            print(line(case, name, took, table[case]["ours"]), flush=True)
            if name == "ours" and isinstance(took, str):
                break
    for words in (*growth(table), *bars(table, chosen.seconds)):
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
        f"{'' if name == 'ours' else format(ratio, ',.1f'):>11}"
    )


def growth(table):
    """Yield how the time to solve grows with the target or the states of a board, fitted as a power."""
    for kind, what, least in (
        ("duel", "Pig for two", 50),
        ("alone", "Pig alone", 100),
        ("board", "Can't Stop alone", 0),
    ):
        for name in SOLVERS:
            times = []
            for case, (of, size) in CASES.items():
                took = table.get(case, {})
                if of == kind and isinstance(took.get(name), dict) and (kind == "board" or size >= least):
                    states = next(
                        (other["states"] for other in took.values() if type(other) is dict and other["states"]), 0
                    )
                    times.append((states if kind == "board" else size, took[name]["solve"]))
            if len(times) > 1 and all(size for size, _ in times):
                power = np.polyfit(*np.log(np.array(times)).T, 1)[0]
                by = "number of moments" if kind == "board" else "target"
                yield f"{what}, {name}: the time grows with the {by} to the power {power:.1f}"


def bars(table, limit):
    """Yield the ratios that we aim at, to the best general solver and to the best script."""
    for case, bar in BARS.items():
        for kind, names in (("general solver", GENERAL), ("script", SCRIPTS)):
            took = {name: table[case][name] for name in names if case in table and name in table[case]}
            times = {name: of["solve"] for name, of in took.items() if isinstance(of, dict)}
            if not took or isinstance(table[case]["ours"], str):
                continue
            own = table[case]["ours"]["solve"]
            if times:
                best = min(times, key=times.__getitem__)
                yield f"{case}: the best {kind} is {best}, {times[best] / own:,.0f} times our time (aim {bar:,})"
            else:
                yield f"{case}: no {kind} finished within {limit} s, {limit / own:,.0f} times our time (aim {bar:,})"


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
