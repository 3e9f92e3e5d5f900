"""Play, report and drill as JSON: a game is begun, played on, taken back, and looked at afterwards."""

from functools import lru_cache, partial
from secrets import randbits
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from jeopardice.errors import PositionError
from jeopardice.family import family_of
from jeopardice.games.sentences import taught
from jeopardice.rules.goal import Goal, Race, Simultaneous, Turn
from jeopardice.solution import Judge
from jeopardice.tutor import best_name
from jeopardice.tutor.drill import drill, exercise_at, grade
from jeopardice.tutor.rating import difficulty, rating_after
from jeopardice.tutor.report import report
from jeopardice.types import JsonObject
from jeopardice.web.api import GONE, REFUSED, answered, shelf_of
from jeopardice.web.catalog import GAMES, set_title
from jeopardice.web.play import SEED_BITS, MovedOnError, Table, Tables, begin, read_acts
from jeopardice.web.questions import GoalBody
from jeopardice.web.records import Records
from jeopardice.web.seats import MEANWHILE, is_portable, opponent_names, seats
from jeopardice.web.shelf import Job, NotSolvedError, Shelf

router = APIRouter(prefix="/api/v1", responses=REFUSED)

PATIENCE_SECONDS = 3.0
"""How long a player waits for a solution that the opponents need."""


class PlayBody(GoalBody):
    """A game to begin or to play again: opponent, seat, seed and the choices made so far."""

    opponent: str = Field(
        "",
        max_length=200,
        description="optimal, or look-ahead where the game is not solved (the one of them that fits, if none is named); "
        "club, casual, beginner, friend, stop-at-20, …; for several seats with commas between them",
    )
    seat: Literal["first", "second"] = "first"
    seed: int | None = Field(None, ge=0, lt=2**SEED_BITS)
    acts: str = Field("", max_length=6000, description="the numbers of the choices made, with dots between them")
    by: Literal["", "turn"] = Field("", description="turn: judged by the points of each turn, not by a solution")

    def words(self) -> JsonObject:
        """Return what names the game in a link."""
        return self.model_dump(exclude={"seed", "acts"})


class ActBody(BaseModel):
    """A choice: its words, how many steps the page has seen, and whether a tutor may object first."""

    model_config = ConfigDict(extra="forbid")

    play: str = Field(max_length=300)
    steps: int | None = Field(None, ge=0)
    tutor: bool = False


class SeenBody(BaseModel):
    """How many steps the page has seen, so that two tabs do not undo each other's moves."""

    model_config = ConfigDict(extra="forbid")

    steps: int | None = Field(None, ge=0)


class DrillBody(GoalBody):
    """Exercises wanted: near indifference, where a habit errs, or both."""

    kind: Literal["close", "habit", "mixed"] = "mixed"
    count: int = Field(10, ge=1, le=30)
    seed: int = Field(0, ge=0, lt=2**SEED_BITS)


class GradeBody(GoalBody):
    """An answer to an exercise."""

    kind: Literal["close", "habit", "mistake"] = "close"
    position: JsonObject
    play: str = Field(max_length=300)
    rated: bool = Field(True, description="keep the answer, and let it count; not so when one is tried again")


def tables_of(request: Request) -> Tables:
    """Return the server's games in progress."""
    tables: Tables = request.app.state.tables
    return tables


def records_of(request: Request) -> Records:
    """Return the server's records."""
    records: Records = request.app.state.records
    return records


async def _judge(request: Request, body: GoalBody) -> Judge:
    goal = await body.read(request)
    if isinstance(goal, Turn):
        raise PositionError("one plays a race, for two or alone; ask for goal=duel or goal=alone")
    return (await shelf_of(request).solution(goal)).judge


async def _begun(request: Request, body: PlayBody) -> tuple[Table, Job | None]:
    """Return a game, and the job that solves it meanwhile."""
    goal, shelf = await body.read(request), shelf_of(request)
    if not isinstance(goal, Race | Simultaneous):
        raise PositionError("one plays a race, for two or alone; ask for goal=duel or goal=alone")
    title = GAMES[body.game].title + (f": {set_title(body.named)}" if body.named else "")
    judge, job, changes = await _judged(shelf, body, goal)
    words = body.words() | changes
    seed = randbits(SEED_BITS) if body.seed is None else body.seed
    bots, you = seats(judge, str(words["opponent"]), int(body.seat == "second"), seed)
    if not words["opponent"] and judge.match.players > 1:
        words |= {"opponent": best_name(judge)}
    return await shelf.desk.answer(begin, words, title, judge, bots, you, seed, read_acts(body.acts)), job


