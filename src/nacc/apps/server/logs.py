"""Logs as JSON, a line an event, for machines. They never hold a word a user sent."""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from datetime import UTC, datetime
from typing import Any

LOGGER = logging.getLogger("nacc.apps.server")


def log(event: str, *, level: int = logging.INFO, **facts: Any) -> None:
    """Write one event; facts are numbers, codes and names of our own, never text from outside."""
    LOGGER.log(level, event, extra={"facts": facts})


def where(error: BaseException) -> dict[str, Any]:
    """An unforeseen error without its message, which might quote the user."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "at": places[-8:]}


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            **_said(record),
        }
        if record.exc_info and record.exc_info[1]:
            line.update(where(record.exc_info[1]))
        return json.dumps(line)


def _said(record: logging.LogRecord) -> dict[str, Any]:
    """An event of ours with its facts; of a library's, no more than whose it is: its words might
    quote the user."""
    facts = getattr(record, "facts", None)
    if facts is None:
        return {"event": "library", "logger": record.name}
    return {"event": record.getMessage(), **facts}


def set_up() -> None:
    """Send all records to standard error, as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.ERROR)
    LOGGER.setLevel(logging.INFO)
    logging.captureWarnings(True)
    threading.excepthook = lambda told: log(
        "unforeseen", level=logging.ERROR, **(where(told.exc_value) if told.exc_value else {})
    )
