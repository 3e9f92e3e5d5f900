"""The JSON interface under /api/v1: games, solve, advise and the pictures of Explore.

A quick question is answered at once; a longer solve is a job that reports its progress as server-sent events and can be
cancelled. Whatever is refused is refused with one line that says why.
"""

import json
from collections.abc import AsyncIterator
from functools import lru_cache, partial
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import Response, StreamingResponse

from jeopardice.dice import known_dice
from jeopardice.errors import PositionError
from jeopardice.family import family_of, shape_of
from jeopardice.games.rule_words import HOUSE
from jeopardice.games.sentences import taught
from jeopardice.rules.files import command_options, written_rules
from jeopardice.rules.game import game_name
from jeopardice.rules.goal import Goal, Race, Simultaneous, Turn
from jeopardice.rules.text import read_scores
from jeopardice.types import Given, Json, JsonObject
from jeopardice.web import answers
from jeopardice.web.boards import board_json, bust_chances
from jeopardice.web.catalog import catalog
from jeopardice.web.compare import check_names, compared
from jeopardice.web.limits import STEPS_A_SECOND
from jeopardice.web.questions import MOST_NUMBER, Problem, SolveBody, goal_asked
from jeopardice.web.shelf import Job, Shelf, Shelved

REFUSED: dict[int | str, JsonObject] = {
    status: {"model": Problem, "description": words}
    for status, words in (
        (400, "not understood"),
        (401, "a token is needed"),
        (403, "from another site"),
        (408, "the body did not arrive in time"),
        (409, "needs a solve job first"),
        (413, "the body is too large"),
        (414, "the link is too long"),
        (421, "wrong Host"),
        (422, "refused: impossible rules or position, or over a limit"),
        (429, "too many jobs"),
    )
}
GONE: dict[int | str, JsonObject] = {404: {"model": Problem, "description": "no such thing"}}
TOML = "application/toml"


def answers_with(media_type: str) -> JsonObject:
    """Return the settings of a route whose answer is not JSON, for its description."""
    return {"response_class": Response, "responses": {200: {"content": {media_type: {"schema": {"type": "string"}}}}}}


router = APIRouter(prefix="/api/v1", responses=REFUSED)

AskedGoal = Annotated[Any, Depends(goal_asked)]
Points = Annotated[int, Query(ge=0, le=MOST_NUMBER)]
Others = Annotated[
    str | None,
    Query(
        max_length=100,
        description="three and more players: the others in the order of play, like 12,40; Can't Stop for two: "
        "the other's spaces, like 8:5",
    ),
]
Every = Annotated[bool, Query(description="every cell, also of large pictures")]
ModeText = Annotated[str | None, Query(max_length=60, description="dice left, or the game's mode")]


def shelf_of(request: Request) -> Shelf:
    """Return the server's shelf of solutions."""
    shelf: Shelf = request.app.state.shelf
    return shelf


def answered(answer: Json) -> Response:
    """Return an answer as a JSON response."""
    return Response(answers.to_json(answer), media_type="application/json")


@router.get("/games", tags=["games"], summary="The games, their rules and the limits")
async def games(request: Request) -> Response:
    """List every game with the fields of its rules, their usual values and limits."""
    limits = request.app.state.limits
    more = catalog(limits, on_page=False)
    house = [{**field._asdict(), "choices": list(field.choices)} for field in HOUSE]
    dice = {name: list(weights) for name, weights in known_dice().items()}
    shown = {"games": catalog(limits), "more_games": more, "limits": limits.as_json()}
    return answered({**shown, "house": house, "dice": dice})


@router.get("/rules", tags=["games"], summary="Rules in sentences, checked without solving")
async def rules_in_sentences(request: Request, goal: AskedGoal) -> Response:
    """Return the rules as one would teach them, and about how long a solve takes; or refuse them."""
    shelf = shelf_of(request)
    steps = await shelf.desk.answer(shelf.steps, goal)
    return answered({"goal": repr(goal), "sentences": taught(goal), "seconds": steps / STEPS_A_SECOND})


