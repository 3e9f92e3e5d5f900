"""Handing a page on: short links, QR codes, and the name under which other machines reach this server.

A short link is a code for a path of this server; the records hold what it stands for. The same path has the same code.
"""

import hashlib
from io import BytesIO
from typing import Annotated, Any

import segno
from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from jeopardice.errors import PositionError
from jeopardice.web.api import REFUSED, answered, answers_with, shelf_of

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
CODE_LENGTH = 7
SVG = "image/svg+xml"

router = APIRouter(responses=REFUSED)


class LinkBody(BaseModel):
    """A page of this server: its path and query."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(max_length=8192, description="a path of this server with its query, such as /advise?mine=41")


def code_of(path: str) -> str:
    """Return the code of a path: letters and digits that are not mistaken for each other.

    >>> len(code_of("/advise?mine=41")), code_of("/") == code_of("/")
    (7, True)
    """
    number = int.from_bytes(hashlib.sha256(path.encode()).digest())
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return "".join(letters)


@router.post("/api/v1/links", tags=["links"], summary="A short link")
async def shorten(request: Request, body: LinkBody) -> Response:
    """Return the code of a page: /s/code leads to it."""
    path = body.path
    if not path.startswith("/") or path.startswith(("//", "/\\", "/s/")) or not path.isprintable():
        raise PositionError(f"a short link leads to a page of this server, such as /advise?mine=41, got {path[:80]!r}")
    code = code_of(path)
    await shelf_of(request).desk.answer(request.app.state.records.add_link, code, path)
    return answered({"code": code, "path": path})


@router.get("/s/{code}", include_in_schema=False)
async def follow(request: Request, code: str) -> RedirectResponse:
    """Lead a short link to its page."""
    path = await shelf_of(request).desk.answer(request.app.state.records.link, code)
    if path is None:
        raise HTTPException(404, f"the short link {code!r} is not known here; ask for the whole link")
    return RedirectResponse(path, status_code=302)


@router.get("/api/v1/qr", tags=["links"], summary="A link as a QR code (SVG)", **answers_with(SVG))
async def qr_code(request: Request, text: Annotated[str, Query(min_length=1, max_length=1500)]) -> Response:
    """Return a text as a QR code, drawn as SVG."""
    return Response(await shelf_of(request).desk.answer(_drawn, text), media_type=SVG)


def _drawn(text: str) -> bytes:
    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        raise ValueError(f"a QR code holds at most 2,331 bytes, got {len(text.encode()):,}; shorten the text") from None
    image = BytesIO()
    code.save(image, kind="svg", scale=4, border=3, light="#ffffff", xmldecl=False)
    return image.getvalue()


@router.get("/api/v1/here", tags=["links"], summary="Where other machines reach this server")
async def here(request: Request) -> Response:
    """Return the name of this machine for links that others open; a loopback address if they cannot."""
    names: list[Any] = request.app.state.names
    return answered({"name": names[-1] if len(names) == 1 else names[1], "names": names})
