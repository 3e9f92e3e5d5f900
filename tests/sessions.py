"""Races to be played with a tutor, and games in which anything legal is chosen."""

import random
from functools import cache

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.tutor import Session, judge_of

RACES = {
    "pig duel": Race(Pig(), target=40, players=2),
    "pig margin": Race(Pig(), target=30, players=2, payoff="margin"),
    "pig exact finish": Race(Pig(bust=(6,)), target=25, players=2, finish="exact"),
    "pig against a d8": Race(Pig(), target=30, players=2, opponent=Pig(sides=8)),
    "pig alone": Race(Pig(), target=40),
    "pig rolls": Race(Pig(), target=30, cost="rolls"),
    "pig within": Race(Pig(), target=30, within=5),
    "ten thousand duel": Race(TenThousand(), target=1500, players=2),
    "ten thousand alone": Race(TenThousand(), target=2000, bank_from=300),
}


@cache
def judged(goal, exact=False):
    """The referee of a race, solved once."""
    return judge_of(solve(goal, exact=exact))


def random_game(referee, seed, steps=300):
    """Play anything that is legal, this many steps or to the end."""
    session, dice = Session.new(referee, seed=seed), random.Random(seed)
    while session.phase != "over" and len(session.steps) < steps:
        session = session.roll() if session.phase == "roll" else session.choose(dice.choice(session.options))
    return session
