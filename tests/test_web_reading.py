"""Report, Advise, Explore, Drill, Rules and API in a real Chromium: nobody is shut out, nothing is dropped silently."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.test_web_pages import browser, open_page, server, settled, tab_to  # noqa: F401 (fixtures)

axe_package = pytest.importorskip("axe_playwright_python", reason="needs: pip install axe-playwright-python")

pytestmark = pytest.mark.browser
Open = Callable[..., Any]

AXE = Path(axe_package.__file__).parent / "axe.min.js"
REPORT = "/report?target=60&seed=5&acts=0.1.0.0.0.1.0.1.0.0.1.1.1.1.0"
PLACES = {
    REPORT: "document.querySelector('#course svg') !== null",
    "/advise?game=ten-thousand&goal=turn&at_risk=300&roll=1,5,6": "document.querySelector('#why svg') !== null",
    "/explore?target=50": "document.querySelectorAll('#compare td.cell').length > 10",
    "/explore?game=cant-stop-race": "document.querySelector('#bust-answer') !== null",
    "/advise?game=cant-stop-race&board=7:3&their_board=8:5&roll=1,2,3,4": "document.querySelector('#answer tr') !== null",
    "/advise?game=yahtzee&goal=alone&card=ones:3&roll=1,1,5,5,6&rolls_left=1&rules=boxes:ones,yahtzee,chance": "document"
    ".querySelector('#answer tr') !== null",
    "/explore?goal=race&players=3&target=20": "document.querySelector('#third') && document.querySelector('#law svg')",
    "/drill?game=yahtzee&goal=alone&seed=1&rules=boxes:ones,yahtzee,chance": "document.querySelector('.pick') !== null",
    "/drill?goal=race&players=3&seed=3&target=30": "document.querySelector('#choices button') !== null",
    "/drill?seed=3&target=50": "document.querySelector('#choices button') !== null",
    "/rules?game=own-dice&target=30": "document.querySelector('#value') !== null",
    "/help": "document.querySelector('h1') !== null",
    "/api": "document.querySelectorAll('#endpoints section').length > 3",
}


@pytest.mark.parametrize("path", PLACES)
def test_axe_finds_nothing_in_both_themes_on_desk_and_phone(open_page: Open, path: str) -> None:  # noqa: F811
    page = open_page(path)
    settled(page, PLACES[path])
    for details in page.locator("details").all()[:4]:
        details.evaluate("one => { one.open = true; }")
    page.evaluate(AXE.read_text("utf-8"))
    for width, height in ((1280, 800), (380, 700)):
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.wait_for_timeout(100)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            told = [(one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
            assert told == [], (path, width, theme)


@pytest.mark.parametrize("path", ["/drill", "/rules"])
def test_a_game_that_there_is_none_of_is_said_in_plain_words(open_page: Open, path: str) -> None:  # noqa: F811
    page = open_page(f"{path}?game=chess")
    settled(page, "document.querySelector('#no-game') !== null")
    words = page.locator("#no-game").inner_text()
    assert "no game called “chess”" in words and "Pig" in words
    page.locator("#game").select_option("pig")
    page.wait_for_url(lambda url: "chess" not in url)
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("target", ["-5", "0", "3.7", "9999999"])
def test_a_target_that_cannot_be_is_refused_where_it_is_typed(open_page: Open, target: str) -> None:  # noqa: F811
    page = open_page("/drill?target=50&seed=1")
    settled(page, "document.querySelector('#choices button') !== null")
    page.locator("#target").fill(target)
    page.keyboard.press("Tab")
    settled(page, "document.querySelector('#target-wrong').textContent !== ''")
    assert "whole number from 1 to 100,000" in page.locator("#target-wrong").inner_text()
    assert "target=50" in page.evaluate("location.search")


def test_a_roll_that_cannot_be_read_is_refused_and_nothing_else_changes(open_page: Open) -> None:  # noqa: F811
    page = open_page("/advise?game=ten-thousand&goal=turn&at_risk=300")
    settled(page, "document.querySelector('#verdict .answer') !== null")
    full = page.locator("#mode").input_value()
    page.locator("#roll").fill("112")
    page.keyboard.press("Tab")
    settled(page, "location.search.includes('roll=1,1,2') && document.querySelector('#mode').value === '3'")
    page.locator("#roll").fill("abc")
    page.keyboard.press("Tab")
    settled(page, "document.querySelector('#refused') !== null")
    assert "abc" in page.locator("#roll-wrong").inner_text() and page.locator("#options-card").is_hidden()
    page.locator("#roll").fill("")
    page.keyboard.press("Tab")
    settled(page, "document.querySelector('#verdict .answer') !== null")
    assert page.locator("#mode").input_value() == full and "roll=" not in page.evaluate("location.search")
    page.locator("#roll").fill("1 7")
    page.keyboard.press("Tab")
    settled(page, "document.querySelector('#roll-wrong').textContent.includes('1 7')")


ANSWERS = {
    "pig": "/advise?mine=41&theirs=49&at_risk=21",
    "ten-thousand": "/advise?game=ten-thousand&target=2000&at_risk=300&roll=1,5,6",
    "hog": "/advise?game=hog&target=40&rules=dice_limit:8",
    "cant-stop": "/advise?game=cant-stop&rules=sides:3&roll=1,2,2,3",
    "cant-stop-race": "/advise?game=cant-stop-race&board=7:3&their_board=8:5&markers=6:2",
    "yahtzee": "/advise?game=yahtzee&goal=alone&roll=1,1,5,5,6&rolls_left=1&rules=boxes:ones,yahtzee,chance",
    "three": "/advise?goal=race&players=3&target=20&mine=3&theirs=9&third=12&at_risk=8",
    "own-dice": "/advise?game=own-dice&target=30&at_risk=5",
}


@pytest.mark.parametrize("game", ANSWERS)
def test_the_answer_is_within_the_first_screen_of_a_phone(open_page: Open, game: str) -> None:  # noqa: F811
    page = open_page(ANSWERS[game], phone=True)
    page.set_viewport_size({"width": 380, "height": 700})
    settled(page, "document.querySelector('#verdict .answer') !== null")
    box = page.locator("#verdict").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 700 / 2
    page.evaluate("scrollTo(0, 500)")
    assert page.locator("#verdict").bounding_box()["y"] >= 0  # and it stays in sight


def test_explore_is_light_until_three_dimensions_are_asked_for(open_page: Open, browser: Any, server: str) -> None:  # noqa: F811
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    sizes: list[tuple[str, int]] = []
    page.on("requestfinished", lambda request: sizes.append((request.url, request.sizes()["responseBodySize"])))
    page.goto(f"{server}/explore")
    settled(page, "document.querySelectorAll('#compare td.cell').length > 10")
    page.wait_for_load_state("networkidle")
    assert not any("plotly" in url for url, _ in sizes)
    assert 20_000 < sum(size for _, size in sizes) < 200_000, sizes
    page.locator("[data-of=solid]").click()
    settled(page, "document.querySelector('#surface .surface canvas') !== null")
    assert any("plotly" in url for url, _ in sizes)
    context.close()


def saved(page: Any, where: str, kind: str) -> tuple[str, bytes]:
    """The name and the content of a file that a button saves."""
    with page.expect_download() as waiting:
        page.locator(f"{where} .save button", has_text=kind).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_saved_pictures_say_what_they_are_and_hold_every_cell(open_page: Open) -> None:  # noqa: F811
    from jeopardice import Pig, Race, __version__, solve

    page = open_page("/explore?target=50&theirs=30&mine=20")
    settled(page, "document.querySelector('#surface canvas') && document.querySelector('#map canvas')")
    name, body = saved(page, "#map", "CSV")
    assert name == "jeopardice-pig-duel-50-roll-or-stop-theirs-30.csv"
    lines = body.decode().splitlines()
    heads, rows = lines[:3], list(csv.DictReader(io.StringIO("\n".join(lines[3:]))))
    assert heads[0] == "# Roll or stop" and "they have 30" in heads[1] and __version__ in heads[2]
    solution = solve(Race(Pig(), target=50, players=2))
    told = {(int(row["your score"]), int(row["points at risk"])): row["best"] for row in rows}
    assert len(told) == sum(50 - mine - 1 for mine in range(50))  # something to decide in every cell below the target
    for mine, at_risk in list(told)[::17]:
        assert told[mine, at_risk] == solution.advise(mine=mine, theirs=30, at_risk=at_risk).best.play
    _, drawn = saved(page, "#map", "SVG")
    text = re.sub(r"<[^>]+>", " ", drawn.decode())
    assert "Roll or stop" in text and "they have 30" in text and __version__ in text and "race for two to 50" in text
    name, body = saved(page, "#surface", "CSV")
    assert "from-how-many-points" in name and len(body.decode().splitlines()) == 4 + 50 * 50


def test_the_map_plays_with_axes_that_stay(open_page: Open) -> None:  # noqa: F811
    page = open_page("/explore?target=30")
    settled(page, "document.querySelector('#map canvas') !== null")
    height = page.locator("#map canvas").evaluate("one => one.height")
    page.locator("#play-map").click()
    settled(page, "Number(document.querySelector('#theirs').value) >= 5")
    page.locator("#play-map").click()
    assert "they have" in page.locator("#map .about").inner_text()
    assert page.locator("#map canvas").evaluate("one => one.height") == height
    assert "theirs=" in page.evaluate("location.search")


def test_the_report_opens_every_point_and_arrow_keys_step(open_page: Open) -> None:  # noqa: F811
    page = open_page(REPORT)
    settled(page, "document.querySelector('#course svg') !== null")
    words = page.locator("#summary").inner_text()
    assert "1 blunder, 1 mistake, 0 inaccuracies" in words
    dots = page.locator("#course circle").count()
    assert dots == 2
    page.locator("#course .plot").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settled(page, "document.querySelector('#moment strong') !== null")
    first = page.locator("#moment strong").inner_text()
    page.locator("#step-on").click()
    assert page.locator("#moment strong").inner_text() != first
    page.locator("#tell-me").click()
    page.locator("#decisions tbody button").first.click()
    assert "So roll." in page.locator("#moment .reason").inner_text()


def test_a_drill_ends_with_a_result_and_the_missed_ones_come_again(open_page: Open) -> None:  # noqa: F811
    page = open_page("/drill?target=40&seed=8")
    settled(page, "document.querySelector('#choices button') !== null")
    count = int(page.locator("#exercise p").first.inner_text().split(" of ")[1].split()[0])
    for number in range(count):
        page.locator("#choices button").nth(number % 2).click()
        settled(page, "document.querySelector('#next') !== null")
        assert page.locator("#why").inner_text().endswith(".")
        page.keyboard.press("n")
    settled(page, "document.querySelector('#result') !== null")
    right = int(page.locator("#result").inner_text().split()[0])
    assert page.locator("ol.results li").count() == count and "rating" in page.locator("#result").inner_text()
    if right < count:
        before = page.locator("#rating").inner_text()
        page.locator("#missed").click()
        assert f"Once more 1 of {count - right}" in page.locator("#exercise").inner_text()
        page.locator("#choices button").first.click()
        settled(page, "document.querySelector('#next') !== null")
        assert page.locator("#rating").inner_text() == before  # tried again, it does not count


def test_dice_are_picked_where_there_are_many_sets_to_keep(open_page: Open) -> None:  # noqa: F811
    page = open_page("/drill?game=yahtzee&goal=alone&seed=1&rules=boxes:ones,yahtzee,chance")
    settled(page, "document.querySelector('.pick') !== null")
    assert page.locator("#choices button").all_inner_texts() == ["Roll 5 dice\n1"]
    page.locator(".pick").first.click()
    assert page.locator("#choices button").all_inner_texts() == ["Roll 4 dice\n1"]
    page.keyboard.press("1")
    settled(page, "document.querySelector('#next') !== null")
    assert "Chance" in page.locator(".card-view").inner_text()


def test_advice_on_a_board_that_is_not_solved_says_about(open_page: Open) -> None:  # noqa: F811
    page = open_page("/advise?game=cant-stop-race&board=7:3&their_board=8:5")
    settled(page, "document.querySelector('#verdict .answer') !== null")
    assert re.search(r"about \d+% \(\d+ to \d+%\) to win", page.locator("#verdict").inner_text())
    assert "% of games won if both look ahead" in page.locator("#answer").inner_text()
    page.get_by_role("button", name="their spaces").click()
    page.get_by_role("button", name="column 12, space 2").click()
    settled(page, "location.search.includes('their_board=8:5,12:2')")


def test_a_link_is_copied_over_plain_http_too(open_page: Open) -> None:  # noqa: F811
    page = open_page("/advise?mine=41")
    settled(page, "document.querySelector('#copy-link') !== null")
    page.evaluate(
        """() => {
            Object.defineProperty(window, "isSecureContext", { value: false });
            addEventListener("copy", () => { window.copied = document.activeElement.value; });
        }"""
    )
    page.locator("#copy-link").click()
    settled(page, "window.copied !== undefined")
    assert page.evaluate("window.copied") == page.url
    page.locator("#short-link").click()
    settled(page, "document.querySelector('.shared input') !== null")
    assert "/s/" in page.locator(".shared input").input_value()
    page.locator("#qr-code").click()
    settled(page, "document.querySelector('img.qr')?.naturalWidth > 50")


def test_rules_start_from_a_named_set_and_say_what_a_change_does(open_page: Open) -> None:  # noqa: F811
    from jeopardice import Farkle, Race, solve

    page = open_page("/rules?game=farkle&target=500")
    settled(page, "document.querySelector('#value') !== null")
    usual = solve(Race(Farkle(), target=500, players=2)).value
    assert page.locator("#value").inner_text() == f"{100 * usual:.4f}%"
    page.locator("summary", has_text="Whole rolls").click()
    page.locator("#rule-straight").fill("400")
    page.keyboard.press("Tab")
    settled(page, "document.querySelector('#change') !== null")
    changed = solve(Race(Farkle(straight=400), target=500, players=2)).value
    size = f"{'+' if changed > usual else '−'}{abs(100 * (changed - usual)):.2f}"
    assert size in page.locator("#change").inner_text()
    page.locator("[data-named=zilch]").click()
    settled(
        page, "location.search.includes('named=zilch') && document.querySelector('#taught').innerText.includes('300')"
    )
    page.locator("summary", has_text="To win").click()
    assert page.locator("#bank_from").input_value() == "300" and page.locator("#busts").input_value() == "3"


def test_dice_are_loaded_by_clicking_and_saved_as_a_rules_file(open_page: Open, tmp_path: Path) -> None:  # noqa: F811
    from jeopardice import Pig
    from jeopardice.dice import Dice
    from jeopardice.rules.files import read_rules

    page = open_page("/rules?target=30")
    settled(page, "document.querySelector('#value') !== null")
    fair = page.locator("#value").inner_text()
    page.get_by_label("face 6 falls more often").click()
    settled(page, "before => document.querySelector('#value').textContent !== before", fair)
    with page.expect_download() as waiting:
        page.locator("#rules-file").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "pig-rules.toml" and read_rules(path) == Pig(dice=Dice(((1, 1, 1, 1, 1, 2),)))


def test_the_tour_leads_through_the_pages_and_covers_nothing(open_page: Open) -> None:  # noqa: F811
    page = open_page("/help")
    page.locator("#begin-tour").click()
    for number, place in enumerate(("/", "/advise", "/explore", "/drill", "/rules"), 1):
        page.wait_for_selector(".tour")
        assert page.locator(".tour").inner_text().startswith(f"{number} of 5")
        assert page.evaluate("location.pathname") == place
        page.wait_for_load_state("networkidle")
        page.locator("#tour-next").click()
    page.wait_for_url("**/help")
    assert not page.locator("#help").evaluate("one => one.classList.contains('new')")


def test_printing_leaves_the_buttons_out(open_page: Open) -> None:  # noqa: F811
    page = open_page(f"{REPORT}&told=yes", dark=True)
    settled(page, "document.querySelector('#decisions tbody tr') !== null")
    page.emulate_media(media="print")
    assert page.locator("#decisions tbody td:nth-child(2)").first.inner_text() == "0:0"
    assert page.locator("header.top").is_hidden() and page.locator("#course svg").is_visible()
    assert page.locator("button:not(.link):visible, input:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


ODD_REPORTS = [
    "/report?game=pig&goal=race&players=3&target=30&seed=5&acts=0.1",
    "/report?target=60&seat=second&seed=5&acts=0.1.0",
    "/report?game=farkle&target=500&rules=dice:3x+fair,+3x+lucky&seed=5&acts=0.1.6",
]


@pytest.mark.parametrize("path", ODD_REPORTS)
def test_reports_add_up_for_several_players_the_second_seat_and_loaded_dice(open_page: Open, path: str) -> None:  # noqa: F811
    page = open_page(f"{path}&told=yes&show=all")
    settled(page, "document.querySelector('#decisions tbody tr') !== null")
    told = page.locator("#adds-up").inner_text()
    begun, luck, choices, ended = (
        float(found.replace("−", "-").replace("+", ""))
        for found in re.search(r"at ([\d.]+)%: luck ([+−\d.]+), choices ([+−\d.]+) .*at ([\d.]+)%", told).groups()
    )
    assert begun + luck + choices == pytest.approx(ended, abs=0.21)
    assert "undefined" not in page.locator("main").inner_text() and "NaN" not in page.locator("main").inner_text()
    page.locator("#course .plot").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    settled(page, "document.querySelector('#moment strong') !== null")


def test_a_whole_report_is_read_by_keyboard(open_page: Open) -> None:  # noqa: F811
    page = open_page(REPORT)
    settled(page, "document.querySelector('#course svg') !== null")
    assert "decisions best" in page.locator("#summary").inner_text()
    tab_to(page, "#course .plot")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    settled(page, "document.querySelector('#moment strong') !== null")
    tab_to(page, "#retry .choices button")
    page.keyboard.press("Enter")
    settled(page, "document.querySelector('#retry .note') !== null")
    tab_to(page, "#tell-me")
    page.keyboard.press("Enter")
    tab_to(page, "#decisions tbody button")
    page.keyboard.press("Enter")
    assert page.locator("#moment .reason").inner_text().endswith(".")


def test_a_whole_drill_is_done_by_keyboard(open_page: Open) -> None:  # noqa: F811
    page = open_page("/drill?target=30&seed=4")
    settled(page, "document.querySelector('#choices button') !== null")
    count = int(page.locator("#exercise p").first.inner_text().split(" of ")[1].split()[0])
    for _ in range(count):
        settled(page, "document.querySelector('#choices button') !== null && document.querySelector('#next') === null")
        page.keyboard.press("s")
        settled(page, "document.querySelector('#next') !== null")
        page.keyboard.press("n")
    settled(page, "document.querySelector('#result') !== null")
    assert page.locator("ol.results li").count() == count
