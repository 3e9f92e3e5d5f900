"""The table in a real Chromium: one game that nothing but Start replaces, whole games by keyboard on a phone, and words."""

import re
from itertools import product
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="browser tests need: pip install playwright")

from tests.test_web_pages import browser, open_page, server, settled, tab_to  # noqa: F401

pytestmark = pytest.mark.browser

READY = "document.querySelector('#choices button:not(#skip), #choices a, #scene button:not(:disabled)') !== null"
CHOICES = "#choices button, #choices a, #dice button, #scene button:not(:disabled), #scene .offer"
HIDDEN = (
    """() => [...document.querySelectorAll('"""
    + CHOICES
    + """')].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const seen = document.elementFromPoint(x, y);
        return top < 0 || bottom > innerHeight || right > innerWidth || !(one === seen || one.contains(seen) ||
            seen?.closest('svg') === one.closest('svg'));
    }).map((one) => `${one.outerHTML} ${JSON.stringify(one.getBoundingClientRect())}`)"""
)


def search(page: Any) -> str:
    return str(page.evaluate("location.search"))


def press(page: Any, key: str) -> None:
    """Press a key that makes a choice, through the tutor's objection if there is one."""
    before = search(page)
    page.keyboard.press(key)
    settled(page, "before => location.search !== before || document.querySelector('#anyway') !== null", before)
    if page.locator("#anyway").count():
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        settled(page, "before => location.search !== before", before)
    settled(page, READY)


def can_press(page: Any, key: str) -> bool:
    return bool(page.locator(f"#choices [data-key='{key}']").count())


def one_choice(page: Any, patience: int) -> None:
    """Make a choice with the keyboard: set dice aside, climb, write a box, stop once enough is at risk, else roll."""
    if can_press(page, "a"):
        page.keyboard.press("a")
    elif page.locator(".pairing").count():
        page.keyboard.press("1")
        assert page.locator(".pairing[aria-pressed=true]").count() == 1
    at_risk = page.locator("#risk").inner_text().split(" at risk")[0].replace(",", "").split(" ")[0]
    enough = at_risk.isdigit() and int(at_risk) >= patience
    if can_press(page, "s") and (enough or not can_press(page, "r")):
        press(page, "s")
    elif page.locator(".box").count() and page.locator("#scene button:not(:disabled)").count():
        tab_to(page, "#scene button:not(:disabled)")
        press(page, "Enter")
    elif can_press(page, "r"):
        press(page, "r")
    else:
        press(page, "5")


