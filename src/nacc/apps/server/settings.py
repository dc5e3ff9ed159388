"""Every limit of the service, with its default. `nacc serve` makes one from flags and variables."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from nacc.errors import InvalidInput


@dataclass(frozen=True)
class Settings:
    """Amounts are per request unless said otherwise; times are seconds."""

    host: str = "127.0.0.1"
    port: int = 8000
    model: Path | None = None
    max_body: int = 1_000_000
    max_texts: int = 64
    max_characters: int = 10_000
    max_budgets: int = 16
    max_alternatives: int = 10
    queue: int = 256
    """Texts accepted and not yet answered, of all requests together."""
    timeout: float = 30.0
    """From the first byte of a request to its answer; the body must have arrived by then, too."""
    drain: float = 1.0
    """How long a stopping server says so, at least, before it stops listening."""
    threads: int = 0
    """Forward passes at a time, a core each; 0: as many as there are cores."""
    decoders: int = 2
    """Threads that decode."""
    batch: int = 0
    """Most texts a forward pass; 0: what the model gains from."""
    batch_wait: float = 0.002
    """How long a lone text waits for company."""
    readings: int = 512
    """Texts whose forward pass is kept, so that another budget costs decoding only."""
    api_key: str | None = None
    cors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        zero_is_a_choice = ("port", "threads", "batch", "batch_wait", "readings", "drain")
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in zero_is_a_choice else 1e-3
            if isinstance(value, (int, float)) and not value >= least:
                raise InvalidInput(f"{field.name} = {value} is too small")
        if self.queue < self.max_texts:
            raise InvalidInput(
                f"queue = {self.queue} is smaller than max_texts = {self.max_texts}: "
                "the largest allowed request would never be let in"
            )
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.strip()):
            raise InvalidInput("the API key must be ASCII and not empty")

    def limits(self) -> dict[str, int | float]:
        """What a client should know before asking."""
        shown = ("max_body", "max_texts", "max_characters", "max_budgets", "max_alternatives")
        return {name: getattr(self, name) for name in (*shown, "queue", "timeout")}
