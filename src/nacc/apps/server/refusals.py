"""How the service says no: one shape for every error, with a status, a code and words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """A request that gets no summaries. `detail` may hold field, text, smallest or limit."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        **detail: Any,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})
        self.detail = {name: value for name, value in detail.items() if value is not None}

    def body(self) -> dict[str, Any]:
        """As JSON: {"error": {"code", "message", …}}."""
        return {"error": self.error()}

    def error(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, **self.detail}


def too_large(code: str, what: str, amount: int, limit: int, field: str | None = None) -> Refusal:
    return Refusal(
        413, code, f"{what}: {amount:,} where at most {limit:,} are allowed", field=field,
        limit=limit,
    )  # fmt: skip


def too_much(work: float, limit: int) -> Refusal:
    amount = math.ceil(work)
    return Refusal(
        413, "too_much_work", f"as much work as {amount:,} ordinary summaries, where at most "
        f"{limit:,} are allowed; ask for fewer texts, budgets or alternatives at a time",
        limit=limit,
    )  # fmt: skip


def later(status: int, code: str, message: str, seconds: float) -> Refusal:
    """Not now: try again in so many seconds."""
    wait = max(1, min(60, math.ceil(seconds)))
    return Refusal(status, code, message, headers={"Retry-After": str(wait)})


def queue_full(seconds: float) -> Refusal:
    return later(429, "queue_full", "too much work is waiting; try again shortly", seconds)


def crowded() -> Refusal:
    return later(503, "crowded", "too many connections are open; try again shortly", 1)


def two_lengths() -> Refusal:
    """A proxy before us might see the request end elsewhere: nothing is read behind it."""
    headers = {"Connection": "close"}
    return Refusal(400, "bad_request", "the body has two lengths", headers=headers)


def too_slow(what: str, seconds: float) -> Refusal:
    return Refusal(408, "too_slow", f"the {what} did not arrive within {seconds:g} s")


def loading() -> Refusal:
    return later(503, "loading", "the model is still being loaded; try again in a moment", 2)


def draining() -> Refusal:
    refusal = later(503, "draining", "the server is stopping; send this to another one", 2)
    refusal.headers["Connection"] = "close"
    return refusal


def timed_out(seconds: float) -> Refusal:
    return Refusal(
        504, "timed_out", f"no answer within {seconds:g} s; ask for less at a time, or again later"
    )
