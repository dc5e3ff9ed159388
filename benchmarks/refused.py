"""How many true headlines the rules of meaning refuse: people's own.

    python benchmarks/refused.py [--set gigaword-dev ...] [--pairs 2000] [--share 1.0] [--show 0]

Of each dev set, the headlines that people wrote in their source's words (this share of the words
with content, in any form) are put to the rules as if the model had said them. Nearly all are true,
so what is refused is what the rules cost. Counts by rule; --show prints so many of those refused.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from nacc.data.datasets import load, locate
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.meaning import violates
from nacc.text.stem import base
from nacc.text.words import Sentence, key, split

SETS = ("gigaword-dev", "reuters-dev", "web-dev")
_QUOTED = re.compile(r"(['\"]).*?\1(?!\w)")


def main() -> None:
    parser = argparse.ArgumentParser(description="true headlines that the rules refuse")
    parser.add_argument("--set", nargs="+", default=SETS)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--show", type=int, default=0)
    asked = parser.parse_args()
    for name in asked.set:
        found = list(islice(in_source_words(name, asked.share), asked.pairs))
        refused = [(s, h, why) for s, h in found if (why := violates(s, h.words))]
        rules = Counter(_QUOTED.sub("…", why) for _, _, why in refused)
        share = 100 * len(refused) / max(len(found), 1)
        print(f"{name}: {len(refused)} of {len(found)} refused ({share:.1f}%)")
        for rule, count in rules.most_common():
            print(f"  {count:4}  {rule}")
        for source, headline, why in refused[: asked.show]:
            print(f"\n{source}\n  {headline}\n  {why}")


def in_source_words(name: str, share: float) -> Iterator[tuple[Sentence, Sentence]]:
    """The pairs of a set whose headline has at least this share of its words from the source."""
    data = load(locate(name)[0])
    for text, references in zip(data.sources, data.references, strict=True):
        source = split(text).first_sentence()
        headline = split(references if isinstance(references, str) else references[0], source.style)
        content = [base(w) for w in map(key, headline.words) if w not in FUNCTION_WORDS]
        content = [word for word in content if word[:1].isalnum()]
        known = {base(word) for word in source.keys}
        if len(content) > 1 and sum(word in known for word in content) >= share * len(content):
            yield source, headline


if __name__ == "__main__":
    main()