async def _judged(shelf: Shelf, body: PlayBody, goal: Goal) -> tuple[Judge, Job | None, dict[str, str]]:
    """Return who judges a game, the job that will know better, and what differs from the words of the request.

    A game that was played on a solution waits for it. A new one begins at once, judged by its turns: opponents who need no
    values play it until it is solved, others to its end.
    """
    names = opponent_names(body.opponent, goal.players)
    judge, job = (None, None) if body.by == "turn" else await shelf.judge(goal)
    at_once = judge or await shelf.desk.answer(_judge_at_once, goal)
    if job is not None and (at_once is None or (any(names) and not is_portable(names))):
        await job.wait(PATIENCE_SECONDS)
        judge, job = await shelf.judge(goal)
    if judge is not None:
        return judge, None, {}
    if job is not None and body.acts and not is_portable(names):
        raise NotSolvedError("this game was played on the solved game; solve it first with POST /api/v1/solve")
    if at_once is None:
        return (await shelf.solution(goal)).judge, None, {}
    if job is not None and not any(names):
        names = [MEANWHILE] * len(names)
    is_passing = job is not None and is_portable(names)
    opponent = names[0] if names and len(set(names)) == 1 else ",".join(names)
    return at_once, job if is_passing else None, {"opponent": opponent, "by": "" if is_passing else "turn"}


@lru_cache(maxsize=16)
def _judge_at_once(goal: Goal) -> Judge | None:
    """Return who judges a game before it is solved; the newest are remembered."""
    return family_of(goal.game).judge_at_once(goal)


@router.post("/play", tags=["play"], summary="Begin a game, or play one again from its link")
async def new_game(request: Request, body: PlayBody) -> Response:
    """Return the game at the player's first choice, or after the choices in `acts`, with its rules; `job` may be solving it."""
    table, job = await _begun(request, body)
    told = {"job": None if job is None else job.as_json(), "taught": taught(table.session.judge.goal)}
    return answered(tables_of(request).put(table).state() | told)


@router.post("/play/{game_id}/solved", tags=["play"], summary="Judge a game by its solution", responses=GONE)
async def judge_again(request: Request, game_id: str) -> Response:
    """Return the game with the values of its solution, once it is solved; `by` stays turn where it is not."""
    table = _table(request, game_id)
    shelved = shelf_of(request).found(table.session.judge.goal)
    if shelved is not None and table.words["by"] == "":
        seen = len(table.session.steps)
        judged = await shelf_of(request).desk.answer(table.judged_by, shelved.judge)
        table = tables_of(request).put(judged, steps_seen=seen)
    return answered(table.state())


