"""Widths in pixels: the built-in tables say what the fonts say, and font files are shaped."""

import sys
from pathlib import Path

import matplotlib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.font_table import derive

from nacc import Budget
from nacc.errors import InvalidInput, MissingExtra
from nacc.length.measures import NEVER, Pixels
from nacc.length.measures.font_file import Shaper
from nacc.length.measures.font_table import FontTable

DEJAVU = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
LATIN = (range(0x20, 0x66), range(0x67, 0x7F), range(0xC0, 0x100))  # f makes ligatures

SENTENCES = (
    "Ministers agree to fund faster trains",
    "AVATAR: You, Tom & “Waltz” – P.A. To. V,",
    "Zürich–Łódź: 1,250 € für Öl, ça va?",
    "Πώς πάει; Всё хорошо, Ёлка!",
)


@pytest.mark.parametrize(
    ("font", "units"),
    [
        ("Arial", (32100, 37488, 31989, 27355)),
        ("Roboto", (32532, 36711, 31307, 27104)),
        ("Inter", (34501, 39464, 33682, 28747)),
    ],
)
def test_tables_agree_with_harfbuzz_on_the_fonts_they_come_from(font, units):
    """`units` is what HarfBuzz gives for each sentence with the fonts named in fonts/README.md."""
    measure = Pixels(font, 20)
    assert [measure.of(sentence) for sentence in SENTENCES] == [u * 20 / 2048 for u in units]


@pytest.fixture(scope="module")
def derived(tmp_path_factory) -> FontTable:
    path = tmp_path_factory.mktemp("fonts") / "dejavu.npz"
    derive(DEJAVU, LATIN).save(path)
    return FontTable.load(path)


@settings(max_examples=500)
@given(text=st.text(alphabet=[chr(c) for block in LATIN for c in block], max_size=30))
def test_a_derived_table_says_what_shaping_says_without_ligatures(derived, text):
    assert derived.width(text) == Shaper.open(DEJAVU).width(text)


def test_kerning_and_size_count():
    assert Pixels("Arial", 20).of("AV") < Pixels("Arial", 20).of("A") + Pixels("Arial", 20).of("V")
    assert Pixels("Arial", 10).of("AV") * 2 == Pixels("Arial", 20).of("AV")


@pytest.mark.parametrize(("font", "left", "right"), [("Roboto", "r", "t"), ("Inter", "ĭ", "ï")])
def test_weights_allow_for_kerning_that_pushes_pieces_apart(font, left, right):
    measure = Pixels(font, 100)
    assert measure.of(left + right) > measure.of(left) + measure.of(right) + 1
    weights = measure.weights([" " + left, right])
    assert weights.sum() - measure.weights([" "])[0] >= 4 * measure.of(left + right)


@pytest.mark.parametrize("font", ["Arial", "Roboto", "Inter", str(DEJAVU)])
def test_characters_the_font_lacks_get_a_cautious_width(font):
    measure = Pixels(font, 10)
    assert measure.of("日本") == pytest.approx(20, abs=0.01)
    assert measure.of("\U0001fae0") == pytest.approx(14, abs=0.01)
    assert measure.of("e\u0301\u200d") == pytest.approx(measure.of("e"), rel=0.01)


@pytest.mark.parametrize("font", ["Arial", str(DEJAVU)])
def test_line_breaks_and_tabs_are_refused(font):
    with pytest.raises(InvalidInput, match="no width in pixels"):
        Pixels(font).of("a\nb")
    assert Pixels(font).weights([" a\tb"])[0] == NEVER


def test_a_font_file_shapes_ligatures_and_joined_letters():
    measure = Pixels(str(DEJAVU), 512)
    letters = sum(measure.of(letter) for letter in "سلام")
    assert measure.of("سلام") < 0.8 * letters
    assert measure.of("AV") < measure.of("A") + measure.of("V")
    assert measure.of("سلام Tom") == measure.of("سلام ") + measure.of("Tom")


def fill(room: int, pieces: list[str], measure: Pixels) -> str:
    kept = []
    for piece, weight in zip(pieces, measure.weights(pieces), strict=True):
        if weight <= room and (kept or piece.startswith(" ")):
            kept.append(piece)
            room -= int(weight)
    return "".join(kept)[1:]


def fill_again_until_it_fits(budget: Budget, pieces: list[str]) -> str:
    (plan,) = budget.plans()
    room = plan.room
    text = fill(room, pieces, budget.measure)
    while budget.overshoot(text):
        room -= budget.overshoot(text)
        text = fill(room, pieces, budget.measure)
    return text


def test_letters_that_grow_when_they_join_are_caught_by_measuring_again():
    measure = Pixels(str(DEJAVU), 100)
    pieces = [" ه", "د", "\u200d"]
    alone = (measure.weights(pieces).sum() - measure.weights([" "])[0]) / 4
    budget = Budget(float(alone), measure)
    (plan,) = budget.plans()
    assert not budget.fits(fill(plan.room, pieces, measure))
    assert fill_again_until_it_fits(budget, pieces) == "ه\u200d"


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.text(alphabet="AVTofi.,هدسل 日👍\u0301\u200d", min_size=1, max_size=5)),
    spaced=st.lists(st.booleans(), min_size=20, max_size=20),
    amount=st.floats(0, 200),
)
def test_filling_again_with_a_font_file_always_ends_within_the_budget(words, spaced, amount):
    pieces = [" " + word if space else word for word, space in zip(words, spaced, strict=False)]
    budget = Budget(amount, Pixels(str(DEJAVU), 17.5))
    assert budget.fits(fill_again_until_it_fits(budget, pieces))


def test_bad_fonts_and_sizes_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"unknown font 'Comic'.*Arial, Roboto and Inter"):
        Pixels("Comic")
    (tmp_path / "not.ttf").write_text("no font")
    with pytest.raises(InvalidInput, match="not a TrueType"):
        Pixels(str(tmp_path / "not.ttf"))
    for size in (0, -1, float("nan"), 1001):
        with pytest.raises(InvalidInput, match="size must be more than 0 and at most 1000 px"):
            Pixels("Arial", size)


def test_a_font_file_without_the_extra_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    Shaper.open.cache_clear()
    with pytest.raises(MissingExtra, match=r"\.\[pixels\]"):
        Shaper.open(DEJAVU)


def test_built_in_fonts_need_no_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "uharfbuzz", None)
    monkeypatch.setitem(sys.modules, "fontTools", None)
    assert Pixels("Helvetica") == Pixels("Liberation Sans") == Pixels("Arial")
    assert Pixels("roboto").of("word") > 0


def test_a_long_text_is_measured_once(monkeypatch):
    """Half a million accents took half a second: what is to fit is measured again and again."""
    text, measured, width = "é" * 5_000 + "!", [], FontTable.width

    def counted(table, text):
        measured.append(text)
        return width(table, text)

    monkeypatch.setattr(FontTable, "width", counted)
    lengths = {Budget.of("2000 px").length(text) for _ in range(6)}
    assert len(lengths) == 1
    assert measured.count(text) == 1
