"""Can't Stop alone: time per board, how flat it is along a run, and what the estimate foretells.

    python benchmarks/cant_stop.py [--boards 4,3 5,1] [--threads 2] [--certify]

Each line is one board, solved once. "quarters" are microseconds per board and thread in the four quarters of the run; a
board and its mirror image are solved once.
"""

import argparse
import resource
import time

from jeopardice.columns import alone as cant_stop
from jeopardice.columns.alone import certify_cant_stop, error_bound, estimate, solve_cant_stop
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import thread_count


def timed(game, threads):
    """Return the solved values, the seconds, and (boards done, seconds) now and then."""
    seen = []
    started = time.perf_counter()
    values = solve_cant_stop(
        game, threads=threads, progress=lambda done, total: seen.append((done, time.perf_counter() - started))
    )
    return values, time.perf_counter() - started, seen


def quarters(seen, threads):
    """Return microseconds per board and thread in each quarter of the boards."""
    total, found, last = seen[-1][0], [], (0, 0.0)
    for quarter in range(1, 5):
        here = next((point for point in seen if point[0] >= total * quarter / 4), seen[-1])
        found.append(1e6 * threads * (here[1] - last[1]) / max(1, here[0] - last[0]))
        last = here
    return found


def main():
    """Print a line for each board."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--boards", nargs="+", default=["3,2", "4,1", "4,2", "4,3", "5,1"], metavar="N,K")
    options.add_argument("--threads", type=int, default=thread_count(None))
    options.add_argument("--certify", action="store_true", help="also compute the certified bound")
    chosen = options.parse_args()
    cant_stop.POLL_SECONDS = 0.005
    for text in chosen.boards:
        game = CantStop(*map(int, text.split(",")))
        estimated = estimate(game, threads=chosen.threads).seconds
        values, seconds, seen = timed(game, chosen.threads)
        each = " ".join(f"{spent:.1f}" for spent in quarters(seen, chosen.threads))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(
            f"({text})  {values.start:.10f}  {seconds:8.3f} s, estimated {estimated:.3f} s   quarters {each} us   "
            f"memory of the process {most:,.0f} MB",
            flush=True,
        )
        if chosen.certify:
            started = time.perf_counter()
            bound = error_bound(values, certify_cant_stop(values, threads=chosen.threads))
            print(f"        certified within {bound:.1e} in {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    main()
