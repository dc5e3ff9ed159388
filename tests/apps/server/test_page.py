"""The page in a real browser: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator

import pytest

from .texts import TEXTS

sync_api = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = os.environ.get("NACC_BROWSER_TESTS") == "required"
if not CHROMIUM and not REQUIRED:
    warnings.warn("no Chromium here: the page is not tested", stacklevel=1)
    pytest.skip("no Chromium here (apt-get install chromium)", allow_module_level=True)

HEADLINE = "#headline"


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        assert CHROMIUM, "NACC_BROWSER_TESTS=required, and there is no Chromium"
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens the page of a server; at the end nothing may have gone wrong or abroad."""
    opened = []

    def to(server, generation=None, **options):
        context = browser.new_context(**options)
        page = context.new_page()
        if generation is not None:
            models = {"models": [{"config": {"generation": generation}, "styles": ["wire", "web"]}]}
            page.route("**/v1/models", lambda route: route.fulfill(json=models))
        page.set_default_timeout(20_000)
        page.asked, page.mistakes = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: page.mistakes.append(str(error)))
        page.goto(server.url)
        opened.append((context, page, server.url))
        return page

    yield to
    for context, page, url in opened:
        assert not page.mistakes
        abroad = [asked for asked in page.asked if not asked.startswith((url, "data:"))]
        assert not abroad, "the page asks nobody but its own server"
        context.close()


@pytest.fixture
def page(visit, server):
    page = visit(server)
    page.wait_for_selector("#others li")
    return page


def said(page) -> str:
    return page.inner_text(HEADLINE)


