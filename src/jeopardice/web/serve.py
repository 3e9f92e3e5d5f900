"""Running the server: the socket, the token, and the link that is printed once the page can be opened."""

import ipaddress
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from jeopardice.web.app import create_app
from jeopardice.web.safety import LOOPBACK


def is_loopback(host: str) -> bool:
    """Whether a server bound to `host` can only be reached from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Announced(uvicorn.Server):
    """A server that says so once it answers."""

    announce: Callable[[], None] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        if self.started:
            self.announce()


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
        raise OSError(f"cannot listen on {host} port {port}: {failure.strerror}; choose another --port") from failure
    made.listen(128)
    return made


def serve(
    host: str,
    port: int,
    *,
    token: str | None,
    names: tuple[str, ...],
    browser: bool,
    ready: Callable[[str], object],
    records: Path | None = None,
) -> None:
    """Serve until interrupted; `ready` is told the link. Beyond loopback a token is needed, a random one if none is given."""
    local = is_loopback(host)
    if token is None and not local:
        token = secrets.token_urlsafe(18)
    app = create_app(
        hosts=LOOPBACK | {host.lower()} | {name.lower() for name in names},
        any_address=not local,
        token=token,
        records=records,
    )
    bound = _bound(host, port)
    shown = f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host
    link = f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={token}" if token else "")
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    server = _Announced(config)

    def announce() -> None:
        ready(link)
        if browser:
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    server.announce = announce
    server.run(sockets=[bound])
