"""No request keeps the server from answering others, and nothing odd gets through its door."""

import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

from jeopardice.errors import StaleSolution
from jeopardice.kernels.stopping import check_wanted
from jeopardice.web import create_app
from jeopardice.web.limits import Limits
from jeopardice.web.records import Records
from jeopardice.web.safety import Guard

API = "/api/v1"
HERE = "http://127.0.0.1:8123"
SLOW_FACES = ",".join(["bust", *(f"{9_999 - face}*40" for face in range(38))])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(records=tmp_path_factory.mktemp("web") / "records.sqlite", limits=Limits(answer_seconds=1))
    with TestClient(app, base_url=HERE) as asked:
        yield asked


class Server:
    """A real server in a process of its own."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "jeopardice", "serve", "--port", "0", "--no-browser"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment(data)
        )
        self.lines: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found[1])
                return
        raise AssertionError(f"the server did not start: {self.lines}")

    def get(self, path: str) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())


def _environment(data: Path) -> dict[str, str]:
    return {**os.environ, "JEOPARDICE_DATA": str(data)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    if running.process.poll() is None:
        running.process.kill()
    running.process.communicate(timeout=60)


# --- work


def test_heavy_requests_do_not_keep_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go, answers = threading.Event(), []
    monkeypatch.setattr("jeopardice.web.api._picture", lambda *_: let_go.wait(30) and b"{}")
    limits = Limits(answer_seconds=60)
    with TestClient(create_app(records=tmp_path / "r.sqlite", limits=limits), base_url=HERE) as client:
        heavy = [threading.Thread(target=lambda: answers.append(client.get(f"{API}/curves"))) for _ in range(8)]
        for thread in heavy:
            thread.start()
        assert client.get(f"{API}/games").status_code == 200
        assert not answers
        let_go.set()
        for thread in heavy:
            thread.join()
    assert [answer.status_code for answer in answers] == [200] * 8


def test_an_interrupt_ends_the_server_and_its_work(server: Server) -> None:
    """More of it than threads, of 20 s each: all requests are answered, and the server prints no traceback."""
    paths = [f"{API}/law?goal=alone&target={90_000 + number}" for number in range(12)]
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda path: _quietly(lambda: answers.append(server.get(path))), args=(path,))
        for path in paths
    ]
    for thread in threads:
        thread.start()
    half = socket.create_connection(("127.0.0.1", server.port))
    half.sendall(f"POST {API}/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{{".encode())
    time.sleep(2.0)
    server.process.send_signal(signal.SIGINT)
    server.process.wait(30)  # about one second on a machine that does nothing else; the work would take a minute
    half.close()
    for thread in threads:
        thread.join()
    assert {status for status, _ in answers} <= {200, 422, 429, 503}
    assert server.process.stdout is not None and "Traceback" not in server.process.stdout.read()
    assert server.process.returncode in (0, 130)


@pytest.mark.parametrize(("path", "sent", "status"), [("solve", b"zz\r\n", b"400"), ("nothing", b"1\r\n{\r\n", b"404")])
def test_a_body_that_breaks_off_is_no_traceback(server: Server, path: str, sent: bytes, status: bytes) -> None:
    head = f"POST {API}/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client, suppress(ConnectionError):
        client.sendall(head.encode() + sent)
        assert client.recv(4096).startswith(b"HTTP/1.1 " + status)
        client.sendall(b"not a chunk\r\n")
        while client.recv(4096):
            pass
    server.process.send_signal(signal.SIGINT)
    assert server.process.stdout is not None and "Traceback" not in server.process.stdout.read()


def test_a_question_beyond_the_memory_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("jeopardice.web.api._picture", full)
    answer = client.get(f"{API}/curves")
    assert answer.status_code == 422 and "more memory than is free" in answer.json()["error"]


def test_the_law_of_a_long_race_needs_little_memory(client: TestClient) -> None:
    assert client.get(f"{API}/law?goal=alone&target=90000").json()["limit"] == "answer_seconds"


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/curves", "application/json"), ("/help", "text/html")])
def test_a_fault_of_the_program_has_the_shape_of_every_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, kind: str
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("jeopardice.web.api._picture", broken)
    monkeypatch.setattr("jeopardice.web.pages.HTMLResponse", broken)
    app = create_app(records=tmp_path / "r.sqlite")
    with TestClient(app, base_url=HERE, raise_server_exceptions=False) as asked:
        answer = asked.get(path)
    assert answer.status_code == 500 and answer.headers["content-type"].startswith(kind)
    assert "fault of the program" in answer.text and "content-security-policy" in answer.headers
    assert kind == "text/html" or set(answer.json()) == {"error"}


def _quietly(call: Any, *given: Any) -> None:
    try:
        call(*given)
    except OSError:
        return


def test_work_past_its_clock_is_broken_off(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def endless(*_: Any) -> None:
        try:
            while True:
                time.sleep(0.01)
                check_wanted()
        finally:
            ended.set()

    monkeypatch.setattr("jeopardice.web.api._picture", endless)
    answer = client.get(f"{API}/curves")
    assert answer.status_code == 422 and answer.json()["limit"] == "answer_seconds"
    assert ended.wait(10)


def test_work_that_does_not_listen_is_not_waited_for(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = threading.Event()
    monkeypatch.setattr("jeopardice.web.api._picture", lambda *_: let_go.wait(60))
    answer = client.get(f"{API}/curves")
    let_go.set()
    assert answer.status_code == 422 and answer.json()["limit"] == "answer_seconds"


@pytest.mark.parametrize("name", ["strict-stop-at-99999", "stop-at-101", "roll-9999-times", "roll-٣-times"])
def test_strategies_beyond_the_target_are_refused(client: TestClient, name: str) -> None:
    answer = client.get(f"{API}/compare", params={"strategies": ["optimal", name]})
    assert answer.status_code == 422 and answer.json()["error"].count("\n") == 0


def test_a_turn_is_counted_by_the_limit_of_steps(tmp_path: Path) -> None:
    faces = ",".join(["bust*40", *(f"{9_999 - face}*1000" for face in range(38))])
    body = {"game": "own-dice", "goal": "turn", "rules": f"faces:{faces};dice:3"}
    with TestClient(create_app(records=tmp_path / "r.sqlite"), base_url=HERE) as client:  # the clock of the product
        answer = client.post(f"{API}/solve", json=body)
    assert answer.status_code == 422 and answer.json()["limit"] in ("anchors", "solve_steps")


def test_a_job_ends_at_its_time_limit_while_it_certifies(tmp_path: Path) -> None:
    limits = Limits(job_seconds=0, steps_at_once=1)
    with TestClient(create_app(records=tmp_path / "r.sqlite", limits=limits), base_url=HERE) as client:
        job = client.post(f"{API}/solve", json={"game": "pig", "target": 300, "certify": True}).json()["job"]
        while job["state"] in ("waiting", "running", "certifying"):
            job = client.get(f"{API}/jobs/{job['id']}").json()["job"]
        assert job["state"] == "failed" and "the time of a solve" in job["error"]


# --- the records


def _filled(path: Path) -> None:
    records = Records(path)
    for number in range(40):
        records.add_game(f"g{number}", "pig", "duel", won=True, luck=0.1, loss=0.2, record={"acts": "0.1" * 50})
        records.add_drill("pig", "duel", {"mine": number}, "roll", "stop", 0.1, False)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def test_damaged_records_are_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever bytes the file holds: records work, and nothing of what was there is deleted."""
    pattern = tmp_path / "pattern.sqlite"
    _filled(pattern)
    whole, chance, set_aside = pattern.read_bytes(), random.Random(1), 0
    for number in range(60):
        damaged = bytearray(whole)
        if number % 3 == 0:
            damaged = damaged[: chance.randrange(len(whole))]
        elif number % 3 == 1:
            for _ in range(chance.choice((1, 10, 300))):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        else:
            start = chance.randrange(len(damaged))
            damaged[start : start + 4096] = bytes(chance.choice((0, 255)) for _ in damaged[start : start + 4096])
        path = tmp_path / str(number) / "records.sqlite"
        path.parent.mkdir()
        path.write_bytes(damaged)
        try:
            records = Records(path)
        except StaleSolution:
            continue  # the damage says that it is newer
        records.add_game("new", "pig", "duel", won=None, luck=0.0, loss=0.0, record={})
        records.add_drill("pig", "duel", {"mine": 1}, "roll", "stop", 0.1, False)
        assert "new" in {game["id"] for game in records.games()} and records.drills() and records.export()
        assert records.delete()["games"] >= 1
        aside = [file for file in path.parent.iterdir() if ".damaged-" in file.name]
        set_aside += bool(aside)
    assert set_aside > 20 and "new records begin" in caplog.text


