"""Words as the encoder reads them."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from nacc.errors import BadModel
from nacc.text.pieces import PIECES_PER_WORD, Pieces

VOCABULARY = ["[UNK]", "[CLS]", "[SEP]", "head", "##line", "##s", "#", "###", "##.", "a", "##a"]


def tokenizer(vocabulary: list[str], unknown: str = "[UNK]") -> Tokenizer:
    ids = {piece: i for i, piece in enumerate(vocabulary)}
    return Tokenizer(WordPiece(ids, unk_token=unknown))


@pytest.fixture
def pieces() -> Pieces:
    return Pieces(tokenizer(VOCABULARY))


def test_a_word_is_its_pieces_in_order(pieces):
    head, line, s = (VOCABULARY.index(p) for p in ("head", "##line", "##s"))
    assert pieces.of(["headlines", "head"]) == [(head, line, s), (head,)]


def test_every_digit_is_read_as_one_sign(pieces):
    first, more = VOCABULARY.index("#"), VOCABULARY.index("###")
    assert pieces.of(["42"]) == pieces.of(["17"]) == pieces.of(["##"]) == [(first, more)]
    assert pieces.of(["٣"]) == [(first,)]


def test_a_long_word_is_capped(pieces):
    assert len(pieces.of(["a" * 50])[0]) == PIECES_PER_WORD


def test_what_has_no_piece_is_one_unknown_piece(pieces):
    assert pieces.of(["Ω", ""]) == [(pieces.unknown,), (pieces.unknown,)]


def test_no_words_have_no_pieces(pieces):
    assert pieces.of([]) == []


def test_threads_may_share_it_while_it_forgets(pieces, monkeypatch):
    monkeypatch.setattr("nacc.text.pieces.MOST_KNOWN", 20)
    monkeypatch.setattr(pieces, "_tokenize", _slowly(pieces._tokenize))
    lots = [[f"w{i * 7 + j}" for j in range(15)] for i in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(pieces.of, lots))
    assert [len(each) for each in found] == [15] * 200
    assert len(pieces._known) <= 20 + 8 * 15


def test_long_words_are_not_remembered(pieces):
    long = "x" * 10_000
    assert len(pieces.of([long, "court"])) == 2
    assert "court" in pieces._known and long not in pieces._known


def _slowly(tokenize):
    def slow(words):
        time.sleep(0.0005)  # so that others come in between
        return tokenize(words)

    return slow


def test_the_sentence_marks_are_found_or_none(pieces):
    assert (pieces.prefix, pieces.suffix) == ((1,), (2,))
    bare = Pieces(tokenizer(["[UNK]", "a"]))
    assert (bare.prefix, bare.suffix) == ((), ())


def test_it_loads_what_it_saved(pieces, tmp_path):
    pieces.save(tmp_path / "tokenizer.json")
    again = Pieces.load(tmp_path / "tokenizer.json")
    assert len(again) == len(pieces) == len(VOCABULARY)
    assert again.of(["headlines", "x9"]) == pieces.of(["headlines", "x9"])


def test_a_tokenizer_without_an_unknown_piece_is_refused():
    with pytest.raises(BadModel, match="UNK"):
        Pieces(tokenizer(["a"], "a"))


@pytest.mark.parametrize("content", [None, "", "{}", '{"version": "1.0"'])
def test_a_damaged_tokenizer_is_refused(content, tmp_path):
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadModel, match=r"tokenizer\.json"):
        Pieces.load(path)
