"""The application: the JSON interface, the pages, and the guard in front of both."""

import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from jeopardice import __version__
from jeopardice.web import api, pages, play_api
from jeopardice.web.desk import ClosingError
from jeopardice.web.fast_lane import FastLane
from jeopardice.web.limits import BusyError, LimitError, Limits
from jeopardice.web.play import MovedOnError, Tables
from jeopardice.web.records import Records, data_file
from jeopardice.web.safety import LOOPBACK, Guard
from jeopardice.web.shelf import NotSolvedError, Shelf

ABOUT = "Exact play for push-your-luck dice games: what to do now, what everything else is worth, and why."


def create_app(
    *,
    limits: Limits | None = None,
    records: Path | None = None,
    hosts: frozenset[str] = LOOPBACK,
    any_address: bool = False,
    token: str | None = None,
) -> FastAPI:
    """Return the application. `records` is the file for finished games; bound beyond loopback, give a `token`."""
    limits = limits or Limits()
    workers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="records")

    def afterwards(work: Callable[..., Any], *given: Any) -> None:
        """Do something after the answer: a finished game is kept without making the player wait."""
        workers.submit(work, *given).add_done_callback(_log_failure)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.shelf.close()
        app.state.shelf.desk.close()
        workers.shutdown(wait=True)

    app = FastAPI(
        title="jeopardice",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=lifespan,
    )
    app.state.limits = limits
    app.state.shelf = Shelf(limits)
    app.state.records = Records(records or data_file())
    app.state.tables = Tables(limits.sessions)
    app.state.later = afterwards
    app.include_router(api.router)
    app.include_router(play_api.router)
    pages.add_pages(app)
    _add_refusals(app)
    app.add_middleware(FastLane, state=app.state)
    app.add_middleware(
        Guard,
        hosts=hosts,
        any_address=any_address,
        token=token,
        body_bytes=limits.body_bytes,
        query_bytes=limits.query_bytes,
        body_seconds=limits.body_seconds,
    )
    return app


def _add_refusals(app: FastAPI) -> None:
    """Turn the package's errors into answers: one line, and a status that says whose mistake it was."""

    @app.exception_handler(RequestValidationError)
    async def misread(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        return _refusal(422, f"{place}: {first['msg']}")

    @app.exception_handler(LimitError)
    async def too_much(_: Request, error: LimitError) -> JSONResponse:
        return _refusal(422, str(error), limit=error.limit, most=error.most)

    @app.exception_handler(BusyError)
    async def busy(_: Request, error: BusyError) -> JSONResponse:
        return _refusal(429, str(error), limit=error.limit)

    @app.exception_handler(ClosingError)
    async def closing(_: Request, error: ClosingError) -> JSONResponse:
        return _refusal(503, str(error))

    @app.exception_handler(NotSolvedError)
    async def unsolved(_: Request, error: NotSolvedError) -> JSONResponse:
        return _refusal(409, str(error), limit="steps_at_once")

    @app.exception_handler(MovedOnError)
    async def moved_on(_: Request, error: MovedOnError) -> JSONResponse:
        return _refusal(409, str(error))

    @app.exception_handler(HTTPException)  # the framework's own too: no such page, not this method, no JSON
    async def missing(_: Request, error: HTTPException) -> JSONResponse:
        answer = _refusal(error.status_code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(ValueError)
    async def refused(_: Request, error: ValueError) -> JSONResponse:
        return _refusal(422, str(error))


def _refusal(status: int, error: str, **more: Any) -> JSONResponse:
    return JSONResponse({"error": " ".join(error.split()), **more}, status_code=status)


def _log_failure(done: "Future[Any]") -> None:
    if done.exception() is not None:
        logging.getLogger("jeopardice.web").error("a finished game was not kept: %s", done.exception())