GAMES = {
    "pig": ("/?target=30&seed=5", 12, 200),
    "farkle": ("/?game=farkle&goal=alone&seed=6&target=2000", 400, 200),
    "hog": ("/?game=hog&seed=7&target=40", 0, 60),
    "three players": ("/?goal=race&players=3&opponent=beginner,friend&target=30&seed=2", 10, 200),
    "cant-stop-race": ("/?game=cant-stop-race&goal=duel&seed=10&rules=sides:4;shortest:2", 3, 100),
    "official board": ("/?game=cant-stop-race&goal=duel&opponent=friend&seed=11", 4, 25),
    "yahtzee": ("/?game=yahtzee&goal=alone&seed=12", 0, 60),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_keyboard_on_a_phone_with_the_choices_always_in_sight(open_page: Any, game: str) -> None:  # noqa: F811
    path, patience, most = GAMES[game]
    page = open_page(f"{path}&speed=instant&tutor=off")
    page.set_viewport_size({"width": 380, "height": 700})
    page.emulate_media(reduced_motion="reduce")
    settled(page, READY)
    for _ in range(most):
        assert page.evaluate(HIDDEN) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        if page.locator("#see-report").count():
            break
        one_choice(page, patience)
    if game == "official board":
        return
    assert page.locator("#said").inner_text().endswith((".", "!"))
    tab_to(page, "#see-report")
    page.keyboard.press("Enter")
    page.wait_for_url("**/report?**")


def test_settings_touch_nothing_before_start_and_a_game_left_comes_back(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?seed=5&speed=instant&tutor=off")
    press(page, "r")
    press(page, "r")
    before = search(page)
    page.keyboard.press("n")
    settled(page, "document.querySelector('#setup').open")
    page.locator("#setup #game").select_option("farkle")
    page.locator("#setup #players-count").select_option("1")
    assert search(page) == before and page.locator("#title").inner_text() == "Pig"
    page.keyboard.press("Escape")
    press(page, "r")
    assert "game=" not in search(page) and page.locator("#title").inner_text() == "Pig"
    before = search(page)
    page.keyboard.press("n")
    page.locator("#setup #game").select_option("hog")
    page.locator("#setup #target").fill("-5")
    page.locator("#start").click()
    assert page.evaluate("document.querySelector('#setup').open") and search(page) == before
    page.locator("#setup #target").fill("50")
    page.locator("#start").click()
    settled(page, "document.querySelector('#title').textContent === 'Hog'")
    settled(page, "document.querySelector('#back') !== null")
    assert (
        "First to 50 wins." in page.locator("#about").inner_text()
        and "Game left: Pig" in page.locator("#left").inner_text()
    )
    page.locator("#back").click()
    settled(page, "before => location.search === before", before)
    assert page.locator("#title").inner_text() == "Pig"
    for title in ("Hog", "Pig"):
        with page.expect_event("load"):
            page.evaluate("history.back()")
        settled(page, "title => document.querySelector('#title').textContent === title", title)
    assert search(page) == before


def test_a_rule_set_starts_in_one_tap_and_is_played_while_it_is_solved(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?seed=5&speed=instant&tutor=off")
    page.keyboard.press("n")
    page.locator("[data-start*='named=cardgames_io']").click()
    settled(page, "location.search.includes('named=cardgames_io')")
    settled(page, READY)
    assert page.locator("#scoring div").count() > 5
    assert re.search(r"You (about )?\d", page.locator("#win-chance").inner_text())  # an estimate, until it is solved
    press(page, "r")
    if page.locator("#dice button").count():
        page.keyboard.press("a")
        assert page.locator("#dice [aria-pressed=true]").count() == len(page.locator("#aside .next svg").all())
        assert page.locator("#scoring .lit").count() > 0
    games = page.evaluate("JSON.parse(localStorage.games)")
    assert [game["title"] for game in games][:1] == ["Farkle: cardgames.io"]
    page.goto(page.url.split("?")[0])
    settled(page, "document.querySelector('#title').textContent === 'Farkle: cardgames.io'")


def test_a_link_that_cannot_be_played_says_so_over_a_game_that_can(open_page: Any, server: str) -> None:  # noqa: F811
    quiet = open_page("/?speed=instant").context.new_page()
    for link in ("target=-5", "target=0", "target=3.7", "target=999999", "game=chess", "opponent=xyz"):
        quiet.goto(f"{server}/?{link}")
        settled(quiet, "!document.querySelector('#problem').hidden")
        said = quiet.locator("#problem").inner_text()
        assert said.startswith("This link cannot be played: ") and "undefined" not in said
        settled(quiet, "document.querySelector('#about').textContent === 'First to 100 wins.'")


def test_a_roll_is_announced_once_and_enter_twice_does_not_end_the_turn(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?seed=1&speed=instant&tutor=off")
    page.evaluate(
        """() => {
            window.told = [];
            for (const live of document.querySelectorAll('[aria-live], [role=status], [role=alert]'))
                new MutationObserver(() => window.told.push([live.id, live.textContent])).observe(live,
                    { childList: true, subtree: true, characterData: true });
        }"""
    )
    tab_to(page, "#choices button.roll")
    press(page, "Enter")
    told = [words for _, words in page.evaluate("window.told") if words.strip()]
    assert len(told) == 1 and "rolled" in told[0]
    before = search(page)
    assert page.evaluate("document.activeElement.id") == "tray"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_timeout(150)
    assert search(page) == before


def test_colours_belong_to_seats_from_the_first_turn_to_the_last(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?game=cant-stop-race&goal=duel&opponent=friend&seed=11&speed=instant&tutor=off")
    for _ in range(12):
        seats = page.locator("#players .seat").all()
        assert [f"seat-{n}" in seat.get_attribute("class").split() for n, seat in enumerate(seats)] == [True, True]
        assert [seat.locator(".name").inner_text() for seat in seats] == ["Player 1", "Player 2"]
        one_choice(page, 2)
    pegs = "[...document.querySelectorAll('.columns-board circle.peg')].map((one) => one.getAttribute('class'))"
    assert set(page.evaluate(pegs)) == {"peg seat-0", "peg seat-1"}
    contrast = page.evaluate("getComputedStyle(document.querySelector('.columns-board .foot')).fill")
    assert contrast == "rgb(255, 255, 255)"


def test_the_tutor_says_why_and_undo_takes_back(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?speed=instant&seed=1")
    while not can_press(page, "s"):
        press(page, "r")
    page.keyboard.press("s")
    settled(page, "document.querySelector('#warning .note') !== null")
    warned = page.locator("#warning").inner_text()
    assert "points of win chance" in warned and "busts with chance 17%" in warned
    page.locator("#think").click()
    page.keyboard.press("h")
    settled(page, "document.querySelector('#hints .note') !== null")
    assert "Best: roll." in page.locator("#hints").inner_text()
    before = search(page)
    page.keyboard.press("u")
    settled(page, "before => location.search !== before", before)
    words = page.locator("body").inner_text()
    assert not any(
        jargon in words for jargon in ("louchard", "5e-13", "Certify", "resign", "One roll ahead", "1 blunders")
    )


def test_an_objection_is_withdrawn_when_something_else_is_picked(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?game=cant-stop-race&goal=duel&seed=3&acts=0&speed=instant")
    settled(page, READY)
    page.keyboard.press("1")
    page.keyboard.press("s")
    settled(page, "document.querySelector('#warning .note') !== null")
    page.keyboard.press("2")
    assert page.locator("#warning .note").count() == 0 and page.locator("#choices").is_visible()


def test_every_point_of_the_graph_opens_its_step_and_arrow_keys_go_on_from_there(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?target=60&seed=5&speed=instant&tutor=off")
    settled(page, READY)
    for _ in range(6):
        one_choice(page, 6)
    said, before = page.locator("#said").inner_text(), search(page)
    box = page.locator("#course-slide").bounding_box()
    page.mouse.click(box["x"] + 30, box["y"] + 40)
    assert page.locator("#risk").inner_text().startswith("Step 1 of ")
    page.locator("#course-slide").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#risk").inner_text().startswith("Step 2 of ")
    assert page.locator("#course-slide").get_attribute("aria-valuenow") == "1"
    page.keyboard.press("End")
    assert page.locator("#later").is_disabled()
    assert page.locator(".course .open").count() == 1
    page.locator("#back-to-game").click()
    assert (page.locator("#said").inner_text(), search(page)) == (said, before)
    page.locator("#tray").focus()
    page.keyboard.press("ArrowLeft")  # wherever the focus is
    assert page.locator("#back-to-game").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("#back-to-game").count() == 0
    press(page, "r")


def test_estimated_chances_come_with_the_range_they_lie_in(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?game=cant-stop-race&goal=duel&seed=3&acts=0.0&speed=instant&tutor=off")
    settled(page, READY)
    assert re.search(r"You about (\d+)% \((\d+) to (\d+)%\)", page.locator("#win-chance").inner_text())
    assert page.locator(".course .band").count() == 1


def test_the_page_can_be_installed_and_opens_without_a_server(open_page: Any, server: str) -> None:  # noqa: F811
    page = open_page("/?seed=1&speed=instant")
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
    assert manifest["start_url"] == "/" and manifest["icons"]
    settled(page, "navigator.serviceWorker.controller !== null")
    page.reload()
    settled(page, READY)
    kept = "caches.open('jeopardice-pages').then((shelf) => shelf.keys()).then((keys) => keys.map((key) => key.url))"
    settled(page, f"{kept}.then((urls) => urls.some((url) => url.endsWith('/static/page_play.js')))")
    assert not any("/api/" in url or "?" in url for url in page.evaluate(kept))
    alone = page.context.new_page()
    page.context.set_offline(True)
    alone.goto(f"{server}/?seed=77&target=50")
    settled(alone, "!document.querySelector('#problem').hidden")
    assert "does not answer" in alone.locator("#problem").inner_text()
    page.context.set_offline(False)


def test_axe_finds_nothing_on_the_table(open_page: Any) -> None:  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    page = open_page("/?seed=1&speed=instant&tutor=off")
    found = {}

    def look(what: str) -> None:
        for size, scheme in product(((380, 700), (1280, 800)), ("light", "dark")):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
            found[f"{what} {size} {scheme}"] = axe.Axe().run(page).generate_report()

    for link in (
        "game=farkle&goal=alone&seed=6",
        "game=cant-stop-race&seed=3",
        "game=yahtzee&goal=alone&seed=2",
        "seed=1",
    ):
        page.goto(page.url.split("?")[0] + f"?{link}&acts=0&speed=instant")
        settled(page, READY)
        look(link)
    page.keyboard.press("s")
    settled(page, "document.querySelector('#anyway') !== null")
    look("objection")
    page.keyboard.press("n")
    settled(page, "document.querySelector('#setup').open")
    look("dialog")
    page.keyboard.press("Escape")
    page.locator("#how-to").click()
    look("rules")
    page.goto(page.url.split("?")[0] + "?target=6&seed=1&speed=instant&tutor=off")
    settled(page, READY)
    while not page.locator("#see-report").count():
        one_choice(page, 6)
    look("game over")
    assert {what: report for what, report in found.items() if not report.startswith("Found 0 ")} == {}


def test_a_game_begun_while_dice_still_roll_is_not_touched_by_the_one_before(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?seed=15&tutor=off&acts=0")
    settled(page, READY)
    page.keyboard.press("s")  # the opponent's turn is shown step by step now
    settled(page, "document.querySelector('#skip') !== null")
    page.keyboard.press("n")
    page.locator("[data-start='game=hog&goal=duel']").click()
    settled(page, "document.querySelector('#title').textContent === 'Hog'")
    page.evaluate(
        """() => {
            window.told = [];
            new MutationObserver(() => window.told.push(document.querySelector('#said').textContent))
                .observe(document.querySelector('#said'), { childList: true });
        }"""
    )
    page.wait_for_timeout(1500)
    assert {words for words in page.evaluate("window.told") if "How many dice?" not in words} == set()
    assert page.locator("#said").inner_text().endswith("How many dice?")


def test_the_rules_of_the_game_on_the_table_are_one_press_away(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?game=cant-stop-race&goal=duel&seed=3&speed=instant")
    page.locator("#how-to").click()
    words = page.locator("#how").inner_text()
    assert words.startswith("Can't Stop for two: how to play") and "divide them into pairs" in words
    before = search(page)
    page.keyboard.press("r")  # the table waits while one reads
    page.keyboard.press("Escape")
    assert search(page) == before and not page.locator("#how").is_visible()


def test_the_tutor_and_the_speed_chosen_here_stay_chosen(open_page: Any) -> None:  # noqa: F811
    page = open_page("/?seed=5")
    settled(page, READY)
    page.locator("#tutor").uncheck()
    page.locator("#speed").select_option("fast")
    page.goto(page.url.split("?")[0])
    settled(page, READY)
    assert not page.locator("#tutor").is_checked() and page.locator("#speed").input_value() == "fast"