def test_records_damaged_while_the_server_runs_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with TestClient(create_app(records=path), base_url=HERE) as client:
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.write_bytes(b"nothing of the sort" * 1000)
        answer = client.get(f"{API}/records")
        assert answer.status_code == 200 and answer.json() == {"games": [], "drills": [], "ratings": {}}


def test_records_where_nothing_can_be_written_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "records.sqlite", tmp_path):
        with pytest.raises(OSError, match="JEOPARDICE_DATA") as refusal:
            Records(path)
        assert "\n" not in str(refusal.value)


# --- the door


@pytest.mark.parametrize(
    "host",
    [
        "[::1].evil.com",
        "127.0.0.1:evil",
        "127.0.0.1:80:80",
        "[::1",
        "::1",
        "localhost:123456",
        "evil.com",
        "",
        "[]",
        "@",
    ],
)
def test_odd_hosts_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8123", "[::1]:8123", "[::1]", "LOCALHOST:1"])
def test_our_own_hosts_are_answered(client: TestClient, host: str) -> None:
    assert client.get(f"{API}/games", headers={"Host": host}).status_code == 200


def test_two_hosts_are_refused() -> None:
    guard = Guard(lambda *_: None)  # type: ignore[arg-type, return-value]
    headers = [(b"host", b"evil.com"), (b"host", b"localhost")]
    refusal = guard._refusal({"method": "GET", "path": "/", "headers": headers}, dict(headers))
    assert refusal is not None and refusal[0] == 421


