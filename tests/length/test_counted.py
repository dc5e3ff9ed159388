"""Characters, graphemes, bytes, words and columns: what each counts, by example."""

import codecs
import encodings
import time
from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.length.measures import NEVER, Bytes, Characters, Columns, Graphemes, Words

FAMILY = "👩\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("", (0, 0, 0, 0, 0)),
        ("two words", (9, 9, 9, 2, 9)),
        ("cafe\u0301", (5, 4, 6, 1, 4)),
        ("日本 語", (4, 4, 10, 2, 7)),
        (FAMILY, (5, 1, 18, 1, 2)),
        ("👍🏽!", (3, 2, 9, 1, 3)),
        ("🇺🇸🇫🇷", (4, 2, 16, 1, 4)),
        ("❤ ❤\ufe0f", (4, 3, 10, 2, 4)),
        ("1\ufe0f\u20e3", (3, 1, 7, 1, 2)),
        ("한", (1, 1, 3, 1, 2)),
        ("\u1112\u1161\u11ab", (3, 1, 9, 1, 2)),
        ("שלום", (4, 4, 8, 1, 4)),
        ("ｶﾞ", (2, 1, 6, 1, 2)),
    ],
)
def test_characters_graphemes_bytes_words_and_columns(text, lengths):
    measures = (Characters(), Graphemes(), Bytes(), Words(), Columns())
    assert tuple(measure.of(text) for measure in measures) == lengths


def test_words_weigh_one_and_what_joins_them_nothing():
    pieces = [" word", ",", "'s", " well-known", " two words", " ", "", "a b", " open "]
    assert Words().weights(pieces).tolist() == [1, 0, 0, 1, 2, 0, 0, 1, 2]


def test_bytes_in_other_encodings():
    assert Bytes("latin-1").of("Zürich") == 6
    assert Bytes("utf-16-le").of("a👍") == 6
    assert Bytes("UTF8") == Bytes()
    assert Bytes("iso2022_jp").of("日本") == 10


def test_every_spelling_of_an_encoding_is_known():
    for name in ("Latin 1", "ISO-8859-1", "utf-16_LE", " UTF-8 ", "Shift_JIS", *aliases):
        try:
            known = codecs.lookup(name).name
            "".encode(known)
        except LookupError:  # of another system, or not of text
            continue
        if known not in ("idna", "punycode", "utf-7", "utf-16", "utf-32", "utf-8-sig"):
            assert Bytes(name).encoding == known


def test_names_of_no_encoding_are_not_remembered():
    """Python keeps each for good that it was asked for: a server's memory filled."""
    remembered = len(encodings._cache)
    for i in range(100):
        for name in (f"no-{i}", f"utf.{i}.8", f"\u00e9{i}"):
            with pytest.raises(InvalidInput, match="unknown encoding"):
                Bytes(name)
    assert len(encodings._cache) == remembered


@pytest.mark.parametrize(
    "encoding",
    [
        *("hz", "iso2022_jp", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr"),
        *("shift_jisx0213", "euc_jis_2004", "big5hkscs", "gb18030", "cp037", "utf-16-be"),
    ],
)
@given(text=st.text(alphabet="aZ ~+\\¥éÊ\u0304か\u309a漢ｶ가Ωж", max_size=12))
def test_joined_characters_never_take_more_bytes_than_apart(encoding, text):
    measure = Bytes(encoding)
    characters = [c for c in text if measure.weights([c])[0] < NEVER]
    assert measure.of("".join(characters)) <= measure.weights(characters).sum()


def test_a_character_the_encoding_lacks_is_never_chosen():
    assert Bytes("latin-1").weights([" ok", " 5 €"]).tolist() == [3, NEVER]
    with pytest.raises(InvalidInput, match=r"'€' cannot be written in iso8859-1"):
        Bytes("latin-1").of("5 €")


@pytest.mark.parametrize(
    ("encoding", "reason"),
    [
        ("klingon", "unknown encoding"),
        ("", "unknown encoding"),
        ("utf\x00", "unknown encoding"),
        ("base64", "unknown encoding"),
        ("undefined", "unknown encoding"),
        ("idna", "escapes text"),
        ("punycode", "escapes text"),
        ("unicode_escape", "escapes text"),
        ("raw_unicode_escape", "escapes text"),
        ("utf-7", "escapes text"),
        ("utf-16", "byte-order mark"),
        ("utf-8-sig", "byte-order mark"),
    ],
)
def test_encodings_that_cannot_measure_text_are_refused(encoding, reason):
    with pytest.raises(InvalidInput, match=reason):
        Bytes(encoding)


@pytest.mark.parametrize("character", ["\n", "\t", "\x00", "\x1b", "\x85", "\u2028"])
def test_columns_refuse_what_leaves_the_line(character):
    with pytest.raises(InvalidInput, match="no width in columns"):
        Columns().of(f"a{character}b")
    assert Columns().weights([character])[0] == NEVER


@pytest.mark.parametrize(
    ("measure", "text", "length"),
    [
        (Graphemes(), "\U0001f1e6" * 100_001, 50_001),  # half a minute, where each looks back
        (Graphemes(), "\U0001f1e6\U0001f1f9\u0301" * 50_000, 50_000),
        (Columns(), "\U0001f1e6" * 100_001, 100_002),
        (Columns(), "e" + "\u0301" * 300_000, 1),
    ],
)
def test_no_row_of_signs_takes_long_to_measure(measure, text, length):
    started = time.process_time()
    assert measure.of(text) == length
    assert time.process_time() - started < 1
