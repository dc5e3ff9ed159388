"""Every limit of the service: default, meaning and least amount. The flags and variables of
`nacc serve` are made from these fields."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from threading import TIMEOUT_MAX
from typing import Any

from nacc.errors import InvalidInput

POSITIVE = 1e-3
SHOWN = (
    "max_body", "max_texts", "max_characters", "max_budgets", "max_alternatives", "max_work",
    "queue", "timeout", "arrival",
)  # fmt: skip
"""What a client should know before asking."""


def _setting(default: Any, what: str, *, least: float = POSITIVE) -> Any:
    """A field of Settings; `what` is its help, and no number may be smaller than `least`."""
    return field(default=default, metadata={"what": what, "least": least})


@dataclass(frozen=True)
class Settings:
    """Amounts are per request unless said otherwise; times are seconds."""

    host: str = _setting("127.0.0.1", "Address to listen on; 0.0.0.0: all.")
    port: int = _setting(8000, "Port to listen on; 0: any free one.", least=0)
    model: Path | None = _setting(  # noqa: RUF009 - makes a field
        None, "A packaged model by name, or a model folder."
    )
    max_body: int = _setting(1_000_000, "Bytes a request.")
    max_texts: int = _setting(64, "Texts a request.")
    max_characters: int = _setting(10_000, "Characters a text.")
    max_budgets: int = _setting(16, "Budgets a request.")
    max_alternatives: int = _setting(10, "Alternatives a budget.")
    # Of all requests together.
    queue: int = _setting(256, "Work accepted and not yet done, in ordinary summaries.")
    connections: int = _setting(1000, "Connections open at a time.")
    # From the last byte of its body to its answer.
    timeout: float = _setting(30.0, "Seconds a request may take.")
    arrival: float = _setting(10.0, "Seconds a request may take to arrive.")
    # At least: a stopping server listens until all it accepted is answered.
    drain: float = _setting(1.0, "Seconds to say 503 before stopping.", least=0)
    drain_timeout: float = _setting(25.0, "Seconds after which a stopping server has gone.")
    threads: int = _setting(
        0, "Threads that read and decode; 0: one more than there are cores.", least=0
    )
    batch: int = _setting(0, "Texts a forward pass; 0: what the model gains from.", least=0)
    batch_wait: float = _setting(0.002, "Seconds a lone text waits for company.", least=0)
    readings: int = _setting(512, "Texts kept in memory, so that a new budget is quick.", least=0)
    api_key: str | None = _setting(None, "Ask for this key: Authorization: Bearer …")
    cors: tuple[str, ...] = _setting((), "Origin whose pages may use the service. May be repeated.")

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, (int, float)) and not value >= each.metadata["least"]:
                raise InvalidInput(f"{each.name} = {value} is too small")
            if isinstance(value, float) and value > TIMEOUT_MAX:
                raise InvalidInput(f"{each.name} = {value:g} is too large: it is in seconds")
        if self.queue < self.max_texts:
            raise InvalidInput(
                f"queue = {self.queue} is smaller than max_texts = {self.max_texts}: "
                "the largest allowed request would never be let in"
            )
        if self.drain_timeout < self.drain:
            raise InvalidInput(f"drain_timeout = {self.drain_timeout:g} is shorter than drain")
        key = self.api_key
        sendable = key is None or (key.isascii() and key.isprintable() and key == key.strip() != "")
        if not sendable:  # in a header
            raise InvalidInput(
                "the API key must be printable ASCII, and begin and end with no space"
            )

    @property
    def max_work(self) -> int:
        """A request's share of the queue."""
        return max(self.max_texts, self.queue // 4)

    def limits(self) -> dict[str, int | float]:
        return {name: getattr(self, name) for name in SHOWN}
