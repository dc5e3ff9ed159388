"""Text to words and back: splitting, sentence ends, spacing, case and quotes."""

from nacc.text.words import Sentence, split

__all__ = ["Sentence", "split"]
