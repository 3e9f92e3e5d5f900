"""The application: the JSON interface, the pages, and the guard in front of both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from jeopardice import __version__
from jeopardice.web import api, pages
from jeopardice.web.limits import BusyError, LimitError, Limits
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

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.shelf.close()

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
    app.include_router(api.router)
    pages.add_pages(app)
    _add_refusals(app)
    app.add_middleware(
        Guard,
        hosts=hosts,
        any_address=any_address,
        token=token,
        body_bytes=limits.body_bytes,
        query_bytes=limits.query_bytes,
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
        return _refusal(429, str(error), limit="jobs")

    @app.exception_handler(NotSolvedError)
    async def unsolved(_: Request, error: NotSolvedError) -> JSONResponse:
        return _refusal(409, str(error), limit="steps_at_once")

    @app.exception_handler(HTTPException)
    async def missing(_: Request, error: HTTPException) -> JSONResponse:
        return _refusal(error.status_code, str(error.detail))

    @app.exception_handler(ValueError)
    async def refused(_: Request, error: ValueError) -> JSONResponse:
        return _refusal(422, str(error))


def _refusal(status: int, error: str, **more: Any) -> JSONResponse:
    return JSONResponse({"error": " ".join(error.split()), **more}, status_code=status)
