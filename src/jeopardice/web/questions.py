"""What requests look like: the parts of a goal and of a position, as link parameters and as JSON.

The same words everywhere: `game`, `goal`, `rules`, `named` and the options of a goal (`target`, `players`, `finish`, ...) name
a goal; `mine`, `theirs`, `at_risk`, `mode` and `roll` a moment of it.
"""

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from jeopardice.rules.text import goal_options
from jeopardice.types import Given
from jeopardice.web.catalog import read_goal

MOST_NUMBER = 10**9
BRIEF_RULES = 40
Whole = Annotated[int, Field(ge=0, le=MOST_NUMBER)]


class Problem(BaseModel):
    """Why a request was refused, in one line; `limit` names the limit it went over, if it was one."""

    error: str
    limit: str | None = None
    most: int | None = None


class GoalBody(BaseModel):
    """A goal in the words of links and of JSON; rules between turns that are not named are not played."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field("pig", max_length=40, description="which game: see /api/v1/games", examples=["pig"])
    goal: Literal["turn", "alone", "duel", "race", "rate", "simultaneous"] = Field(
        "duel",
        description="one turn, a race alone, for two, for more, the best rate, or both choosing at the same time",
    )
    target: int | None = Field(None, ge=1, le=MOST_NUMBER, description="the score to reach; the usual one if left out")
    rules: str = Field(
        "", max_length=2000, description="unusual rules, written name:value;name:value", examples=["sides:8"]
    )
    named: str = Field(
        "", max_length=40, description="a named rule set, such as zilch: its dice and its rules of the race"
    )
    players: int | None = Field(None, ge=1, le=8, description="a race: how many play")
    finish: Literal["reach", "exact"] = "reach"
    payoff: Literal["win", "margin"] = "win"
    cost: Literal["turns", "rolls"] = "turns"
    within: int | None = Field(None, ge=1, le=1000, description="alone: be there within this number of turns")
    bank_from: Whole | None = Field(None, description="the least points a player may bank")
    open_from: Whole | None = Field(None, description="the least points of a player's first bank")
    busts: int | None = Field(None, ge=0, le=100, description="after this number of busts in a row a penalty is due")
    penalty: str = Field("", max_length=12, pattern=r"^(all|\d*)$", description="the points lost then, or all")
    floor: str = Field(
        "", max_length=12, pattern=r"^(none|-?\d*)$", description="the least score after a penalty, or none"
    )
    last_round: bool = False
    ties: Literal["first", "share", "last"] = "first"
    piggyback: bool = False
    indifferent: Literal["stop", "roll"] = Field(
        "stop", description="three and more: what best play does where both are worth the same to a player"
    )
    both_reach: Literal["higher", "share"] = "higher"

    def options(self) -> tuple[tuple[str, Given], ...]:
        """Return the options of the goal that differ from the usual."""
        return tuple(
            (name, value)
            for name, value in self
            if name not in ("game", "goal", "rules", "named") and value != type(self).model_fields[name].default
            and name in goal_options()
        )  # fmt: skip

    async def read(self, request: Request) -> Any:
        """Return the goal that is meant, within the server's limits; long rules wait their turn like other work."""
        state = request.app.state
        read = partial(read_goal, self.game, self.goal, self.rules, self.named, self.options(), state.limits)
        return read() if len(self.rules) < BRIEF_RULES else await state.shelf.desk.answer(read)


class SolveBody(GoalBody):
    """A goal to solve; `certify` also computes the certified error bound."""

    certify: bool = False


class GoalQuery(GoalBody):
    """A goal in the parameters of a link, beside parameters of the question."""

    model_config = ConfigDict(extra="ignore")


async def goal_asked(request: Request, body: Annotated[GoalQuery, Query()]) -> Any:
    """Return the goal that a link names."""
    return await body.read(request)