@pytest.mark.parametrize(
    "path", ["/%5cevil.com", "//evil.com", "/%5C%5Cevil.com", "/%0d%0aSet-Cookie:%20a=b", "/é", "/%ff"]
)
def test_the_token_link_leads_to_this_server_only(tmp_path: Path, path: str) -> None:
    app = create_app(records=tmp_path / "r.sqlite", token="secret")
    with TestClient(app, base_url=HERE) as client:
        answer = client.get(HERE + path + "?token=secret", follow_redirects=False)
    assert answer.status_code == 303
    place = answer.headers["location"]
    assert re.fullmatch(r"/([\w.%:~=-][\w./%:~=-]*)?", place, re.ASCII), place


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_pages_may_not_ask_for_work(client: TestClient, site: str) -> None:
    assert client.get(f"{API}/value", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert client.get(f"{API}/value", headers={"Origin": "http://evil.com"}).status_code == 403
    assert client.get(f"{API}/value", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert client.get("/", headers={"Sec-Fetch-Site": site}).status_code == 200  # a link to the page is no harm


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", f"{API}/nothing", 404), ("PUT", f"{API}/games", 405), ("DELETE", "/", 405)],
)
def test_every_refusal_has_the_same_shape(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    words = f"{path} takes GET, got {method}" if status == 405 else f"{path} is not one of the addresses here"
    assert answer.status_code == status and set(answer.json()) == {"error"} and words in answer.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 30_000, b'{"a":' * 10_000, b"null", b"", b"\x00"])
def test_bodies_that_are_no_json_are_refused_in_one_line(client: TestClient, body: bytes) -> None:
    answer = client.post(f"{API}/solve", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert "JSON" in answer.json()["error"] and "detail" not in answer.json()


def test_head_is_get_without_its_body(client: TestClient) -> None:
    for path in ("/", f"{API}/games", f"{API}/advise?mine=3"):
        got, asked = client.get(path), client.head(path)
        assert asked.status_code == got.status_code == 200 and asked.content == b""
        assert asked.headers["content-length"] == got.headers["content-length"]


def test_json_is_not_stored(client: TestClient) -> None:
    client.get(f"{API}/value")
    for path in (f"{API}/games", f"{API}/advise", f"{API}/nothing", f"{API}/value?target=0"):
        assert client.get(path).headers["cache-control"] == "no-store"


def test_half_sent_requests_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uvicorn = pytest.importorskip("uvicorn")
    from jeopardice.web.serve import _Impatient

    monkeypatch.setattr(_Impatient, "head_seconds", 0.3)
    app = create_app(records=tmp_path / "r.sqlite", limits=Limits(body_seconds=1))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", http=_Impatient, ws="none"))
    bound = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    head = b"POST /api/v1/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for sent, wanted in (
        (b"", b""),
        (b"GET / HT", b""),
        (head, b""),
        (head + b"Content-Length: 10\r\n\r\n{", b"HTTP/1.1 408"),
    ):
        with socket.create_connection(bound.getsockname(), timeout=30) as client:
            client.sendall(sent)
            answer = b""
            while part := client.recv(4096):
                answer += part
                if answer:
                    break
            assert answer.startswith(wanted) and bool(answer) == bool(wanted)
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()
