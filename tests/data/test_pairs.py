"""Which pairs teach, and in which words."""

import pytest
import zstandard

from nacc.data.pairs import clean, headline_words, read_pairs
from nacc.errors import InvalidInput
from nacc.text.words import split

SOURCE = (
    "The Marlow ferry company said on Monday that it would cut two of its 40 boats and 15 percent "
    "of the jobs at the old harbour, after it lost $ 9 million in the third quarter."
)


def target(headline: str, source: str = SOURCE) -> list[str]:
    pair = clean(split(source), headline)
    assert not isinstance(pair, str), pair
    return pair[1]


@pytest.mark.parametrize(
    ("headline", "words"),
    [
        ("Marlow to cut 2 boats", "marlow to cut two boats"),
        ("Marlow loses in 3rd quarter", "marlow loses in third quarter"),
        ("Marlow to cut 15% of jobs", "marlow to cut 15 percent of jobs"),
        ("Marlow to cut two of 40 boats", "marlow to cut two of 40 boats"),
    ],
)
def test_numbers_are_said_as_the_source_writes_them(headline, words):
    assert target(headline) == words.split()


@pytest.mark.parametrize("headline", ["Marlow to cut 41 boats", "Marlow to cut 20% of its jobs"])
def test_a_number_the_source_does_not_have_is_not_taught(headline):
    assert clean(split(SOURCE), headline) == "number not in the source"


def test_percent_spelled_out_counts_as_two_words():
    source = "It cut 9 percent of the jobs"
    assert (
        clean(split(source), "It cut 9% of all the jobs here") == "headline longer than its source"
    )
    assert target("It cut 9% of jobs", source) == "it cut 9 percent of jobs".split()


@pytest.mark.parametrize(
    ("headline", "words"),
    [
        ("Marlow 'sorry' for “sad” cuts.", "marlow sorry for sad cuts"),
        ("Marlow to cut ferry jobs - company boss", "marlow to cut ferry jobs"),
        ("Marlow dont want ferry cuts", "marlow don't want ferry cuts"),
        ("Marlow lost $ 9 million", "marlow lost $9 million"),
        ("Marlow cuts jobs!", "marlow cuts jobs"),
    ],
)
def test_headlines_lose_quotes_attributions_and_stops(headline, words):
    assert headline_words(headline) == words.split()


@pytest.mark.parametrize(
    ("source", "headline", "reason"),
    [
        ("Too short, this", "Too short", "source too short"),
        (SOURCE, "Ferry cuts", "headline too short or too long"),
        (SOURCE, "Marlow (the ferry) cuts jobs", "headline with brackets, dashes or colons"),
        (SOURCE, "Marlow UNK cuts jobs", "headline with an unknown word"),
        ("Elf Boote lagen noch immer vor dem alten Hafen", "Elf Boote vor Hafen", "not English"),
    ],
)
def test_pairs_that_cannot_teach_are_left_out_by_reason(source, headline, reason):
    assert clean(split(source), headline) == reason


def test_a_repeated_word_needs_a_slot_more():
    source = "one two three to of the"
    assert clean(split(source), "the the the the") == "headline longer than its source"


def test_plain_and_compressed_files_read_alike(tmp_path):
    text = "a source\ta headline\tan outlet\nanother ’s\tand its headline\n"
    (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
    packed = zstandard.ZstdCompressor().compress(text.encode())
    (tmp_path / "pairs.tsv.zst").write_bytes(packed)
    plain = list(read_pairs(tmp_path / "pairs.tsv"))
    assert plain == [("a source", "a headline"), ("another ’s", "and its headline")]
    assert list(read_pairs(tmp_path / "pairs.tsv.zst")) == plain


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("one.tsv", b"no tab here\n", "one.tsv, line 1: no tab"),
        ("short.tsv", b"a\tb\nno tab here\n", "short.tsv, line 2: no tab"),
        (
            "latin.tsv",
            "caf\u00e9\ta\n".encode("latin-1"),
            "line 1: byte 0xe9 is not UTF-8",
        ),
        ("broken.tsv.zst", b"this is not zstandard", "cannot read"),
    ],
)
def test_a_file_that_holds_no_pairs_is_named(tmp_path, name, content, named):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=named):
        list(read_pairs(tmp_path / name))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InvalidInput, match="nowhere"):
        list(read_pairs(tmp_path / "nowhere.tsv"))
