"""The paper's input: whole words, one piece each."""

from __future__ import annotations

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase

from nacc.text.pieces import Pieces


def word_tokenizer(vocabulary: list[str]) -> Pieces:
    """One piece a word: the output vocabulary, with ε's place standing for unknown words, so that
    input and output can share one table."""
    ids = {word: i for i, word in enumerate(vocabulary)}
    ids["<unk>"] = ids.pop(vocabulary[0])
    tokenizer = Tokenizer(WordLevel(ids, unk_token="<unk>"))
    tokenizer.normalizer = Lowercase()
    return Pieces(tokenizer)
