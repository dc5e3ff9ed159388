"""Words as the encoder reads them: word pieces, digits as #, at most a few pieces a word."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing

from nacc.errors import BadModel
from nacc.text.memory import LONGEST
from nacc.text.words import digits_hidden

PIECES_PER_WORD = 8
MOST_KNOWN = 2**16
"""Words whose pieces are remembered."""


class Pieces:
    """A tokenizer.json applied word by word, so that every word knows where its pieces start.

    `prefix` and `suffix` are what the tokenizer puts before and after a sentence ([CLS] and [SEP],
    or nothing).
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        unknown = next(
            (tokenizer.token_to_id(t) for t in ("[UNK]", "<unk>") if t in _vocabulary(tokenizer)),
            None,
        )
        if unknown is None:
            raise BadModel("the tokenizer has no [UNK] or <unk> piece")
        self.unknown: int = unknown
        self.prefix, self.suffix = _around(tokenizer)
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def load(cls, path: Path) -> Pieces:
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exceptions
            raise BadModel(f"{path} is not a tokenizer.json: {error}") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(tokenizer)

    def save(self, path: Path) -> None:
        self._tokenizer.save(str(path), pretty=False)

    def id(self, piece: str) -> int:
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise BadModel(f"the tokenizer has no piece {piece}")
        return int(found)

    def beginning(self, names: Sequence[str]) -> Pieces:
        """The same, with these pieces before every sentence, after [CLS]."""
        ends = [(name, self.id(name)) for name in ("[CLS]", *names, "[SEP]")]
        single = " ".join([*(name for name, _ in ends[:-1]), "$A", "[SEP]"])
        tokenizer = Tokenizer.from_str(self._tokenizer.to_str())
        tokenizer.post_processor = TemplateProcessing(
            single=single, pair=f"{single} $B:1 [SEP]:1", special_tokens=ends
        )
        return Pieces(tokenizer)

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def of(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The piece ids of each word, never none; remembered, as words come back."""
        if len(self._known) > MOST_KNOWN:
            self._known = {}  # a new one: other threads may be reading the old
        known = self._known
        with suppress(KeyError):
            return [known[word] for word in words]
        found = {word: pieces for word in words if (pieces := known.get(word)) is not None}
        new = [word for word in dict.fromkeys(words) if word not in found]
        for word, pieces in zip(new, self._tokenize(new) if new else (), strict=True):
            found[word] = pieces
            if len(word) <= LONGEST:
                known[word] = pieces
        return [found[word] for word in words]

    def _tokenize(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        shapes = [digits_hidden(word) for word in words]
        encoded = self._tokenizer.encode_batch(shapes, add_special_tokens=False)
        return [tuple(e.ids[:PIECES_PER_WORD]) or (self.unknown,) for e in encoded]


def _vocabulary(tokenizer: Tokenizer) -> dict[str, int]:
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    return vocabulary


def _around(tokenizer: Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What comes before and after any sentence: here, one of a single letter. A tokenizer that
    does not say is asked for [CLS] and [SEP]."""
    if tokenizer.post_processor is None:
        return _special(tokenizer, "[CLS]"), _special(tokenizer, "[SEP]")
    bare = tokenizer.encode("a", add_special_tokens=False).ids
    whole = tokenizer.encode("a").ids
    for i in range(len(whole) - len(bare) + 1):
        if whole[i : i + len(bare)] == bare:
            return tuple(whole[:i]), tuple(whole[i + len(bare) :])
    raise BadModel("the tokenizer's post-processor does more than put pieces around a sentence")


def _special(tokenizer: Tokenizer, token: str) -> tuple[int, ...]:
    found = tokenizer.token_to_id(token)
    return () if found is None else (int(found),)
