"""Logs as JSON, a line an event, for machines. They never hold a word a user sent."""

from __future__ import annotations

import json
import logging
import sys
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
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line.update(where(record.exc_info[1]))
        return json.dumps(line)


def set_up() -> None:
    """Send the service's and uvicorn's own records to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name, level in (("nacc.apps.server", logging.INFO), ("uvicorn.error", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