@router.get("/rules/file", tags=["games"], summary="Rules as a file for the command line", **answers_with(TOML))
async def rules_file(goal: AskedGoal) -> Response:
    """Return the rules of a turn as a rules file; the rules between turns stand in it as a command."""
    text = f"# jeopardice solve rules.toml {command_options(goal)}\n{written_rules(goal.game)}"
    name = game_name(goal.game).lower().replace(" ", "-").replace("'", "")
    headers = {"Content-Disposition": f'attachment; filename="{quote(name)}-rules.toml"'}
    return Response(text, media_type=TOML, headers=headers)


@router.post("/solve", tags=["solve"], summary="Solve a goal: at once if it is quick, else as a job", status_code=200)
async def solve_goal(request: Request, body: SolveBody) -> Response:
    """Return the value, or a job (state waiting or running) whose events say how far it is."""
    goal, shelf = await body.read(request), shelf_of(request)
    job = await shelf.desk.answer(partial(shelf.start, goal, certify=body.certify))
    if job.steps <= shelf.limits.steps_at_once:
        await job.wait(1.0)
    return answered(_job_json(shelf, job))


@router.get("/jobs", tags=["solve"], summary="The jobs of this server")
async def jobs(request: Request) -> Response:
    """List the jobs, oldest first."""
    return answered({"jobs": [job.as_json() for job in shelf_of(request).jobs()]})


@router.get("/jobs/{job_id}", tags=["solve"], summary="Where a job stands", responses=GONE)
async def job_state(request: Request, job_id: str) -> Response:
    """Return the job, with the value once it is done."""
    shelf = shelf_of(request)
    return answered(_job_json(shelf, _job(shelf, job_id)))


@router.get("/jobs/{job_id}/events", tags=["solve"], summary="Progress of a job as server-sent events", responses=GONE)
async def job_events(request: Request, job_id: str) -> StreamingResponse:
    """Send an event `progress` now and then, and `end` with the value last."""
    shelf = shelf_of(request)
    job = _job(shelf, job_id)

    async def events() -> AsyncIterator[str]:
        async for where in shelf.progress(job):
            if not job.ended.is_set():
                yield f"event: progress\ndata: {json.dumps(where)}\n\n"
        yield f"event: end\ndata: {json.dumps(_job_json(shelf, job))}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.post("/jobs/{job_id}/cancel", tags=["solve"], summary="Stop a job", responses=GONE)
async def cancel_job(request: Request, job_id: str) -> Response:
    """Ask a job to stop; it does so within a moment."""
    job = _job(shelf_of(request), job_id)
    job.cancelled = True
    await job.wait(1.0)
    return answered(job.as_json())


@router.get("/value", tags=["advise"], summary="The value of a goal")
async def value(request: Request, goal: AskedGoal) -> Response:
    """Return what a goal is worth from the start."""
    shelf = shelf_of(request)
    return answered(await shelf.desk.answer(answers.solution_json, await shelf.solution(goal)))


@router.get("/advise", tags=["advise"], summary="Every option at a moment, best first")
async def advise(
    request: Request,
    goal: AskedGoal,
    mine: Points = 0,
    theirs: Points = 0,
    at_risk: Points = 0,
    mode: ModeText = None,
    roll: Annotated[
        str | None, Query(max_length=200, description="the faces of the roll just made, like 1,5,6")
    ] = None,
    why: Annotated[bool, Query(description="also split by the next roll, and the law of how the turn ends")] = False,
    board: Annotated[str | None, Query(max_length=200, description="Can't Stop: spaces climbed, like 2:1,7:4")] = None,
    markers: Annotated[
        str | None, Query(max_length=60, description="Can't Stop: markers of this turn, like 7:5")
    ] = None,
    card: Annotated[
        str | None, Query(max_length=300, description="Yahtzee: boxes filled, like ones:3,chance:22")
    ] = None,
    rolls_left: Annotated[int, Query(ge=0, le=2, description="Yahtzee: rolls left this turn")] = 0,
    others: Others = None,
) -> Response:
    """Say what each option is worth and what it loses against the best; with `why` what can follow."""
    shelf = shelf_of(request)
    shelved = shelf.found(goal) or await shelf.solution(goal)
    if shape_of(goal.game) != "points" or isinstance(goal, Simultaneous) or goal.players > 2:
        given = {
            "mine": board or mine,
            "theirs": others or theirs,
            "mode": mode,
            "at_risk": at_risk,
            "markers": markers,
            "roll": roll,
        }
        given |= {"card": card, "rolls_left": rolls_left}
        texts = {name: str(text) for name, text in given.items() if text}
        return answered(await shelf.desk.answer(answers.family_advice, shelved, texts))
    body = await shelf.desk.answer(advice_bytes, shelved, mine, theirs, at_risk, mode, roll, why)
    return Response(body, media_type="application/json")


