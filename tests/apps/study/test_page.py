"""The page of a study in a real browser: a judge with keys, one with a thumb, both at a time."""

from __future__ import annotations

import os
import shutil
import time
import warnings

import pytest

from nacc.evaluation.study import CRITERIA, Study
from nacc.evaluation.study_results import StudyResults

from .judges import SimulatedJudge, new_study

sync_api = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = os.environ.get("NACC_BROWSER_TESTS") == "required"
if not CHROMIUM and not REQUIRED:
    warnings.warn("no Chromium here: the page is not tested", stacklevel=1)
    pytest.skip("no Chromium here (apt-get install chromium)", allow_module_level=True)

KEYS = {"A": ("a", "ArrowLeft"), "tie": ("n", "ArrowDown"), "B": ("b", "ArrowRight")}
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        assert CHROMIUM, "NACC_BROWSER_TESTS=required, and there is no Chromium"
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Visitor:
    """One judge at the page."""

    def __init__(self, browser, url: str, **options) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.mistakes: list[str] = []
        self.page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        self.page.goto(url)

    def begin(self, name: str) -> Visitor:
        self.page.fill("#name", name)
        self.page.click("#welcome button")
        self.until(lambda: self.page.is_visible("#work"))
        return self

    def state(self) -> tuple[str, int]:
        """The place shown, and how many questions are answered there."""
        pressed = self.page.locator("#questions [aria-pressed=true]").count()
        return self.page.inner_text("#place"), pressed

    def until(self, condition) -> None:
        """Wait in Python: the page's policy forbids what Playwright would evaluate in it. What is
        said while the page is busy is not heard, so that is waited for too."""
        end = time.monotonic() + 30
        while self.page.locator("body[aria-busy]").count() or not condition():
            assert time.monotonic() < end, f"waited in vain at {self.state()}"
            self.page.wait_for_timeout(10)

    def done(self) -> bool:
        return self.page.is_visible("#end")

    def answer(self, judge: SimulatedJudge, press) -> None:
        """All three questions of the pair that is shown."""
        texts = [self.page.inner_text(each) for each in ("#source", "#a", "#b")]
        for criterion in CRITERIA:
            before = self.state()
            press(criterion, judge.says(*texts, criterion))
            last = criterion == [*CRITERIA][-1]  # after which the page turns by itself
            self.until(
                lambda b=before, n=1 if last else 2: self.done() or self.state()[:n] != b[:n]
            )

    def tap(self, criterion: str, choice: str) -> None:
        self.page.tap(f"[data-criterion={criterion}] button[value={choice}]")

    def key(self, criterion: str, choice: str) -> None:
        self.page.keyboard.press(KEYS[choice][len(criterion) % 2])


def test_two_judges_by_keys_and_by_thumb(tmp_path, browser, serve):
    file = tmp_path / "study.db"
    study = new_study(file, 12)
    server = serve(file)
    liking = {"overall": 0.9, "fluency": 1.0, "faithfulness": 0.0}
    judges = [SimulatedJudge(seed, **liking) for seed in (1, 2)]
    desk = Visitor(browser, server.url).begin("Ada")
    phone = Visitor(browser, server.url, **PHONE).begin("Ben")
    ways = [(desk, judges[0], desk.key), (phone, judges[1], phone.tap)]
    while not all(visitor.done() for visitor, *_ in ways):
        for visitor, judge, press in ways:
            if not visitor.done():
                visitor.answer(judge, press)
    [found] = StudyResults(study.answers()).comparisons().values()
    shares = {each.tally.criterion: each.share for each in found if each.tally.unit == "vote"}
    assert shares["fluency"] == 1.0
    assert shares["faithfulness"] == 0.0
    assert 0.7 < shares["overall"] < 1.0
    votes = [each.tally for each in found if each.tally.unit == "vote"]
    assert all(tally.wins + tally.losses == 24 for tally in votes)
    assert not desk.mistakes
    assert not phone.mistakes


def test_a_reload_and_another_device_go_on_where_she_was(tmp_path, browser, serve):
    file = tmp_path / "study.db"
    new_study(file, 4).close()
    server = serve(file)
    desk = Visitor(browser, server.url).begin("Ada")
    desk.key("overall", "A")
    desk.until(lambda: desk.state()[1] == 1)
    shown = desk.page.inner_text("#a")
    desk.page.reload()
    desk.page.wait_for_selector("#work:not([hidden])")
    assert desk.page.inner_text("#a") == shown
    assert desk.state()[1] == 1
    phone = Visitor(browser, desk.page.url, **PHONE)
    phone.page.wait_for_selector("#work:not([hidden])")
    assert phone.page.inner_text("#a") == shown
    width = phone.page.locator("main").bounding_box()["width"]
    assert width <= 360, "nothing sticks out of a phone"


def test_going_back_changes_an_answer(tmp_path, browser, serve):
    file = tmp_path / "study.db"
    new_study(file, 4).close()
    server = serve(file)
    desk = Visitor(browser, server.url).begin("Ada")
    judge = SimulatedJudge(1, overall=1, fluency=1, faithfulness=1)
    desk.answer(judge, desk.key)
    desk.page.keyboard.press("Backspace")
    desk.until(lambda: desk.state()[0].startswith("1 "))
    desk.page.click("[data-criterion=fluency] button[value=tie]")
    desk.until(lambda: "tie" in said(file, "fluency"))
    assert desk.state()[0].startswith("1 "), "a changed answer does not turn the page"
    desk.page.click("#next")
    desk.until(lambda: desk.state()[0].startswith("2 "))


def said(file, criterion: str) -> list[str]:
    study = Study(file)
    found = [{0: "tie"}.get(a.vote, "one") for a in study.answers() if a.criterion == criterion]
    study.close()
    return found


def test_what_was_not_kept_is_not_shown_as_kept(tmp_path, browser, serve):
    file = tmp_path / "study.db"
    new_study(file, 4).close()
    server = serve(file)
    desk = Visitor(browser, server.url).begin("Ada")
    server.kill()
    desk.key("overall", "A")
    desk.page.wait_for_selector("#problem:not([hidden])")
    assert "not kept" in desk.page.inner_text("#problem")
    assert desk.state()[1] == 0
