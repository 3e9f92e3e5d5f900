"""Golden playthroughs: one seeded game of best play per game, written out step by step.

python -m tests.playthrough        writes tests/golden/*.txt anew; read the difference before you commit it
"""

from pathlib import Path

from jeopardice import Farkle, Hog, Pig, Race, TenThousand, solve
from jeopardice.tutor import Session, advance, bot_named, referee_for

GOLDEN = Path(__file__).parent / "golden"
GAMES = {
    "pig-duel": Race(Pig(), 50, players=2),
    "pig-exact-duel": Race(Pig(sides=8, bust=(1, 8)), 40, players=2, finish="exact"),
    "pig-alone": Race(Pig(), 60),
    "ten-thousand-duel": Race(TenThousand(), 2000, players=2),
    "farkle-alone": Race(Farkle.named("common"), 3000),
    "hog-duel": Race(Hog(dice_limit=10), 50, players=2),
}


def playthrough(goal: Race) -> str:
    """Return the seeded game as text: every roll, every choice with what each was worth, the value after it."""
    referee = referee_for(solve(goal))
    bots = [bot_named("optimal", referee) for _ in range(goal.players)]
    session = advance(Session.new(referee, seed=2026), bots)
    lines = [repr(goal), f"value {session.initial:.10f}"]
    for step in session.steps:
        if step.choice is None:
            lines.append(
                f"seat {step.seat} rolls {step.event['roll']}{' bust' if step.bust else ''}  {step.after:.10f}"
            )
            continue
        options = ", ".join(f"{c.play} {c.value:.10f}" for c in sorted(step.choices, key=lambda c: c.rank)[:4])
        lines.append(f"seat {step.seat} plays {step.choice.play}  [{options}]")
    lines.append(f"winner {referee.winner(session.spot)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name, goal in GAMES.items():
        (GOLDEN / f"{name}.txt").write_text(playthrough(goal))
