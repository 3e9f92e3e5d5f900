"""How the server speaks to people: pages instead of raw data, links that work, refusals in plain words."""

import socket
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

from jeopardice import Pig, Race, solve
from jeopardice.web import create_app
from jeopardice.web.serve import own_addresses, reachable_names

HERE = "http://127.0.0.1:8123"
API = "/api/v1"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(records=tmp_path_factory.mktemp("manners") / "records.sqlite")
    with TestClient(app, base_url=HERE, follow_redirects=False) as made:
        yield made


def test_a_missing_page_is_a_page_and_a_missing_answer_is_json(client: TestClient) -> None:
    page = client.get("/nowhere")
    assert page.status_code == 404 and page.headers["content-type"].startswith("text/html")
    assert "<nav" in page.text and "/nowhere" in page.text and "{{" not in page.text
    script = client.get("/<script>alert(1)</script>")
    assert script.status_code == 404 and "<script>alert" not in script.text
    answer = client.get(f"{API}/nowhere")
    assert answer.status_code == 404 and answer.json()["error"]


def test_without_its_token_a_page_asks_for_it_and_the_interface_says_so(tmp_path: Path) -> None:
    app = create_app(records=tmp_path / "r.sqlite", token="s3cret", any_address=True)
    with TestClient(app, base_url="http://192.0.2.7:8123", follow_redirects=False) as client:
        page = client.get("/explore")
        assert page.status_code == 401 and page.headers["content-type"].startswith("text/html")
        assert '<input id="token" name="token"' in page.text and "s3cret" not in page.text
        assert client.get("/static/style.css").status_code == 200  # the page that asks has its looks
        assert client.get("/plotly.js").status_code == 401
        assert "not the right one" in client.get("/?token=guess").text
        answer = client.get(f"{API}/games")
        assert answer.status_code == 401 and "token" in answer.json()["error"]
        assert client.get("/explore?token=s3cret").status_code == 303


def test_play_leads_to_the_table_with_all_the_link_says(client: TestClient) -> None:
    moved = client.get("/play?game=farkle&seed=3")
    assert moved.status_code == 308 and moved.headers["location"] == "/?game=farkle&seed=3"
    assert client.get("/play").headers["location"] == "/"


def test_head_is_answered_without_a_body(client: TestClient) -> None:
    for path, status in {"/": 200, "/rules": 200, "/static/style.css": 200, f"{API}/games": 200, "/no": 404}.items():
        answer = client.head(path)
        assert answer.status_code == status and answer.content == b"", path


def test_links_of_a_server_on_all_addresses_name_addresses_that_other_machines_can_use() -> None:
    assert reachable_names("127.0.0.1") == ["127.0.0.1"] and reachable_names("::1") == ["[::1]"]
    names = reachable_names("0.0.0.0")
    assert names[0] == "127.0.0.1" and names[1:] == own_addresses() and "0.0.0.0" not in names
    for address in own_addresses():
        with socket.socket() as bound:
            bound.bind((address, 0))  # the address is one of this machine


