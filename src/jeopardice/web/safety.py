"""Who may talk to the server, and what a page may load.

The server is for the person at this machine. A name that resolves to this machine only by DNS rebinding is refused by the
Host header; a page from elsewhere that posts here, or asks the JSON interface for anything, is refused by its Origin or
by what the browser says of it; bound to another address than loopback, a token is needed as well (not for the
static files, which everybody can read in the package). A page loads nothing
but what this server serves (the content security policy says so). Nothing larger than the limit is read, and a body that
does not arrive in time is not waited for.
"""

import asyncio
import hmac
import ipaddress
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from html import escape
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

FAULT = "this is a fault of the program, not yours; please report what you asked for and what the server printed"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "jeopardice_token"
HOST = re.compile(r"(?P<name>[^:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
API = "/api/"
STATIC = "/static/"
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


FRAMED_HEADERS = [
    (b"content-security-policy", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode()),
    *((name, value) for name, value in HEADERS if name not in (b"content-security-policy", b"x-frame-options")),
]
"""The same for the one page that other sites may frame."""
NO_STORE = (b"cache-control", b"no-store")


def plain_page(status: int, words: str) -> str:
    """Return the shortest page that says something."""
    return f"<!doctype html><title>{status}</title><p>{escape(words)}</p>"


def wants_page(scope: Scope) -> bool:
    """Whether an answer is for a person: whatever is read outside of the JSON interface is."""
    return scope["method"] in ("GET", "HEAD") and not scope["path"].startswith((API, STATIC))


class TooLargeBody(Exception):
    """The body is longer than it may be."""


class LateBody(Exception):
    """The body did not arrive in time."""


class Guard:
    """The application behind its checks: host, token, origin, sizes; and the headers every answer carries."""

    def __init__(
        self,
        app: App,
        *,
        hosts: frozenset[str] = LOOPBACK,
        any_address: bool = False,
        token: str | None = None,
        body_bytes: int = 65_536,
        query_bytes: int = 8_192,
        body_seconds: float = 10.0,
        error_page: Callable[[int, str], str] = plain_page,
        framed: str | None = None,
    ) -> None:
        self.app, self.hosts, self.any_address, self.token = app, hosts, any_address, token
        self.body_bytes, self.query_bytes, self.body_seconds = body_bytes, query_bytes, body_seconds
        self.error_page, self.framed = error_page, framed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await self._answer(scope, send, *refusal)
            return
        if self.token is not None and not scope["path"].startswith(STATIC) and not self._has_token(headers):
            await self._ask_for_token(scope, send)
            return
        is_head = scope["method"] == "HEAD"
        if is_head:
            scope = {**scope, "method": "GET"}
        measured = _Measured(receive, self.body_bytes, self.body_seconds)
        is_answered = False

        async def guarded_send(message: Message) -> None:
            nonlocal is_answered
            if measured.refusal is not None:
                return  # whatever the application makes of the broken-off body, the answer is why it was broken off
            if message["type"] == "http.response.start":
                is_answered = True
                ours = FRAMED_HEADERS if scope["path"] == self.framed else HEADERS
                message = {**message, "headers": _with_ours(message.get("headers", []), ours)}
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            await self.app(scope, measured, guarded_send)
        except (TooLargeBody, LateBody):
            pass
        except asyncio.CancelledError:  # the server is being stopped, and has waited long enough for this body
            if not is_answered:
                await self._answer(scope, send, 503, "the server is being stopped")
        except Exception:  # uvicorn prints it
            if not is_answered:
                await self._answer(scope, send, 500, FAULT)
            raise
        if measured.refusal is not None:
            await self._answer(scope, send, *measured.refusal)

    async def _answer(
        self, scope: Scope, send: Send, status: int, words: str, extra: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        """Send a refusal: as a page to people, as JSON to programs."""
        if wants_page(scope):
            kind, body = b"text/html; charset=utf-8", self.error_page(status, words).encode()
        else:
            kind, body = b"application/json", json.dumps({"error": words}).encode()
        length = (b"content-length", str(len(body)).encode())
        headers = [(b"content-type", kind), length, NO_STORE, *HEADERS, *extra]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        if hosts != 1 or not self._is_our_host(host):
            return 421, f"this server answers to {', '.join(sorted(self.hosts))} only, got Host {host!r}"
        if len(scope.get("query_string", b"")) > self.query_bytes:
            return 414, f"a link has at most {self.query_bytes:,} bytes here; shorten it"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return 400, "Content-Length is a whole number"
        if int(length) > self.body_bytes:
            return _too_large(self.body_bytes)
        if scope["method"] in ("GET", "HEAD", "OPTIONS") and not scope["path"].startswith(API):
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") not in (f"http://{host}", f"https://{host}"):
            return 403, f"a page from {origin.decode('latin-1')!r} may not ask for anything here"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "a page from another site may not ask for anything here"
        return None

    def _is_our_host(self, host: str) -> bool:
        parts = HOST.fullmatch(host)
        if parts is None:
            return False
        name = parts["name"].strip("[]")
        if name.lower() in self.hosts:
            return True
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _has_token(self, headers: dict[bytes, bytes]) -> bool:
        sent = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
        try:
            cookie = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(COOKIE)
        except CookieError:
            cookie = None
        wanted = (self.token or "").encode()
        return any(
            hmac.compare_digest(given.encode(), wanted) for given in (sent, cookie.value if cookie else "") if given
        )

    async def _ask_for_token(self, scope: Scope, send: Send) -> None:
        """A link with the right token trades it for a cookie; anything else is told that a token is needed."""
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        given = dict(query).get("token", "")
        if scope["method"] == "GET" and given and hmac.compare_digest(given.encode(), (self.token or "").encode()):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            place = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")
            cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            extra = [(b"location", place.encode("ascii")), (b"set-cookie", cookie.encode())]
            await self._answer(scope, send, 303, "welcome", extra)
            return
        wrong = "this token is not the right one; " if given else ""
        needed = f"{wrong}open the link that `jeopardice serve` printed, or type the token"
        if not wants_page(scope):
            needed = (
                f"{wrong}a token is needed: open the link that `jeopardice serve` printed, or send it as a Bearer token"
            )
        await self._answer(scope, send, 401, needed)


class _Measured:
    """Reads a body, and breaks off where it grows too large or does not arrive."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self.receive, self.most, self.seconds, self.read = receive, most, seconds, 0
        self.refusal: tuple[int, str] | None = None
        self.is_whole = False

    async def __call__(self) -> Message:
        if self.is_whole:  # what comes now is that the other side has gone, which may take long
            return await self.receive()
        try:
            async with asyncio.timeout(self.seconds):
                message = await self.receive()
        except TimeoutError:
            self.refusal = 408, f"the body did not arrive within {self.seconds:g} seconds; send it again"
            raise LateBody from None
        self.read += len(message.get("body", b""))
        self.is_whole = not message.get("more_body", False)
        if self.read > self.most:
            self.refusal = _too_large(self.most)
            raise TooLargeBody
        return message


def _too_large(most: int) -> tuple[int, str]:
    return 413, f"a request has at most {most:,} bytes here; send less"


def _with_ours(headers: Iterable[tuple[bytes, bytes]], ours: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer and those that every answer carries; JSON is never stored unless it says so."""
    headers = list(headers)
    names = {name.lower(): value for name, value in headers}
    is_json = names.get(b"content-type", b"").startswith(b"application/json")
    caching = [NO_STORE] if is_json and b"cache-control" not in names else []
    return [*headers, *caching, *ours]
