"""Games made for the tests: tiny ones that can be worked out by hand, and random ones; and commands typed to."""

import io
import os
import signal
import tempfile
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from jeopardice import Play
from jeopardice.cli import main

settings.register_profile("quick", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quick")

os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="jeopardice-cache-")  # not the user's own


# A background shell and nohup ignore signals, and so would the programs that tests start; what has a handler here acts there.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, lambda *_: None)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


@dataclass(frozen=True)
class Coin:
    """Piglet: heads adds 1, tails is a bust."""

    opening: ClassVar[int] = 0

    def rolls(self, mode: int) -> dict[str, int]:
        return {"heads": 1, "tails": 1}

    def plays(self, mode: int, roll: str) -> list[Play]:
        return [Play(1, 0)] if roll == "heads" else []


@dataclass(frozen=True)
class Listed:
    """A game written out: offers[mode] is a tuple of (weight, ((points, mode), ...)); mode 0 opens."""

    offers: tuple[tuple[tuple[int, tuple[tuple[int, int], ...]], ...], ...]

    opening: ClassVar[int] = 0

    def rolls(self, mode: int) -> dict[int, int]:
        return {roll: weight for roll, (weight, _) in enumerate(self.offers[mode])}

    def plays(self, mode: int, roll: int) -> list[Play]:
        return [Play(points, to) for points, to in self.offers[mode][roll][1]]


@st.composite
def listed_games(draw: st.DrawFn, modes: int = 3, most_points: int = 4) -> Listed:
    """Random games: up to `modes` modes, each with a bust and a few rolls that offer one to three plays."""
    count = draw(st.integers(1, modes))
    play = st.tuples(st.integers(1, most_points), st.integers(0, count - 1))
    roll = st.tuples(st.integers(1, 5), st.lists(play, min_size=1, max_size=3, unique=True).map(tuple))
    mode = st.lists(roll, min_size=1, max_size=4).map(lambda rolls: (*rolls, (2, ())))
    return Listed(tuple(draw(mode) for _ in range(count)))


@st.composite
def ugly_games(draw: st.DrawFn, modes: int = 3, most_points: int = 4) -> Listed:
    """Random games with all that is rare: plays that end the turn, plays of 0 points, dead modes, huge weights, dice that
    almost always or never bust. A play of 0 points leads to a later mode.
    """
    count = draw(st.integers(1, modes))
    weight = st.one_of(st.integers(1, 5), st.sampled_from([1, 10**4, 10**7]))
    groups = []
    for mode in range(count):
        ending = st.tuples(st.integers(0, most_points), st.none())
        scoring = st.tuples(st.integers(1, most_points), st.integers(0, count - 1))
        free = st.tuples(st.just(0), st.integers(mode + 1, count - 1)) if mode + 1 < count else scoring
        play = st.one_of(ending, scoring, scoring, free)
        roll = st.tuples(weight, st.lists(play, min_size=1, max_size=3, unique=True).map(tuple))
        bust = draw(st.one_of(st.just(()), st.tuples(st.tuples(weight, st.just(())))))
        least = 0 if bust else 1
        groups.append((*draw(st.lists(roll, min_size=least, max_size=3)), *bust))
    return Listed(tuple(groups))


def turns_of_pig(generator, target, threshold):
    """Play a race of Pig alone, stopping each turn at threshold(points to go), and return the turns it took."""
    togo, turns = target, 0
    while togo > 0:
        at_risk, turns = 0, turns + 1
        while at_risk < threshold(togo):
            face = int(generator.integers(1, 7))
            if face == 1:
                at_risk = 0
                break
            at_risk += face
        togo -= at_risk
    return turns


@pytest.fixture
def typed(monkeypatch, capsys):
    """Run a command with these lines typed; return its exit code, stdout and stderr."""

    def run(arguments, lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(arguments.split())
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
