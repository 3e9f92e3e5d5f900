"""The pages in a real Chromium: no console errors, pictures that show something, whole games, keyboard and phone."""

import io
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the web page needs: pip install 'jeopardice[web]'")
uvicorn = pytest.importorskip("uvicorn", reason="the web page needs: pip install 'jeopardice[web]'")
sync_api = pytest.importorskip("playwright.sync_api", reason="browser tests need: pip install playwright")
Image = pytest.importorskip("PIL.Image", reason="browser tests look at pictures with: pip install pillow")
ImageStat = pytest.importorskip("PIL.ImageStat", reason="browser tests look at pictures with: pip install pillow")

pytestmark = pytest.mark.browser

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
]  # fmt: skip
PAGES = ("/", "/report", "/advise", "/explore", "/drill", "/rules", "/api")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own; its records are thrown away."""
    from jeopardice.web import create_app

    app = create_app(records=tmp_path_factory.mktemp("pages") / "records.sqlite")
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.bind(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    running.should_exit = True
    thread.join()
    bound.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: install it with apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Open pages that must not complain; whatever the console says as an error fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(path: str, *, phone: bool = False, dark: bool = False) -> Any:
        size = {"width": 380, "height": 780} if phone else {"width": 1200, "height": 850}
        context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((server, "blob:", "data:"))
                else complaints.append(f"asked for {request.url}")
            ),
        )
        page.goto(server + path)
        page.wait_for_load_state("networkidle")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def colours(picture: bytes) -> int:
    """How many different colours a picture has."""
    return len(Image.open(io.BytesIO(picture)).convert("RGB").getcolors(1 << 24))


def brightness(picture: bytes) -> float:
    """How bright a picture is on the whole, 0 to 255."""
    return float(ImageStat.Stat(Image.open(io.BytesIO(picture)).convert("L")).mean[0])


def settled(page: Any, script: str, given: Any = None) -> None:
    """Wait until a script says yes; asked from outside, because the pages' policy forbids to evaluate text inside."""
    for _ in range(1200):
        if page.evaluate(script, given):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {script}; the page says: {page.locator('body').inner_text()[:2000]}")


def tab_to(page: Any, wanted: str) -> None:
    """Move the focus by Tab alone until it is on what a selector names."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab never reaches {wanted}")


@pytest.mark.parametrize("path", PAGES)
def test_each_page_loads_and_fits_desktop_and_phone_light_and_dark(open_page: Any, path: str) -> None:
    page = open_page(path)
    settled(page, "document.querySelector('h1').textContent.length > 0")
    assert page.locator("nav a[aria-current=page]").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200
    light = page.screenshot()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 380, "height": 780})
    page.wait_for_timeout(100)
    dark = page.screenshot()
    assert colours(light) > 20 and colours(dark) > 20
    assert brightness(light) > 180 and brightness(dark) < 80
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, a, input, select')].filter((one) => one.offsetParent && !("
        "one.textContent.trim() || one.getAttribute('aria-label') || one.title || one.labels?.length)).map((one) => one.outerHTML)"
    )
    assert unnamed == []


def test_explore_draws_pictures_that_show_something_and_can_be_saved(open_page: Any) -> None:
    page = open_page("/explore?theirs=30&mine=20")
    settled(page, "document.querySelectorAll('#compare td.cell').length > 10")
    settled(page, "document.querySelector('#surface canvas') !== null")
    page.wait_for_timeout(500)
    for picture in ("#map", "#surface", "#curves", "#law", "#turns"):
        assert colours(page.locator(f"{picture} .plot").screenshot()) > 10, picture
    blue = page.evaluate(
        """() => {
            const canvas = document.querySelector("#map canvas");
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let roll = 0, stop = 0;
            for (let i = 0; i < pixels.length; i += 4) {
                if (pixels[i + 2] > pixels[i] + 40) roll++;
                if (pixels[i] > pixels[i + 2] + 40) stop++;
            }
            return [roll, stop, canvas.width * canvas.height];
        }"""
    )
    assert blue[0] > 0.05 * blue[2] and blue[1] > 0.05 * blue[2]  # both answers are on the map
    page.locator("#map .plot").hover(position={"x": 150, "y": 300})
    assert "at risk" in page.locator("#map .readout").inner_text()
    for picture in ("#map", "#curves", "#law"):
        for kind in ("PNG", "SVG", "CSV"):
            with page.expect_download() as waiting:
                page.locator(f"{picture} .save button", has_text=kind).click()
            saved = Path(waiting.value.path()).read_bytes()
            assert waiting.value.suggested_filename.endswith(kind.lower())
            if kind == "PNG":
                assert colours(saved) > 10
            elif kind == "SVG":
                assert saved.startswith(b"<svg") and saved.count(b"<rect") + saved.count(b"<polyline") > 5
            else:
                assert len(saved.splitlines()) > 5


def test_arrow_keys_read_a_picture(open_page: Any) -> None:
    page = open_page("/advise?mine=41&theirs=49&at_risk=21")
    plot = page.locator("#why .plot")
    plot.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert "banked 23: 16.67%" in page.locator("#why .readout").inner_text()


def test_a_link_brings_back_the_page(open_page: Any) -> None:
    page = open_page("/advise?game=ten-thousand&goal=turn&at_risk=300&roll=1,5,6")
    settled(page, "document.querySelectorAll('#answer tbody tr').length > 2")
    first = page.locator("#answer").inner_text()
    page.locator("#at_risk").fill("350")
    page.keyboard.press("Tab")
    settled(page, "location.search.includes('at_risk=350')")
    settled(page, "first => document.querySelector('#answer').innerText !== first", first)
    settled(page, "document.querySelector('#answer').innerText.includes('500.00')")
    second = page.locator("#answer").inner_text()
    page.reload()
    settled(page, "second => document.querySelector('#answer').innerText === second", second)


def test_dice_of_ones_own_are_solved_on_the_spot(open_page: Any) -> None:
    page = open_page("/rules?game=own-dice")
    settled(page, "document.querySelector('#value') !== null")
    assert page.locator("#value").inner_text() == "53.0593%"
    page.locator("#add-face").click()
    settled(page, "document.querySelector('#value') && document.querySelector('#value').textContent !== '53.0593%'")
    assert "faces:bust,2,3,4,5,6,7" in page.evaluate("location.search")
    page.locator("#effect-1").select_option("bust")
    settled(page, "location.search.includes('faces:bust,bust,3')")


def test_a_drill_is_graded_and_kept(open_page: Any) -> None:
    page = open_page("/drill?seed=3")
    settled(page, "document.querySelector('#choices button') !== null")
    page.locator("#choices button").first.click()
    settled(page, "document.querySelector('#next') !== null")
    settled(page, "document.querySelector('#progress').textContent.includes('of')")
    assert page.locator("#feedback tbody tr").count() >= 2
    page.keyboard.press("n")
    settled(page, "document.querySelector('#exercise').textContent.includes('Exercise 2 of')")
    kept = json.loads(page.evaluate("fetch('/api/v1/records').then((answer) => answer.text())"))
    assert kept["drills"]


def test_the_theme_can_be_switched(open_page: Any) -> None:
    page = open_page("/")
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.locator("#theme").click()
    assert page.evaluate(back) != light
    page.reload()
    assert page.evaluate(back) != light
