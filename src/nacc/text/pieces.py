"""Words as the encoder reads them: word pieces, digits as #, at most a few pieces a word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from nacc.errors import BadModel
from nacc.text.words import digits_hidden

PIECES_PER_WORD = 8


class Pieces:
    """A tokenizer.json applied word by word, so that every word knows where its pieces start.

    `prefix` and `suffix` are what stands before and after a sentence ([CLS] and [SEP], or nothing).
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
        self.prefix = _special(tokenizer, "[CLS]")
        self.suffix = _special(tokenizer, "[SEP]")
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
        self._tokenizer.save(str(path))

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def of(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The piece ids of each word, never none; remembered, as words come back."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if new:
            if len(self._known) > 200_000:
                self._known.clear()
                new = list(dict.fromkeys(words))
            self._known.update(zip(new, self._tokenize(new), strict=True))
        return [self._known[word] for word in words]

    def _tokenize(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        shapes = [digits_hidden(word) for word in words]
        encoded = self._tokenizer.encode_batch(shapes, add_special_tokens=False)
        return [tuple(e.ids[:PIECES_PER_WORD]) or (self.unknown,) for e in encoded]


def _vocabulary(tokenizer: Tokenizer) -> dict[str, int]:
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    return vocabulary


def _special(tokenizer: Tokenizer, token: str) -> tuple[int, ...]:
    found = tokenizer.token_to_id(token)
    return () if found is None else (int(found),)
