"""`nacc serve`: the service and its page."""

from __future__ import annotations

from dataclasses import Field, fields
from inspect import Parameter, Signature
from typing import Annotated, Any, get_type_hints

import typer

from nacc.apps.server.settings import Settings


def _flag(setting: Field[Any], kind: Any) -> Parameter:
    """A setting as a flag and an environment variable."""
    variable = f"NACC_{setting.name.upper()}"
    option = typer.Option(envvar=variable, help=setting.metadata["what"])
    several = kind == tuple[str, ...]
    return Parameter(
        setting.name,
        Parameter.KEYWORD_ONLY,
        default=None if several else setting.default,
        annotation=Annotated[list[str] | None if several else kind, option],
    )


def _with_flags(command: Any) -> Any:
    """The command with a flag for each setting, for typer to see."""
    kinds = get_type_hints(Settings)
    flags = [_flag(setting, kinds[setting.name]) for setting in fields(Settings)]
    command.__signature__ = Signature(flags)
    command.__annotations__ = {flag.name: flag.annotation for flag in flags}
    return command


@_with_flags
def serve(**given: Any) -> None:
    """Answer over HTTP, and show a page to try it on, at http://127.0.0.1:8000.

    Every option is also an environment variable. The log goes to standard error, a JSON object a
    line, and holds nothing of the texts. SIGTERM or Ctrl-C: what was accepted is answered first.

    \b
    Examples:
      nacc serve
      nacc serve --host 0.0.0.0 --port 80 --queue 512 --timeout 10

    \b
    Exit codes:
      0    stopped, everything accepted was answered
      1    stopped, something was not
      2    wrong usage, or there is no model
    """
    from nacc.apps.server.run import run

    run(Settings(**{**given, "cors": tuple(given["cors"] or ())}))
