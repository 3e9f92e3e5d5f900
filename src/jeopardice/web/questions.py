"""What requests look like: the parts of a goal and of a position, as link parameters and as JSON.

The same words everywhere: `game`, `goal`, `target`, `rules`, `finish`, `payoff`, `cost`, `bank_from` name a goal; `mine`,
`theirs`, `at_risk`, `mode` and `roll` a moment of it.
"""

from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from jeopardice.web.catalog import read_goal

MOST_NUMBER = 10**9
Whole = Annotated[int, Field(ge=0, le=MOST_NUMBER)]


class Problem(BaseModel):
    """Why a request was refused, in one line; `limit` names the limit it went over, if it was one."""

    error: str
    limit: str | None = None
    most: int | None = None


class GoalBody(BaseModel):
    """A goal as JSON."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field("pig", max_length=40, examples=["pig"])
    goal: Literal["turn", "alone", "duel"] = "duel"
    target: int | None = Field(None, ge=1, le=MOST_NUMBER)
    rules: str = Field(
        "", max_length=2000, description="unusual rules, written name:value;name:value", examples=["sides:8"]
    )
    finish: Literal["reach", "exact"] = "reach"
    payoff: Literal["win", "margin"] = "win"
    cost: Literal["turns", "rolls"] = "turns"
    bank_from: Whole = 0

    def read(self, request: Request) -> Any:
        """Return the goal that is meant, within the server's limits."""
        return read_goal(
            self.game, self.goal, self.target, self.rules, self.finish, self.payoff, self.cost, self.bank_from,
            request.app.state.limits,
        )  # fmt: skip


class SolveBody(GoalBody):
    """A goal to solve; `certify` also computes the certified error bound."""

    certify: bool = False


async def goal_asked(
    request: Request,
    game: Annotated[str, Query(max_length=40, description="which game: see /api/v1/games", examples=["pig"])] = "pig",
    goal: Annotated[
        Literal["turn", "alone", "duel"], Query(description="one turn, a race alone, a race for two")
    ] = "duel",
    target: Annotated[
        int | None, Query(ge=1, le=MOST_NUMBER, description="the score to reach; usual one if left out")
    ] = None,
    rules: Annotated[str, Query(max_length=2000, description="unusual rules, name:value;name:value")] = "",
    finish: Literal["reach", "exact"] = "reach",
    payoff: Literal["win", "margin"] = "win",
    cost: Literal["turns", "rolls"] = "turns",
    bank_from: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="the least one may bank")] = 0,
) -> Any:
    """Return the goal that a link names."""
    return read_goal(game, goal, target, rules, finish, payoff, cost, bank_from, request.app.state.limits)
