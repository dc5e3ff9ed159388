"""The network's shape: all that must be known to build it. Read without torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from nacc.errors import BadModel

ACTIVATIONS = ("gelu", "relu")


@dataclass(frozen=True)
class Shape:
    """`pieces` and `words` are the sizes of the input and the output vocabulary.

    copy:           the source's own words can be said too; with `extract` each slot can say its
                    own word or nothing, so that a summary is words of the source, in order.
    decoder_layers: 0 for a non-autoregressive model; else a decoder of so many layers says one
                    word after another: a teacher, or the paper's comparison.
    slots:          0 where each word is one slot (CTC); else how many linked slots each opens,
                    with `slot_layers` layers over them and `link_heads` heads for their links. A
                    decoder then only scores what the slots say.
    """

    pieces: int
    words: int
    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    word_layers: int = 0
    activation: str = "gelu"
    dropout: float = 0.1
    copy: bool = True
    tied: bool = False
    extract: bool = False
    decoder_layers: int = 0
    slots: int = 0
    slot_layers: int = 0
    link_heads: int = 0

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Shape:
        """A checked shape; BadModel says which setting is wrong."""
        try:
            shape = cls(**values)
        except TypeError:
            wrong = sorted(set(values) - {f.name for f in fields(cls)})
            about = f"unknown setting {wrong[0]!r}" if wrong else "pieces or words is missing"
            known = ", ".join(f.name for f in fields(cls))
            raise BadModel(f"not a model shape: {about}; known: {known}") from None
        for name in ("pieces", "words", "width", "layers", "heads", "inner", "positions"):
            _check_count(name, getattr(shape, name), least=1)
        for name in ("word_layers", "decoder_layers", "slots", "slot_layers", "link_heads"):
            _check_count(name, getattr(shape, name), least=0)
        if shape.activation not in ACTIVATIONS:
            raise BadModel(f"activation {shape.activation!r} must be gelu or relu")
        if type(shape.dropout) not in (int, float) or not 0 <= shape.dropout < 1:
            raise BadModel(f"dropout {shape.dropout!r} must be at least 0 and below 1")
        for name in ("copy", "tied", "extract"):
            if not isinstance(getattr(shape, name), bool):
                raise BadModel(f"{name} {getattr(shape, name)!r} must be true or false")
        if shape.width % shape.heads:
            raise BadModel(f"width {shape.width} is not a multiple of heads {shape.heads}")
        if shape.tied and shape.pieces != shape.words:
            raise BadModel("a tied output needs the same vocabulary on both sides")
        if shape.extract and not shape.copy:
            raise BadModel("a model that extracts must copy: copy = true")
        if shape.extract and shape.words != 1:
            raise BadModel(
                f"a model that extracts says no words but the source's, got {shape.words}"
            )
        if shape.decoder_layers and (shape.extract or not shape.copy):
            raise BadModel("an autoregressive model copies from anywhere: copy = true alone")
        _check_links(shape)
        return shape

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _check_count(name: str, value: object, least: int) -> None:
    if type(value) is not int or value < least:
        raise BadModel(f"{name} {value!r} must be a whole number, at least {least}")


def _check_links(shape: Shape) -> None:
    if shape.slots and (not shape.copy or shape.tied or shape.extract):
        raise BadModel("linked slots copy and have an output of their own: copy = true alone")
    if shape.slots and (not shape.link_heads or shape.width % shape.link_heads):
        raise BadModel(f"width {shape.width} is not a multiple of link_heads {shape.link_heads}")
