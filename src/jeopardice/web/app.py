"""The application: the JSON interface, the pages, and the guard in front of both."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from jeopardice import __version__
from jeopardice.errors import NO_MEMORY, one_line
from jeopardice.types import JsonObject
from jeopardice.web import api, links, pages, play_api
from jeopardice.web.catalog import named_goals
from jeopardice.web.desk import ClosingError
from jeopardice.web.fast_lane import FastLane
from jeopardice.web.limits import BusyError, LimitError, Limits
from jeopardice.web.play import MovedOnError, Tables
from jeopardice.web.records import Records, data_file
from jeopardice.web.safety import LOOPBACK, Guard, wants_page
from jeopardice.web.shelf import NotSolvedError, Shelf

ABOUT = "Exact play for push-your-luck dice games: what to do now, what everything else is worth, and why."


def create_app(
    *,
    limits: Limits | None = None,
    records: Path | None = None,
    cache: bool = False,
    hosts: frozenset[str] = LOOPBACK,
    any_address: bool = False,
    token: str | None = None,
    names: Sequence[str] = ("127.0.0.1",),
    embed: bool = False,
) -> FastAPI:
    """Return the application. `records` is the file for finished games; bound beyond loopback, give a `token`.

    With `cache` solutions are kept on disk, and named rule sets are solved beforehand. `names` are the names
    under which it is reached, this machine's own first; with `embed` other sites may frame the page /embed.
    """
    limits = limits or Limits()
    workers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="records")

    def afterwards(work: Callable[..., Any], *given: Any) -> None:
        """Do something after the answer: a finished game is kept without making the player wait."""
        workers.submit(work, *given).add_done_callback(_log_failure)

    async def settled() -> None:
        """Wait until everything that was to be done afterwards is done."""
        await asyncio.wrap_future(workers.submit(lambda: None))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.shelf.prepare(named_goals())
        yield
        app.state.shelf.close()
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
    app.state.shelf = Shelf(limits, cache=cache)
    app.state.records = Records(records or data_file())
    app.state.tables = Tables(limits.sessions)
    app.state.names = list(names)
    app.state.embed = embed
    app.state.later = afterwards
    app.state.settled = settled
    app.include_router(api.router)
    app.include_router(play_api.router)
    app.include_router(links.router)
    pages.add_pages(app)
    _add_refusals(app)
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)
    app.add_middleware(FastLane, state=app.state)
    app.add_middleware(
        Guard,
        hosts=hosts,
        any_address=any_address,
        token=token,
        body_bytes=limits.body_bytes,
        query_bytes=limits.query_bytes,
        body_seconds=limits.body_seconds,
        error_page=pages.error_page,
        framed="/embed" if embed else None,
    )
    return app


NO_JSON = "the body of this request is a JSON object, but something else came; see /api for what it holds"


def _add_refusals(app: FastAPI) -> None:
    """Turn the package's errors into answers: one line, and a status that says whose mistake it was."""

    @app.exception_handler(RequestValidationError)
    async def misread(_: Request, error: RequestValidationError) -> JSONResponse:
        return _refusal(422, _misread_words(error.errors()[0]))

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
    async def missing(request: Request, error: HTTPException) -> Response:
        words = str(error.detail)
        answer: Response = _refusal(error.status_code, _missing_words(request, error))
        if wants_page(request.scope):
            if error.status_code == 404 and words == "Not Found":
                words = f"{request.url.path} is not one of the pages here; the links above lead to all of them."
            answer = HTMLResponse(pages.error_page(error.status_code, words), error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(MemoryError)
    async def too_large(_: Request, error: MemoryError) -> JSONResponse:
        return _refusal(422, NO_MEMORY)

    @app.exception_handler(ValueError)
    async def refused(_: Request, error: ValueError) -> JSONResponse:
        return _refusal(422, str(error))


def _missing_words(request: Request, error: HTTPException) -> str:
    """Return in plain words what the framework refused: an address, a method, or a body that is no JSON."""
    words, path = str(error.detail), request.url.path
    return {
        "Not Found": f"{path} is not one of the addresses here; see /api for all of them",
        "Method Not Allowed": f"{path} takes {(error.headers or {}).get('Allow')}, got {request.method}",
        "There was an error parsing the body": NO_JSON,
    }.get(words, words)


def _misread_words(fault: JsonObject) -> str:
    """Return in plain words what is wrong with a request: what is needed, and what came."""
    place = ".".join(str(part) for part in fault["loc"][1:]) or "the request"
    context, kind, got = fault.get("ctx", {}), fault["type"], fault.get("input")
    if kind in ("json_invalid", "model_attributes_type") or (kind == "missing" and place == "the request"):
        return NO_JSON
    needed = {
        "int_parsing": "is a whole number",
        "int_type": "is a whole number",
        "int_from_float": "is a whole number",
        "finite_number": "is a whole number",
        "greater_than_equal": f"is at least {context.get('ge')}",
        "less_than_equal": f"is at most {context.get('le')}",
        "less_than": f"is less than {context.get('lt')}",
        "literal_error": f"is one of {str(context.get('expected')).replace(chr(39), '').replace(' or ', ', ')}",
        "bool_parsing": "is true or false",
        "string_type": "is a text",
        "string_too_short": f"has at least {context.get('min_length')} character(s)",
        "string_too_long": f"has at most {context.get('max_length')} characters",
        "dict_type": "is a JSON object",
    }.get(kind)
    if kind == "missing":
        return f"{place} is missing"
    if kind == "extra_forbidden":
        return f"there is nothing called {place} here; see /api for all addresses"
    if needed is None:
        return f"{place}: {fault['msg']}"
    return f"{place} {needed}" + ("" if kind == "string_too_long" else f", got {got!r}")


def _refusal(status: int, error: str, **more: Any) -> JSONResponse:
    return JSONResponse({"error": one_line(error), **more}, status_code=status)


def _log_failure(done: "Future[Any]") -> None:
    if done.exception() is not None:
        logging.getLogger("jeopardice.web").error("a finished game was not kept: %s", done.exception())
