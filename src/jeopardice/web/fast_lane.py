"""Advice in a hurry: the commonest question is answered before the framework is asked, if it is a plain one.

A request for advice on a goal that is already solved, with well-formed parameters, needs no validation beyond reading
its numbers. Everything else, and everything that goes wrong here, takes the usual road and gets its full answer there.
"""

from typing import Any
from urllib.parse import parse_qsl

from jeopardice.family import shape_of
from jeopardice.rules.goal import Race, Turn
from jeopardice.web.api import advice_bytes
from jeopardice.web.catalog import read_goal
from jeopardice.web.questions import BRIEF_RULES, GoalBody
from jeopardice.web.safety import App, Receive, Scope, Send

PATH = "/api/v1/advise"
NUMBERS = ("mine", "theirs", "at_risk")
KNOWN = frozenset((*GoalBody.model_fields, *NUMBERS, "mode", "roll", "why"))


class FastLane:
    """The application, with a shortcut for advice."""

    def __init__(self, app: App, *, state: Any) -> None:
        self.app, self.state = app, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer at once where that is possible."""
        if scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "GET":
            body = self._answer(scope["query_string"])
            if body is not None:
                headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
        await self.app(scope, receive, send)

    def _answer(self, query: bytes) -> bytes | None:
        try:
            pairs = parse_qsl(
                query.decode("ascii"), keep_blank_values=True, strict_parsing=bool(query), max_num_fields=20
            )
            given = dict(pairs)
            if (
                len(given) != len(pairs)
                or not given.keys() <= KNOWN
                or given.get("why", "false") not in ("true", "false")
            ):
                return None
            if len(given.get("rules", "")) >= BRIEF_RULES:
                return None
            mine, theirs, at_risk = (_number(given.pop(name, None)) for name in NUMBERS)
            mode, roll, why = given.pop("mode", None), given.pop("roll", None), given.pop("why", "") == "true"
            body = GoalBody.model_validate(given)
            goal = read_goal(body.game, body.goal, body.rules, body.named, body.options(), self.state.limits)
            shelved = self.state.shelf.found(goal)
            if shelved is None or shape_of(goal.game) != "points" or not isinstance(goal, Turn | Race):
                return None
            return advice_bytes(shelved, mine or 0, theirs or 0, at_risk or 0, mode, roll, why)
        except (ValueError, TypeError):
            return None


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(text)
    return int(text)