def test_the_game_just_finished_is_in_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where it takes a while to write it down."""
    import time

    from jeopardice.web.records import Records

    add = Records.add_game
    monkeypatch.setattr(Records, "add_game", lambda self, *given, **more: (time.sleep(0.5), add(self, *given, **more)))
    with TestClient(create_app(records=tmp_path / "r.sqlite"), base_url=HERE) as client:
        game = client.post(f"{API}/play", json={"target": 2, "goal": "alone", "seed": 1}).json()
        while game["phase"] != "over":
            play = next((one["play"] for one in game["choices"] if one["stops"]), "roll")
            game = client.post(f"{API}/play/{game['id']}/act", json={"play": play}).json()
        assert [one["record"]["seed"] for one in client.get(f"{API}/records").json()["games"]] == [1]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"target": -5}, "target is at least 1, got '-5'"),
        ({"target": 0}, "target is at least 1, got '0'"),
        ({"target": "3.7"}, "target is a whole number, got '3.7'"),
        ({"target": 999_999}, "the target is at most 100,000 here, got 999,999"),
        ({"goal": "win"}, "goal is one of turn, alone, duel, race, rate, simultaneous, got 'win'"),
        ({"rules": "bust:9"}, "the faces that bust are whole numbers between 1 and 6"),
        ({"target": 5000}, "the number of positions to solve is at most 9,000,000 here"),
        ({"game": "own-dice", "goal": "turn", "rules": "faces:2,3"}, "no roll busts, so nobody would ever stop"),
        ({"game": "chess"}, "game is one of pig, "),
    ],
)
def test_refusals_are_in_plain_words(client: TestClient, query: Any, words: str) -> None:
    answer = client.get(f"{API}/value", params=query)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert words in error and "tuple" not in error and "mode 0" not in error and "Input should" not in error


def test_the_surface_has_both_boundaries_and_between_them_one_stops() -> None:
    """Pig at 0:80: the least stop is at 49, yet with 85 at risk rolling is best."""
    from jeopardice.web import answers
    from jeopardice.web.shelf import Shelved

    goal = Race(Pig(), target=100, players=2)
    solution = solve(goal)
    drawn = answers.surface(Shelved(goal, solution), "stop", None)
    a, b = drawn["mine"].index(0), drawn["theirs"].index(80)
    first, again = drawn["height"][a][b], drawn["again"][a][b]
    assert solution.advise(mine=0, theirs=80, at_risk=85).best.play == "roll"
    assert first == 49 and 49 < again <= 85
    for mine, theirs in ((0, 0), (40, 50), (0, 80), (70, 20), (90, 90)):
        a, b = drawn["mine"].index(mine), drawn["theirs"].index(theirs)
        plays = [solution.advise(mine=mine, theirs=theirs, at_risk=t).best.play for t in range(1, 100 - mine)]
        stops = [t for t, play in enumerate(plays, 1) if play == "stop"]
        assert drawn["height"][a][b] == (stops[0] if stops else 100 - mine)
        wanted = stops[-1] + 1 if stops and stops[-1] < 99 - mine else None
        assert drawn["again"][a][b] == wanted


def test_records_of_the_first_format_are_brought_up_to_date(tmp_path: Path) -> None:
    import sqlite3

    from jeopardice.web.records import SCHEMA, Records

    path = tmp_path / "records.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA)
        row = (1.0, "pig", "goal", '{"mine": 3}', "roll", "stop", 0.1, 0)
        db.execute("INSERT INTO drill VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        db.execute("PRAGMA user_version = 1")
    db.close()
    records = Records(path)
    records.add_drill("pig", "goal", {"mine": 4}, "roll", "roll", 0.0, True, 1500.0)
    assert [(one["position"], one["rating"]) for one in Records(path).drills()] == [
        ({"mine": 4}, 1500.0),
        ({"mine": 3}, None),
    ]


def test_a_short_link_leads_to_its_page_and_nowhere_else(client: TestClient) -> None:
    path = "/advise?mine=41&theirs=49&at_risk=27"
    code = client.post(f"{API}/links", json={"path": path}).json()["code"]
    assert client.post(f"{API}/links", json={"path": path}).json()["code"] == code
    moved = client.get(f"/s/{code}")
    assert moved.status_code == 302 and moved.headers["location"] == path
    assert client.get("/s/nothing").status_code == 404 and "<nav" in client.get("/s/nothing").text
    for elsewhere in ("//evil.example", "https://evil.example", "/\\evil.example", "advise", "/s/abc", "/x\ny"):
        assert client.post(f"{API}/links", json={"path": elsewhere}).status_code == 422, elsewhere


def test_a_qr_code_is_drawn_as_svg(client: TestClient) -> None:
    answer = client.get(f"{API}/qr", params={"text": "http://192.0.2.7:8123/?game=farkle"})
    assert answer.headers["content-type"].startswith("image/svg+xml") and answer.text.startswith("<svg")
    assert client.get(f"{API}/qr", params={"text": "x" * 1501}).status_code == 422


def test_busts_of_the_official_board_need_no_solution(client: TestClient) -> None:
    """Checked by all 6^4 rolls: a roll is good if some pair of dice shows one of the columns."""
    from itertools import combinations, product

    answer = client.get(f"{API}/busts", params={"game": "cant-stop-race"}).json()
    chances = {tuple(one["columns"]): one["bust"] for one in answer["triples"]}
    assert len(chances) == 165
    rolls = [{a + b for a, b in combinations(roll, 2)} for roll in product(range(1, 7), repeat=4)]
    for columns, bust in chances.items():
        assert bust == pytest.approx(sum(not sums & set(columns) for sums in rolls) / 6**4, abs=1e-12)
    assert min(chances, key=lambda three: chances[three]) in ((6, 7, 8), (4, 6, 8))


def test_only_the_page_for_it_may_be_framed_and_only_if_that_is_wanted(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/embed?mine=3").status_code == 404
    with TestClient(create_app(records=tmp_path / "r.sqlite", embed=True), base_url=HERE) as open_client:
        page = open_client.get("/embed?mine=3")
        assert page.status_code == 200 and "frame-ancestors *" in page.headers["content-security-policy"]
        assert "x-frame-options" not in page.headers and "'unsafe" not in page.headers["content-security-policy"]
        for path in ("/", "/embedded", "/rules", f"{API}/games", "/static/embed.html"):
            headers = open_client.get(path).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"], path
            assert headers["x-frame-options"] == "DENY"


def test_every_example_of_the_help_page_can_be_answered(client: TestClient) -> None:
    """The pages are tested elsewhere; here only that no example names rules or positions that are refused."""
    import re
    from html import unescape

    links = [unescape(link) for link in re.findall(r'href="(/[^"]*)"', client.get("/help").text)]
    examples = [link for link in links if re.match(r"/(advise|rules|explore|drill)\?", link)]
    assert len(examples) >= 5
    for link in examples:
        path, _, query = link.partition("?")
        question = "advise" if path == "/advise" else "rules"
        answer = client.get(f"{API}/{question}?{query}")
        assert answer.status_code == 200, (link, answer.text)


def test_advice_takes_rolls_of_dice_that_differ(client: TestClient) -> None:
    from jeopardice import Dice, Farkle

    rules = {"game": "farkle", "target": 500, "rules": "dice:3x fair, 3x lucky"}
    value = client.get(f"{API}/value", params=rules).json()
    assert value["kind_names"] == ["fair", "lucky"] and value["mode_names"]["abb"] == "fair, 2x lucky"
    answer = client.get(f"{API}/advise", params=rules | {"at_risk": 100, "roll": "1a,5b,6b"}).json()
    solution = solve(Race(Farkle(dice=Dice.read("3x fair, 3x lucky")), target=500, players=2))
    advice = solution.advise(mine=0, theirs=0, at_risk=100, mode=(0, 1, 1), roll=((0, 1), (1, 5), (1, 6)))
    assert [(o["play"], o["value"]) for o in answer["options"]] == [(o.play, o.value) for o in advice.options]
    refused = client.get(f"{API}/advise", params=rules | {"roll": "156"})
    assert refused.status_code == 422 and "a for fair, b for lucky" in refused.json()["error"]


def test_a_refusal_does_not_repeat_all_that_came(client: TestClient) -> None:
    for answer in (
        client.get(f"{API}/rules?game=pig&target={'9' * 4000}"),
        client.post(f"{API}/solve", json={"game": "pig", "rules": "x" * 1900}),
    ):
        assert answer.status_code == 422 and len(answer.json()["error"]) < 700
