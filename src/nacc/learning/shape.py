"""The network's shape: all that must be known to build it. Read without torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import ConfigDict, with_config

from nacc.errors import BadModel
from nacc.learning.settings import Count, Flag, Share, Size, checked


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Shape:
    """`pieces` and `words` are the sizes of the input and the output vocabulary.

    copy:           the source's own words can be said too; with `extract` each slot can say its
                    own word or nothing, so that a summary is words of the source, in order.
    decoder_layers: 0 for a non-autoregressive model; else a decoder of so many layers says one
                    word after another: a distilling teacher, or the paper's comparison.
    slots:          0 where each word is one slot (CTC); else how many linked slots each opens,
                    with `slot_layers` layers over them and `link_heads` heads for their links. A
                    decoder then only scores what the slots say.
    rival:          "" for ours; else how another paper's network says its words: a chain over the
                    slots ("crf"), all at once by a decoder that sees none of them ("bang"), or by
                    one that is told their parts of speech, of which there are `tags` ("pos").
    """

    pieces: Size
    words: Size
    width: Size = 384
    layers: Size = 6
    heads: Size = 12
    inner: Size = 1536
    positions: Size = 512
    word_layers: Count = 0
    activation: Literal["gelu", "relu"] = "gelu"
    dropout: Share = 0.1
    copy: Flag = True
    tied: Flag = False
    extract: Flag = False
    decoder_layers: Count = 0
    slots: Count = 0
    slot_layers: Count = 0
    link_heads: Count = 0
    rival: Literal["", "crf", "bang", "pos"] = ""
    tags: Count = 0

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Shape:
        """A checked shape; BadModel says which setting is wrong."""
        shape = checked(cls, values, BadModel, worded="{name} {value!r} must be {wanted}")
        for fault in _faults(shape):
            raise BadModel(fault)
        return shape

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _faults(shape: Shape) -> Iterator[str]:
    """Settings that do not go together."""
    if shape.width % shape.heads:
        yield f"width {shape.width} is not a multiple of heads {shape.heads}"
    if shape.tied and shape.pieces != shape.words:
        yield "a tied output needs the same vocabulary on both sides"
    if shape.extract and not shape.copy:
        yield "a model that extracts must copy: copy = true"
    if shape.extract and shape.words != 1:
        yield f"a model that extracts says no words but the source's, got {shape.words}"
    if shape.decoder_layers and shape.extract:
        yield "a decoder does not extract: extract = false"
    if shape.slots and (not shape.copy or shape.tied or shape.extract):
        yield "linked slots copy and have an output of their own: copy = true alone"
    if shape.slots and (not shape.link_heads or shape.width % shape.link_heads):
        yield f"width {shape.width} is not a multiple of link_heads {shape.link_heads}"
    if shape.rival and (shape.slots or shape.extract or not shape.copy):
        yield f"{shape.rival} copies and has no linked slots: copy = true, slots = 0"
    if shape.rival and bool(shape.decoder_layers) != (shape.rival != "crf"):
        yield f"decoder_layers {shape.decoder_layers}: bang and pos have a decoder, crf has none"
    if bool(shape.tags) != (shape.rival == "pos"):
        yield f"tags {shape.tags}: how many parts of speech there are, for pos alone"
