"""The pages: one frame, a body for each, and static files; plotly.js comes out of the installed plotly package.

Whatever goes wrong outside of the JSON interface is told on a page too (`error_page`).

Nothing is fetched from elsewhere and there is no build step. Static files carry an ETag and are asked for again each time,
so that an update shows at once.
"""

from functools import lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

from jeopardice import __version__

STATIC = Path(__file__).parent / "static"
PAGES = {
    "play": ("/", "Play", "Play against a perfect opponent, or a weaker one"),
    "report": ("/report", "Report", "Luck and skill of a game, decision by decision"),
    "advise": ("/advise", "Advise", "What should I do now? Every option, best first"),
    "explore": ("/explore", "Explore", "The whole strategy in pictures"),
    "drill": ("/drill", "Drill", "Practise the decisions people get wrong"),
    "rules": ("/rules", "Rules", "Change the rules or design your own dice"),
    "api": ("/api", "API", "The same answers as JSON"),
}


class Fresh(StaticFiles):
    """Static files that a browser checks for news each time."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with the file and the word to revalidate it."""
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = "no-cache"
        if path == "worker.js":  # it serves the pages, which do not lie below it
            answer.headers["Service-Worker-Allowed"] = "/"
        return answer


def add_pages(app: FastAPI) -> None:
    """Serve the pages and their files."""
    for name, (path, _, _) in PAGES.items():
        app.add_api_route(
            path, _page_route(name), methods=["GET"], include_in_schema=False, response_class=HTMLResponse
        )
    app.add_api_route("/help", help_route, methods=["GET"], include_in_schema=False, response_class=HTMLResponse)
    app.add_api_route("/embed", embed_route, methods=["GET"], include_in_schema=False, response_class=HTMLResponse)
    app.add_api_route("/play", play_route, methods=["GET"], include_in_schema=False)
    app.add_api_route("/plotly.js", plotly_file, methods=["GET"], include_in_schema=False)
    app.mount("/static", Fresh(directory=STATIC), name="static")


@lru_cache(maxsize=16)
def page(name: str) -> str:
    """Return a page: the frame with its body."""
    _, title, about = PAGES[name]
    return _framed(name, title, about, (STATIC / "pages" / f"{name}.html").read_text("utf-8"))


ERRORS = {401: "A token is needed", 404: "There is no such page"}


def error_page(status: int, words: str) -> str:
    """Return a page that says what went wrong and leads on."""
    title = ERRORS.get(status, "That did not work")
    body = (STATIC / "pages" / "error.html").read_text("utf-8")
    form = (STATIC / "pages" / "token.html").read_text("utf-8") if status == 401 else ""
    for key, text in {"title": title, "words": escape(words), "form": form}.items():
        body = body.replace("{{" + key + "}}", text)
    return _framed("error", title, title, body)


def _framed(name: str, title: str, about: str, body: str, frame: str = "frame.html") -> str:
    text = (STATIC / frame).read_text("utf-8").replace("{{head}}", (STATIC / "head.html").read_text("utf-8"))
    links = "".join(
        f'<a href="{path}"{" aria-current=page" if key == name else ""} title="{escape(hint)}">{label}</a>'
        for key, (path, label, hint) in PAGES.items()
    )
    parts = {"name": name, "title": title, "about": escape(about), "links": links, "body": body, "version": __version__}
    for key, part in parts.items():
        text = text.replace("{{" + key + "}}", part)
    return text


def _page_route(name: str):  # type: ignore[no-untyped-def]
    async def show(request: Request) -> HTMLResponse:
        return HTMLResponse(page(name), headers={"Cache-Control": "no-cache"})

    return show


async def help_route() -> HTMLResponse:
    """Show the tour, examples and words."""
    body = (STATIC / "pages" / "help.html").read_text("utf-8")
    text = _framed("help", "Help", "A tour, examples to click, and what the words mean", body)
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


async def embed_route(request: Request) -> HTMLResponse:
    """Show a position for other sites to frame, if the server allows that."""
    if not request.app.state.embed:
        raise HTTPException(404, "Other sites may not show positions of this server; start it with --embed to allow it")
    return HTMLResponse(_framed("embed", "A position", "", "", "embed.html"), headers={"Cache-Control": "no-cache"})


async def play_route(request: Request) -> RedirectResponse:
    """Lead /play to the page where games are played, with everything the link says."""
    return RedirectResponse(f"/?{request.url.query}" if request.url.query else "/", status_code=308)


async def plotly_file() -> FileResponse:
    """Serve plotly.js from inside the installed plotly package."""
    spec = find_spec("plotly")
    found = Path(spec.origin).parent / "package_data" / "plotly.min.js" if spec and spec.origin else None
    if found is None or not found.is_file():
        raise HTTPException(404, "plotly is not installed, so there is no 3-D picture: pip install 'jeopardice[web]'")
    return FileResponse(found, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})