@router.get("/play/{game_id}", tags=["play"], summary="A game in progress", responses=GONE)
async def game_state(request: Request, game_id: str, since: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Return the game as it is, with the steps from `since` on."""
    return answered(_table(request, game_id).state(since))


@router.post("/play/{game_id}/act", tags=["play"], summary="Choose", responses=GONE)
async def act(request: Request, game_id: str, body: ActBody) -> Response:
    """Make a choice; with `tutor` a costly one is answered with a warning instead, and nothing is played."""
    table = _table(request, game_id)
    seen = len(table.session.steps)
    _check_seen(body.steps, seen)
    if table.session.phase == "over":
        raise PositionError("the game is over; begin another one")
    warning = await shelf_of(request).desk.answer(table.warning, body.play)
    if body.tutor and warning is not None:
        return answered({"warning": warning, **table.state(seen)})
    after = tables_of(request).put(await shelf_of(request).desk.answer(table.act, body.play), steps_seen=seen)
    if after.session.phase == "over":
        request.app.state.later(after.keep, records_of(request))
    return answered({"warning": None, "judged": warning, **after.state(seen)})


@router.post("/play/{game_id}/undo", tags=["play"], summary="Take the last choice back", responses=GONE)
async def undo(request: Request, game_id: str, body: SeenBody) -> Response:
    """Return the game as it was before the player's last choice."""
    table = _table(request, game_id)
    seen = len(table.session.steps)
    _check_seen(body.steps, seen)
    if not table.acts:
        raise PositionError("nothing has been chosen yet, so there is nothing to take back")
    before = tables_of(request).put(await shelf_of(request).desk.answer(table.undo), steps_seen=seen)
    return answered(before.state())


@router.get("/play/{game_id}/hint", tags=["play"], summary="What each choice is worth", responses=GONE)
async def hint(request: Request, game_id: str) -> Response:
    """Return the choices, best first, and in a sentence why the best one is best."""
    table = _table(request, game_id)
    choices, why = await shelf_of(request).desk.answer(lambda: (table.weighed(), table.why()))
    return answered({"choices": choices, "why": why})


@router.post("/report", tags=["report"], summary="Luck and skill of a game")
async def report_game(request: Request, body: PlayBody) -> Response:
    """Return every decision with its loss, every roll with its luck, and both added up."""
    table, job = await _begun(request, body)
    if job is not None:
        raise NotSolvedError("this game is still being solved: start a job with POST /api/v1/solve, then ask again")
    result = await shelf_of(request).desk.answer(report, table.session)
    return answered(
        {
            **result.as_json(), "remainder": float(result.remainder()), "you": table.you,
            "luck_of_you": float(result.luck_of(table.you)), "loss_of_you": float(result.loss(table.you)),
            "game": table.state(),
        }
    )  # fmt: skip


@router.post("/drill", tags=["drill"], summary="Positions to practise")
async def exercises(request: Request, body: DrillBody) -> Response:
    """Return exercises without their answers; the same seed gives the same ones."""
    judge = await _judge(request, body)
    drilled = await shelf_of(request).desk.answer(
        partial(drill, judge, count=body.count, kind=body.kind, seed=body.seed)
    )
    rated = await shelf_of(request).desk.answer(
        lambda: [exercise.as_json() | {"rating": difficulty(exercise)} for exercise in drilled]
    )
    return answered({"measure": judge.measure.name, "exercises": rated})


@router.post("/drill/grade", tags=["drill"], summary="Grade an answer, and keep it")
async def grade_answer(request: Request, body: GradeBody) -> Response:
    """Say how good a play is, what was best, and what each choice is worth."""
    judge = await _judge(request, body)

    def graded() -> JsonObject:
        exercise = exercise_at(judge, body.position, body.kind)
        result, rating = grade(exercise, body.play), difficulty(exercise)
        if body.rated:
            records_of(request).add_drill(
                body.game,
                repr(judge.goal),
                body.position,
                body.play,
                result.best.play,
                float(result.loss),
                result.is_best,
                rating,
            )
        return {**result.as_json(), "rating": rating}

    return answered(await shelf_of(request).desk.answer(graded))


@router.get("/records", tags=["records"], summary="Finished games and drill results")
async def kept(request: Request, most: Annotated[int, Query(ge=1, le=1000)] = 50) -> Response:
    """Return the newest games and answers."""
    records = records_of(request)
    await request.app.state.settled()
    games, drills = await shelf_of(request).desk.answer(lambda: (records.games(most), records.drills(most)))
    answers = [
        one for one in reversed(await shelf_of(request).desk.answer(records.drills)) if one["rating"] is not None
    ]
    known = {str(one["game"]) for one in answers}
    ratings = {
        game: rating_after((one["rating"], one["right"]) for one in answers if one["game"] == game) for game in known
    }
    return answered({"games": games, "drills": drills, "ratings": ratings})


@router.get("/records/export", tags=["records"], summary="Everything that is kept, as one JSON file")
async def export(request: Request) -> Response:
    """Return all finished games and drill results."""
    await request.app.state.settled()
    answer = answered(await shelf_of(request).desk.answer(records_of(request).export))
    answer.headers["Content-Disposition"] = 'attachment; filename="jeopardice-records.json"'
    return answer


@router.delete("/records", tags=["records"], summary="Forget everything that is kept")
async def forget(request: Request) -> Response:
    """Delete all finished games and drill results, and say how many there were."""
    await request.app.state.settled()
    return answered(await shelf_of(request).desk.answer(records_of(request).delete))


def _table(request: Request, game_id: str) -> Table:
    table = tables_of(request).get(game_id)
    if table is None:
        raise HTTPException(404, f"there is no game {game_id!r} any more; begin it again from its link")
    return table


def _check_seen(told: int | None, seen: int) -> None:
    if told is not None and told != seen:
        raise MovedOnError("this game has been played on in another tab; load the page again")