@lru_cache(maxsize=4096)
def advice_bytes(
    shelved: Shelved, mine: int, theirs: int, at_risk: int, mode: str | None, roll: str | None, why: bool
) -> bytes:
    """Return advice as JSON; the newest answers are remembered."""
    return answers.to_json(
        answers.advise(shelved, mine, theirs, at_risk, mode, answers.read_roll(roll, shelved.goal.game), why)
    )


@router.get("/map", tags=["explore"], summary="Roll or stop, by standing and points at risk")
async def roll_stop_map(
    request: Request,
    goal: AskedGoal,
    theirs: Points = 0,
    mode: ModeText = None,
    every: Every = False,
    others: Others = None,
) -> Response:
    """Return by how much rolling beats stopping (negative: stop; null: nothing to decide)."""
    shelved = await shelf_of(request).solution(goal)
    return await _drawn(request, "map", shelved, (_scores(goal, theirs, others), mode, every))


@router.get("/choices", tags=["explore"], summary="The best choice of dice by both standings (Hog)")
async def choices(request: Request, goal: AskedGoal) -> Response:
    """Return how many dice to roll, where a turn opens with that choice."""
    if isinstance(goal, Turn):
        raise PositionError("choices by standing need a race; ask for goal=duel or goal=alone")
    return await _drawn(request, "choices", await shelf_of(request).solution(goal), ())


@router.get("/board", tags=["explore"], summary="Can't Stop: the value of each column, the bust chance of three")
async def board(request: Request, goal: AskedGoal) -> Response:
    """Return the turns that each space of a column saves, and the bust chance of every three columns."""
    shelved = await shelf_of(request).solution(goal)
    if shape_of(goal.game) != "columns" or goal.players > 1:
        raise PositionError("only Can't Stop has a board; ask for game=cant-stop&goal=alone")
    return await _drawn(request, "board", shelved, ())


@router.get("/surface", tags=["explore"], summary="A surface over both standings")
async def surface(
    request: Request,
    goal: AskedGoal,
    of: Literal["stop", "value"] = "stop",
    mode: ModeText = None,
    every: Every = False,
) -> Response:
    """Return the points at risk that part rolling from stopping, or the value, by both standings."""
    shelved = await shelf_of(request).solution(goal)
    return await _drawn(request, "surface", shelved, (of, mode, every))


@router.get("/busts", tags=["explore"], summary="Can't Stop: the bust chance of every three columns, on any board")
async def busts(goal: AskedGoal) -> Response:
    """Return how often a roll busts with all markers placed; nothing has to be solved for it."""
    if shape_of(goal.game) != "columns":
        raise PositionError("only Can't Stop has columns; ask for game=cant-stop")
    return answered({"sides": goal.game.sides, "triples": bust_chances(goal.game)})


@router.get("/strategies", tags=["compare"], summary="The strategies that fit a goal, with a sentence each")
async def strategies(goal: AskedGoal) -> Response:
    """Return the names that `compare` takes; a number in a name may be any number."""
    return answered({"strategies": dict(family_of(goal.game).strategies(goal))})


