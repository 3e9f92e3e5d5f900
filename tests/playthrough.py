"""Golden playthroughs: one seeded game of best play per game, written out step by step.

python -m tests.playthrough        writes tests/golden/*.txt again; read the difference before you commit it
"""

from pathlib import Path

from jeopardice import CantStop, Farkle, Hog, Pig, Race, TenThousand, Yahtzee, solve
from jeopardice.rules.text import brief
from jeopardice.tutor import Session, advance, bot_named, judge_of

GOLDEN = Path(__file__).parent / "golden"
GAMES = {
    "pig-duel": Race(Pig(), 50, players=2),
    "pig-exact-duel": Race(Pig(sides=8, bust=(1, 8)), 40, players=2, finish="exact"),
    "pig-alone": Race(Pig(), 60),
    "ten-thousand-duel": Race(TenThousand(), 2000, players=2),
    "farkle-alone": Race(Farkle.named("common"), 3000),
    "hog-duel": Race(Hog(dice_limit=10), 50, players=2),
    "cant-stop-alone": Race(CantStop(sides=3, shortest=2)),
    "cant-stop-duel": Race(CantStop(sides=3, shortest=1), players=2),
    "yahtzee-short": Race(Yahtzee(boxes=("ones", "sixes", "full house", "yahtzee", "chance"))),
}


def playthrough(goal: Race) -> str:
    """Return the seeded game as text: every roll, every choice with what each was worth, the value after it."""
    judge = judge_of(solve(goal))
    bots = [bot_named("optimal", judge) for _ in range(judge.match.players)]
    session = advance(Session.new(judge, seed=2026), bots)
    lines = [brief(goal), f"value {session.initial[0]:.10f}"]
    for step in session.steps:
        if step.option is None:
            lines.append(
                f"seat {step.seat} rolls {step.event['roll']}{' bust' if step.bust else ''}  {float(step.after[0]):.10f}"
            )
            continue
        options = ", ".join(f"{c.play} {c.value:.10f}" for c in step.options[:4])
        lines.append(f"seat {step.seat} plays {step.option.play}  [{options}]")
    lines.append(f"winner {', '.join(map(str, session.winners)) or None}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name, goal in GAMES.items():
        (GOLDEN / f"{name}.txt").write_text(playthrough(goal))
