"""How fast is advice over HTTP, also while a solve runs?

    python benchmarks/web_advise.py [--seconds 5] [--rate 500]

Starts a server of its own, asks for advice at random positions of a solved Pig and Ten Thousand race over kept-alive
connections, first as fast as it answers, then at a fixed rate while a large race is being solved, and prints the rate
and the times from when each request was due (so waiting in line counts).
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
RUN = """
import sys
from pathlib import Path
from jeopardice.web.serve import serve
ready = lambda link: print(link, flush=True)
serve("127.0.0.1", int(sys.argv[1]), token=None, names=(), browser=False, ready=ready, records=Path(sys.argv[2]))
"""
GAMES = {"pig": (100, 1), "ten-thousand": (10_000, 50)}


def post(port: int, path: str, body: dict[str, object]) -> Any:
    """Return the answer to a POST."""
    request = urllib.request.Request(
        f"http://{HOST}:{port}/api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def question(game: str, dice: random.Random, why: bool) -> bytes:
    """Return a request for advice at a random position."""
    target, unit = GAMES[game]
    mine, theirs = dice.randrange(0, target - 20 * unit, unit), dice.randrange(0, target, unit)
    at_risk = dice.randrange(unit, 19 * unit, unit)
    query = f"game={game}&mine={mine}&theirs={theirs}&at_risk={at_risk}{'&why=true' if why else ''}"
    return f"GET /api/v1/advise?{query} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> None:
    """Send a request and read the whole answer."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    await reader.readexactly(int(length.split(b":")[1]))


async def load(
    port: int, game: str, seconds: float, rate: float | None, why: bool, connections: int = 8
) -> list[float]:
    """Return the seconds each answer took, from when it was due."""
    dice, taken, begun = random.Random(1), [], time.perf_counter()
    count = iter(range(10**9))

    async def work() -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        while True:
            due = begun + next(count) / rate if rate else time.perf_counter()
            if due > begun + seconds:
                break
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await ask(reader, writer, question(game, dice, why))
            taken.append(time.perf_counter() - due)
        writer.close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return taken


def cpu_seconds(pid: int) -> float:
    """Return the processor time a process has used (Linux), which other programs do not disturb."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / 100


def show(name: str, taken: list[float], seconds: float) -> None:
    """Print the rate and the spread of times."""
    taken.sort()
    p50, p99, worst = (1000 * taken[int(share * (len(taken) - 1))] for share in (0.5, 0.99, 1.0))
    print(f"{name:<52} {len(taken) / seconds:6.0f}/s   p50 {p50:6.2f}   p99 {p99:6.2f}   worst {worst:6.1f} ms")


def measure(port: int, seconds: float, rate: float, pid: int) -> None:
    """Ask for advice in every way."""
    for game in GAMES:
        while post(port, "solve", {"game": game})["solution"] is None:
            time.sleep(0.2)
        for why in (False, True):
            name = f"{game}{' with why' if why else ''}"
            used = cpu_seconds(pid)
            taken = asyncio.run(load(port, game, seconds, None, why))
            show(f"{name}, as fast as it answers", taken, seconds)
            print(
                f"    (the server used {1000 * (cpu_seconds(pid) - used) / len(taken):.2f} ms of processor time for each)"
            )
            job = post(port, "solve", {"game": "pig", "target": 2500 + random.randrange(400)})["job"]
            show(f"{name}, while a solve runs", asyncio.run(load(port, game, seconds, rate, why)), seconds)
            state = post(port, f"jobs/{job['id']}/cancel", {})
            print(f"    (the solve was at {state['done']} of {state['total']} pairs after {state['seconds']} s)")


def main() -> None:
    """Run a server and measure it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rate", type=float, default=500.0)
    parser.add_argument("--port", type=int, default=8199)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-c", RUN, str(given.port), str(Path(folder) / "records.sqlite")],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            server.stdout.readline()
            ready = time.perf_counter()
            urllib.request.urlopen(f"http://{HOST}:{given.port}/").read()
            print(f"ready after {ready - begun:.2f} s, first page {1000 * (time.perf_counter() - ready):.1f} ms later")
            measure(given.port, given.seconds, given.rate, server.pid)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