@router.get("/curves", tags=["explore"], summary="Value curves by standing")
async def curves(
    request: Request,
    goal: AskedGoal,
    theirs: Annotated[list[Annotated[int, Query(ge=0, le=MOST_NUMBER)]], Query(max_length=20)] = [0],  # noqa: B006
) -> Response:
    """Return the value at the beginning of a turn, one curve for each of `theirs`."""
    shelved = await shelf_of(request).solution(goal)
    return await _drawn(request, "curves", shelved, (tuple(theirs),))


@router.get("/compare", tags=["compare"], summary="Strategies against each other, exactly")
async def compare(
    request: Request,
    goal: AskedGoal,
    strategies: Annotated[
        list[Annotated[str, Query(max_length=40)]],
        Query(min_length=1, max_length=8, description="optimal, fewest-turns, keep-pace, stop-at-20, roll-5-times, …"),
    ] = ["optimal", "fewest-turns", "stop-at-20"],  # noqa: B006
) -> Response:
    """Return the chance of each strategy against each other: playing first, and if a coin decides who does."""
    shelf = shelf_of(request)
    if not isinstance(goal, Race) or goal.players != 2:
        raise PositionError("strategies meet in a race for two; ask for goal=duel")
    if shape_of(goal.game) != "points":
        raise PositionError("strategies are compared exactly only in games of points; this game is not one")
    await shelf.desk.answer(check_names, strategies, shelf.limits, goal)
    shelved = await shelf.solution(goal)
    return await _drawn(request, "compare", shelved, (tuple(strategies), shelf.threads))


@router.get("/law", tags=["explore"], summary="The law of a turn and of the number of turns")
async def law(
    request: Request, goal: AskedGoal, mine: Points = 0, theirs: Points = 0, others: Others = None
) -> Response:
    """Return how the next turn ends under best play, and how many turns the race takes alone."""
    shelf = shelf_of(request)
    shelved = await shelf.solution(goal)
    alone = None
    if isinstance(goal, Race) and shape_of(goal.game) == "points":
        alone = await shelf.solution(Race(goal.game, goal.target, finish=goal.finish, bank_from=goal.bank_from))
    return await _drawn(request, "law", shelved, (alone, mine, _scores(goal, theirs, others)))


def _scores(goal: Goal, theirs: int, others: str | None) -> int | tuple[int, ...]:
    """Return the scores of all others where there are several, else that of the other."""
    players = goal.players
    if players < 3:
        return theirs
    given = read_scores("others", others) if others else 0
    scores: tuple[int, ...] = given if isinstance(given, tuple) else (given,) * (players - 1)
    return scores


async def _drawn(request: Request, picture: str, shelved: Shelved, details: tuple[Given, ...]) -> Response:
    body = await shelf_of(request).desk.answer(_picture, picture, shelved, details)
    return Response(body, media_type="application/json")


@lru_cache(maxsize=64)
def _picture(picture: str, shelved: Shelved, details: tuple[Given, ...]) -> bytes:
    """Compute a picture once; the newest are remembered."""
    if picture == "map":
        return answers.to_json(answers.roll_stop_map(shelved, *details))
    if picture == "board":
        return answers.to_json(board_json(shelved.solution))
    if picture == "choices":
        return answers.to_json(answers.choices_map(shelved))
    if picture == "surface":
        return answers.to_json(answers.surface(shelved, *details))
    if picture == "curves":
        return answers.to_json(answers.curves(shelved, list(details[0])))
    if picture == "compare":
        return answers.to_json(compared(shelved, *details))
    return answers.to_json(answers.laws(shelved, *details))


def _job(shelf: Shelf, job_id: str) -> Job:
    job = shelf.job(job_id)
    if job is None:
        raise HTTPException(404, f"there is no job {job_id!r}; the server may have been started again: solve once more")
    return job


def _job_json(shelf: Shelf, job: Job) -> JsonObject:
    shelved = shelf.found(job.goal) if job.state == "done" else None
    return {"job": job.as_json(), "solution": None if shelved is None else answers.solution_json(shelved)}
