"""What can go wrong, as types: every error nacc raises on purpose is a NaccError."""

from importlib.util import find_spec
from typing import Any


class NaccError(Exception):
    """Base of all errors raised on purpose; the message says what was wrong and what would work."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes, whatever their kinds are made from."""
        return _as_it_was, (type(self), self.args, vars(self))


def _as_it_was(kind: type[NaccError], args: tuple[Any, ...], state: dict[str, Any]) -> NaccError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


class InvalidInput(NaccError, ValueError):
    """A value that cannot be used: wrong shape, NaN, negative budget, unknown name."""


class InvalidOption(InvalidInput):
    """An option that cannot be had; `name` is the option's."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class Unsayable(InvalidInput):
    """Words that must be said, of which no answer has all."""


class BudgetTooSmall(NaccError, ValueError):
    """No sensible summary fits; `smallest` is the smallest amount known to do, None if none is.
    A short word of the model's own may fit in less."""

    def __init__(self, message: str, smallest: float | None) -> None:
        super().__init__(message)
        self.smallest = smallest


class Untrusted(NaccError, ValueError):
    """Nothing the model says of this text can be trusted; the message says why."""


class Stopped(NaccError):
    """Work that was out of time, or that nobody waited for any more (`nacc.deadline`)."""


class MissingExtra(NaccError, ImportError):
    """A part of nacc was used whose optional dependencies are not installed."""

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(f'{part} needs an extra: pip install ".[{extra}]" in a checkout')
        self.extra = extra


class BadModel(NaccError, ValueError):
    """A model folder or checkpoint that is missing, damaged or made by something else."""


def requires(part: str, extra: str, *modules: str) -> None:
    """Raise MissingExtra if one of the modules that a part of nacc needs is not installed."""
    if any(find_spec(module) is None for module in modules):
        raise MissingExtra(part, extra)
