"""Running the server: the socket, the token, and the link that is printed once the page can be opened.

A request whose head does not arrive in time is not waited for. When the server is stopped, work that is still going on is
told to end; the process does not wait for work that does not listen.
"""

import errno
import ipaddress
import os
import secrets
import socket
import sys
import threading
import time
import webbrowser
from asyncio import BaseTransport, TimerHandle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from h11 import LocalProtocolError
from uvicorn.protocols.http.h11_impl import H11Protocol

from jeopardice.web.app import create_app
from jeopardice.web.limits import Limits
from jeopardice.web.safety import LOOPBACK

CLOSING_SECONDS = 0.5
"""How long a stopped server waits for work that has been told to end."""


def is_loopback(host: str) -> bool:
    """Whether a server bound to `host` can only be reached from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def reachable_names(host: str) -> list[str]:
    """Return the names under which a server bound to `host` is reached, as links write them: this machine's first.

    Bound to all addresses, the ones that other machines use come after it.
    """
    if host not in ("0.0.0.0", "::"):
        return [f"[{host}]" if ":" in host else host]
    family = socket.AF_INET if host == "0.0.0.0" else socket.AF_INET6
    own = [f"[{address}]" if ":" in address else address for address in own_addresses(family)]
    return ["127.0.0.1" if host == "0.0.0.0" else "[::1]", *own]


def own_addresses(family: socket.AddressFamily = socket.AF_INET) -> list[str]:
    """Return this machine's addresses beyond loopback: the one that packets leave by first. Nothing is sent."""
    found: list[str] = []
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1" if family == socket.AF_INET else "2001:db8::1", 9))  # addresses for documentation
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, family)]
    return [address for address in dict.fromkeys(found) if not is_loopback(address) and "%" not in address]


class _Impatient(H11Protocol):
    """A connection that is closed if a request breaks the protocol, or its head does not arrive within `head_seconds`."""

    head_seconds: float = Limits().head_seconds
    _timer: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Read on; a whole head ends the waiting, the beginning of one does not."""
        super().data_received(data)
        self._wait_for_head()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, if no answer is on its way; the application answers no more."""
        with suppress(LocalProtocolError):
            super().send_400_response(msg)
        self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True

    def _wait_for_head(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.head_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Announced(uvicorn.Server):
    """A server that says so once it answers, and tells open work to end before it waits for open requests."""

    announce: Callable[[], None] = staticmethod(lambda: None)
    end_work: Callable[[], None] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        if self.started:
            self.announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work, then shut down."""
        self.end_work()
        await super().shutdown(sockets)


def _bound(host: str, port: int) -> socket.socket:
    """Return the listening socket, with its protocol named: only then does asyncio send small answers without delay."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as failure:
        made.close()
        other = "--host" if isinstance(failure, socket.gaierror) or failure.errno == errno.EADDRNOTAVAIL else "--port"
        raise OSError(f"cannot listen on {host} port {port}: {failure.strerror}; choose another {other}") from failure
    made.listen(128)
    return made


def serve(
    host: str,
    port: int,
    *,
    token: str | None,
    names: tuple[str, ...],
    browser: bool,
    ready: Callable[[list[str]], object],
    records: Path | None = None,
    embed: bool = False,
) -> None:
    """Serve until interrupted; `ready` is told the links. Beyond loopback a token is needed, a random one if none is given."""
    if not host:
        raise ValueError(
            "the page is served at an address, got --host ''; leave it out for this machine alone, 0.0.0.0 for all"
        )
    local = is_loopback(host)
    if token is None and not local:
        token = secrets.token_urlsafe(18)
    app = create_app(
        hosts=LOOPBACK | {host.lower()} | {name.lower() for name in names},
        any_address=not local,
        token=token,
        records=records,
        cache=True,
        names=reachable_names(host),
        embed=embed,
    )
    bound = _bound(host, port)
    port = bound.getsockname()[1]
    links = [f"http://{name}:{port}/" + (f"?token={token}" if token else "") for name in reachable_names(host)]
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, http=_Impatient, ws="none"
    )
    server = _Announced(config)

    def announce() -> None:
        ready(links)
        if browser:
            threading.Thread(target=webbrowser.open, args=(links[0],), daemon=True).start()

    server.announce, server.end_work = announce, app.state.shelf.close
    try:
        server.run(sockets=[bound])
    finally:
        _leave_work_behind()


def _leave_work_behind() -> None:
    """End the process if some work does not end by itself: Python would wait for it."""
    end = time.monotonic() + CLOSING_SECONDS
    while any(_is_at_work(thread) for thread in threading.enumerate()):
        if time.monotonic() > end:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
        time.sleep(0.02)


def _is_at_work(thread: threading.Thread) -> bool:
    return thread.is_alive() and thread.name.startswith(("answer", "quick", "solve"))
