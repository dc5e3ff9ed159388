"""What a network reads and makes of some sentences: by this, its graphs' steps are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle

import torch
from torch import Tensor

from nacc.errors import BadModel
from nacc.learning.linked import Linked
from nacc.learning.network import Network
from nacc.learning.rounding import Feed
from nacc.runtime.conditions import Conditions
from nacc.runtime.inputs import InputEncoder
from nacc.runtime.scorer import tree_feed
from nacc.text.words import split

_SAID, _APART = 9, 4
"""Words of a sentence that are taken for an answer to it, and where the next such begins."""
_CHARACTERS = 50


@dataclass(frozen=True, eq=False)
class Seen:
    """sentences, answers: what the graphs were given. tops: what the output saw, (N, width)."""

    sentences: list[Feed] = field(default_factory=list)
    answers: list[Feed] = field(default_factory=list)
    tops: list[Tensor] = field(default_factory=list)


@torch.no_grad()
def look(
    network: Network, encoder: InputEncoder, conditions: Conditions | None, texts: Sequence[str]
) -> Seen:
    """Read the texts, each told one of the styles; one by one: padding is nothing to go by."""
    network.eval()
    told = _told(encoder, conditions)
    seen = Seen()
    for text, prefix in zip(texts, cycle(told)):
        keys = split(text).keys
        keys = keys[: encoder.fitting(keys) - len(prefix)]
        if not keys:
            continue
        made = encoder.batch([keys], [prefix])
        names = ("pieces", "slots", "lengths", "symbols")
        feed = {name: getattr(made, name) for name in names}
        seen.sentences.append(feed)
        if not isinstance(network, Linked):
            continue
        inputs = [torch.from_numpy(feed[name]) for name in names[:3]]
        source = network.encode(*inputs)
        state, _ = network.link(source, inputs[2])
        seen.tops.append(network.top(state)[0])
        said = [keys[at : at + _SAID] for at in range(0, len(keys), _APART)]
        seen.answers.append(tree_feed(encoder, source[0].numpy(), keys, said)[0])
    return seen


def _told(encoder: InputEncoder, conditions: Conditions | None) -> list[Sequence[int]]:
    """The pieces that may stand before a sentence: none, and those of each style."""
    found: list[Sequence[int]] = [encoder.prefix]
    if conditions is None:
        return found
    voices = sorted({None, *conditions.styles.values()}, key=str)
    with suppress(BadModel):  # a tokenizer without pieces to spare: nothing can be told
        for voice in voices:
            for length in (_CHARACTERS, None):
                found.append(conditions.before(encoder.pieces, voice, length).prefix)
    return found