def until(page, condition: Callable[[], bool]) -> None:
    """Wait in Python: the page's policy forbids what Playwright would evaluate in it."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, f"waited in vain; the headline is {said(page)!r}"
        page.wait_for_timeout(20)


def test_typing_a_text_gives_its_headline(page):
    before = said(page)
    page.fill("#text", TEXTS[0])
    until(page, lambda: said(page) not in ("", before))
    assert "terminals" in said(page).lower()
    assert len(said(page)) <= 50
    page.fill("#text", "   ")
    until(page, lambda: said(page) == "")
    assert page.is_disabled("#copy")


def test_the_slider_moves_the_headline_without_another_forward_pass(visit, ctc_server):
    page, server = visit(ctc_server), ctc_server
    page.wait_for_selector("#others li")
    page.focus("#slider")
    passes = server.count("nacc_inference_seconds_count")
    for _ in range(22):
        page.keyboard.press("ArrowLeft")
    until(page, lambda: "28 characters" in page.inner_text("#length"))
    assert len(said(page)) <= 28
    page.keyboard.press("End")
    until(page, lambda: len(said(page)) > 60)
    assert server.count("nacc_inference_seconds_count") == passes
    assert page.get_attribute("#slider", "aria-valuetext") == "150 characters"


def test_a_model_that_is_told_the_length_reads_again_for_another_one(page, server):
    page.fill("#text", " ")
    until(page, lambda: page.locator("#others li").count() == 0)
    page.fill("#text", f"{TEXTS[9]} Nobody asked for this one before.")
    page.wait_for_selector("#others li")
    passes = server.count("nacc_inference_seconds_count")
    page.locator("#lengths button").nth(1).click()
    until(page, lambda: "30 characters" in page.inner_text("#length"))
    page.focus("#slider")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    until(page, lambda: "28 characters" in page.inner_text("#length"))
    assert len(said(page)) <= 28
    assert server.count("nacc_inference_seconds_count") == passes, "of the same length"
    page.keyboard.press("End")
    until(page, lambda: len(said(page)) > 60)
    assert server.count("nacc_inference_seconds_count") == passes + 1
    assert page.get_attribute("#slider", "aria-valuetext") == "150 characters"


def test_presets_and_units_set_the_budget(page):
    page.select_option("#preset", "push-title")
    until(page, lambda: len(said(page)) <= 30)
    assert page.input_value("#amount") == "30"
    page.select_option("#unit", "words")
    until(page, lambda: "8 words" in page.inner_text("#length"))
    assert len(said(page).split()) <= 8
    assert page.input_value("#preset") == ""
    page.select_option("#preset", "search-title")
    until(page, lambda: "600 pixels" in page.inner_text("#length"))
    assert page.inner_text("#search em") == "fits"


@pytest.mark.parametrize("place", ["phone", "search", "sign"])
def test_the_headline_can_be_fitted_to_each_place(page, place):
    page.fill("#amount", "140")
    until(page, lambda: len(said(page)) > 60)
    assert page.inner_text(f"#{place} em") == "is cut off"
    page.click(f"#{place} button")
    until(page, lambda: page.inner_text(f"#{place} em") == "fits")


def test_the_sign_is_lit_and_pictures_keep_their_scale(page):
    lit = """() => { const c = document.querySelector('canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] > 200; return n; }"""
    assert page.evaluate(lit) > 500
    size = "e => getComputedStyle(e).fontSize"
    assert page.eval_on_selector("#search .title", size) == "20px"
    assert page.eval_on_selector("#search .title", "e => e.clientWidth") == 600


def test_copied_words_are_marked_in_the_source_that_they_are_of(page):
    marked = " ".join(page.locator("#marks mark").all_inner_texts()).split()
    assert marked and set(marked) <= set(page.input_value("#text").replace(",", " ").split())
    assert f"{len(marked)} words copied" in page.inner_text("#origin")
    held = []
    page.route("**/v1/summarize", lambda route: held.insert(0, route))
    page.fill("#text", TEXTS[0])
    until(page, lambda: held)
    page.fill("#text", TEXTS[1])
    held[-1].continue_()
    page.wait_for_timeout(400)
    assert page.locator("#marks").inner_text().strip() == TEXTS[1]


def test_lengths_side_by_side_and_alternatives(page):
    lengths = page.locator("#lengths li")
    assert lengths.count() == 4
    for item, most in zip(lengths.all(), (20, 30, 50, 75), strict=True):
        assert 0 < len(item.locator("span").inner_text()) <= most
    others = page.locator("#others li").all_inner_texts()
    assert len(set(others)) == 3
    lengths.nth(0).locator("button").click()
    until(page, lambda: len(said(page)) <= 20)


def test_options_begin_as_the_models_folder_says(visit, server):
    generation = {"case": "source", "sentences": "all", "faithful": True}
    page = visit(server, generation=generation)
    page.wait_for_selector("#others li")
    page.click("summary")
    assert page.is_visible("#style")
    assert page.locator("#style option").all_text_contents() == ["any", "wire", "web"]
    shown = {name: page.input_value(f"#{name}") for name in ("case", "sentences")}
    assert {**shown, "faithful": page.is_checked("#faithful")} == generation
    expected = server.ask(page.input_value("#text"), **generation).json()["results"][0]
    assert said(page) == expected["summaries"][0]["text"]


def test_options_are_heeded(page, server):
    page.click("summary")
    (model,) = server.get("/v1/models").json()["models"]
    assert page.is_visible("#style") == bool(model["styles"])
    page.fill("#required", "railways")
    until(page, lambda: "railways" in said(page).lower())
    page.fill("#required", "")
    page.select_option("#case", "lower")
    until(page, lambda: said(page) == said(page).lower())


def test_copying(browser, visit, server):
    page = visit(server, permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_selector("#others li")
    page.click("#copy")
    until(page, lambda: page.text_content("#status") == "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == said(page)


def test_errors_are_shown_in_words_and_can_be_mended(page):
    page.fill("#amount", "1")
    page.wait_for_selector("#problem:not([hidden])")
    assert "nothing sensible fits in 1 character" in page.inner_text("#words").lower()
    page.click("#mend")
    page.wait_for_selector("#problem[hidden]", state="attached")
    assert 1 < len(said(page)) <= int(page.input_value("#amount"))
    page.fill("#text", "word " * 3000)
    page.wait_for_selector("#problem:not([hidden])")
    assert "too long" in page.inner_text("#words")


def test_a_stopped_server_is_said_in_words_and_a_new_one_found(visit, start):
    server = start().until_ready()
    page = visit(server)
    page.wait_for_selector("#others li")
    port = server.url.rsplit(":", 1)[1]
    assert server.stop() == 0
    page.fill("#amount", "30")
    page.wait_for_selector("#problem:not([hidden])")
    assert "does not answer" in page.inner_text("#words")
    start("--port", port).until_ready()
    page.wait_for_selector("#problem[hidden]", state="attached")
    until(page, lambda: len(said(page)) <= 30)


def test_a_key_can_be_given(visit, strict):
    page = visit(strict)
    page.wait_for_selector("#key-form:not([hidden])")
    page.fill("#key", "a-long-secret")
    page.click("#key-form button")
    until(page, lambda: len(said(page)) > 10)


def test_every_control_has_a_name_and_the_headline_is_announced(page):
    nameless = page.eval_on_selector_all(
        "input, select, textarea, button",
        """all => all.filter(e => e.checkVisibility() && !(e.labels && e.labels.length)
            && !e.ariaLabel && !e.textContent.trim()).map(e => e.id)""",
    )
    assert nameless == []
    assert page.get_attribute(HEADLINE, "aria-live") == "polite"
    assert page.get_attribute("#problem", "role") == "alert"


def test_all_of_it_works_by_keyboard(page):
    page.focus("#text")
    reached = []
    for _ in range(16):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    wanted = ["copy", "amount", "unit", "preset", "slider"]
    assert [one for one in reached if one in wanted] == wanted


@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_sticks_out_on_a_phone(visit, server, width):
    page = visit(server, viewport={"width": width, "height": 800}, has_touch=True)
    page.wait_for_selector("#others li")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_mode_is_dark(visit, server):
    def luminance(scheme):
        page = visit(server, color_scheme=scheme)
        colour = page.eval_on_selector("body", "e => getComputedStyle(e).backgroundColor")
        return sum(int(part) for part in colour.strip("rgb()").split(","))

    assert luminance("dark") < 150
    assert luminance("light") > 600


def test_a_long_text_scrolls_in_its_place_and_reads_its_own_way_round(server, visit):
    page = visit(server)
    page.fill("#text", "The council of Norwick met on Monday. " * 600)

    tall = "element => element.offsetHeight"
    paper, text, marks = (page.eval_on_selector(s, tall) for s in (".paper", "#text", "#marks"))
    assert paper < page.viewport_size["height"] < text
    assert text == marks, "the marks are not where their letters are"
    page.fill("#text", "اجتمع مجلس المدينة يوم الاثنين")
    direction = "() => getComputedStyle(document.querySelector('#text')).direction"
    assert page.evaluate(direction) == "rtl"
