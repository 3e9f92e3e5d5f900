"""Who may talk to the server, and what a page may load.

The server is for the person at this machine. A name that resolves to this machine only by DNS rebinding is refused by the
Host header; a page from elsewhere that posts here is refused by its Origin; bound to another address than loopback, a
token is needed as well. A page loads nothing but what this server serves (the content security policy says so), and nothing
larger than the limit is read.
"""

import hmac
import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "jeopardice_token"
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


class TooLargeBody(Exception):
    """The body is longer than it may be."""


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
    ) -> None:
        self.app, self.hosts, self.any_address, self.token = app, hosts, any_address, token
        self.body_bytes, self.query_bytes = body_bytes, query_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        if self.token is not None and not self._has_token(headers):
            await self._ask_for_token(scope, send)
            return
        measured = _Measured(receive, self.body_bytes)

        async def guarded_send(message: Message) -> None:
            if measured.too_large:
                return  # whatever the application makes of the broken-off body, the answer is that it was too large
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await send(message)

        with suppress(TooLargeBody):
            await self.app(scope, measured, guarded_send)
        if measured.too_large:
            await _answer(send, 413, self._too_large)

    @property
    def _too_large(self) -> str:
        return f"body_bytes is at most {self.body_bytes} here; send less"

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_our_host(host):
            return 421, f"this server answers to {', '.join(sorted(self.hosts))} only, got Host {host!r}"
        if len(scope.get("query_string", b"")) > self.query_bytes:
            return 414, f"query_bytes is at most {self.query_bytes} here; shorten the link"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return 400, "Content-Length is a whole number"
        if int(length) > self.body_bytes:
            return 413, self._too_large
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1") not in (f"http://{host}", f"https://{host}"):
            return 403, f"a page from {origin.decode('latin-1')!r} may not change anything here"
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "a page from another site may not change anything here"
        return None

    def _is_our_host(self, host: str) -> bool:
        name = host.rsplit("]", 1)[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
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
            place = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
            cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            extra = [(b"location", place.encode("latin-1", "replace")), (b"set-cookie", cookie.encode())]
            await _answer(send, 303, "welcome", extra)
            return
        await _answer(
            send, 401, "a token is needed: open the link that `jeopardice serve` printed, or send it as a Bearer token"
        )


class _Measured:
    """Reads a body, and breaks off where it grows too large."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive, self.most, self.read, self.too_large = receive, most, 0, False

    async def __call__(self) -> Message:
        message = await self.receive()
        self.read += len(message.get("body", b""))
        if self.read > self.most:
            self.too_large = True
            raise TooLargeBody
        return message


async def _answer(send: Send, status: int, error: str, extra: list[tuple[bytes, bytes]] | None = None) -> None:
    body = json.dumps({"error": error}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *HEADERS,
        *(extra or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
