"""`nacc.options.Options` as flags: one for each of its fields, made from what the field says of
itself. A new option, or a new way to decode, is on the command line by being there."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from nacc.apps.cli.flags import Once
from nacc.errors import InvalidInput, InvalidOption
from nacc.length.budget import Budget
from nacc.options import CHOICES, Options, Settled, generation
from nacc.runtime.folder import check_options, conditions, config, model_folder

Command = Callable[..., None]

SPELLINGS = {"required": ["--require"], "forbidden": ["--forbid"], "alternatives": ["-n"]}
"""Further spellings of flags."""


def with_options(**fixed: Any) -> Callable[[Command], Command]:
    """Gives a command a flag for each of the Options, but for those that are `fixed` here, and
    calls it with `options`, made of what was given. Its errors are told by the flag's name."""
    flags = {each.name: _flag(each) for each in fields(Options) if each.name not in fixed}
    flags["every_sentence"] = _parameter(
        "every_sentence", bool, typer.Option("--all", help="The same as --sentences all."), False
    )

    def decorated(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        once = {
            name: mark.flag for name, each in signature.parameters.items() for mark in _once(each)
        }

        @wraps(command)
        def run(*args: Any, **kwargs: Any) -> None:
            given = {name: kwargs.pop(name) for name in flags}
            kwargs |= {name: _only(kwargs[name], flag) for name, flag in once.items()}
            try:
                command(*args, **kwargs, options=_options({**given, **fixed}))
            except InvalidOption as error:
                raise InvalidInput(told(error)) from error

        parameters = list(_parameters(signature, list(flags.values())))
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorated


def settled(options: Options, model: Path | None, budgets: Sequence[Budget]) -> Settled:
    """The options with what the model's folder says for the rest; refused here, before the model
    is loaded, if no text could ever have them."""
    folder = model_folder(model)
    said = config(folder)
    asked = options.settled(generation(folder, said))
    check_options(asked, said, conditions(folder))
    for budget in budgets:
        asked.check_against(budget)
    return asked


def told(error: Exception) -> str:
    """What went wrong, with the name of the flag that asked for it."""
    message = str(error)
    if not isinstance(error, InvalidOption):
        return message
    if message.startswith(error.name):
        return _spelled(error.name) + message.removeprefix(error.name)
    return f"{_spelled(error.name)}: {message}"


def _options(given: Mapping[str, Any]) -> Options:
    values = dict(given)
    if values.pop("every_sentence"):
        if values["sentences"] not in (None, "all"):
            raise InvalidInput(f"--all is --sentences all, not {values['sentences']}")
        values["sentences"] = "all"
    for each in fields(Options):
        if _is_share(each) and isinstance(values.get(each.name), str):
            values[each.name] = _share(_spelled(each.name), values[each.name])
    return Options.of(values)


def _parameters(
    signature: inspect.Signature, flags: list[inspect.Parameter]
) -> Iterator[inspect.Parameter]:
    """The command's own parameters, with the flags in the place of `options`."""
    for each in signature.parameters.values():
        if each.name == "options":
            yield from flags
        elif _once(each):  # all that are given, so that it is seen how many
            option = each.annotation.__metadata__[0]
            yield each.replace(annotation=Annotated[list[str] | None, option])
        else:
            yield each


def _once(parameter: inspect.Parameter) -> list[Once]:
    marks = getattr(parameter.annotation, "__metadata__", ())
    return [each for each in marks if isinstance(each, Once)]


def _only(given: Sequence[str] | None, flag: str) -> str | None:
    """What a flag says that is taken once."""
    if given and len(given) > 1:
        raise InvalidInput(f"give {flag} once, not {len(given)} times: {', '.join(given)}")
    return given[0] if given else None


def _flag(option: Field[Any]) -> inspect.Parameter:
    """The flag of one option, None where it is not given."""
    name, kind = option.name, _KINDS[option.name]
    spellings = [_spelled(name), *SPELLINGS.get(name, [])]
    how: dict[str, Any] = {"help": _help(option), "show_default": False}
    value: Any = str
    if name in CHOICES:
        how |= {"metavar": name.upper(), "autocompletion": _known(name)}
    elif "most_words" in option.metadata:
        how["metavar"], value = "WORD", list[str]
    elif kind == bool | None:
        spellings, value = [f"{spellings[0]}/--no-{spellings[0].removeprefix('--')}"], bool
    elif _is_share(option):
        how["metavar"] = "SHARE"
    elif kind == str | None:
        how["metavar"] = "NAME"
    else:
        value = int if kind == int | None else float
        how["metavar"] = "N" if value is int else "AMOUNT"
    return _parameter(name, value | None, typer.Option(*spellings, **how), None)


def _parameter(name: str, kind: Any, shown: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, shown],
    )


_KINDS = get_type_hints(Options)


def _help(option: Field[Any]) -> str:
    what = str(option.metadata["what"]).removesuffix(".")
    for each in fields(Options):
        if "_" in each.name:
            what = what.replace(each.name, _spelled(each.name))
    if option.name in CHOICES:
        *others, last = CHOICES[option.name]()
        return f"{what}: {', '.join(others)} or {last}."
    if "most_words" in option.metadata:
        return f"{what}. Repeatable."
    if _is_share(option):
        return f"{what}: 0.9 or 90%."
    least, most = option.metadata["least"], option.metadata["most"]
    if most is not None:
        return f"{what}; {least} to {most}."
    return f"{what}."


def _known(name: str) -> Callable[[str], list[str]]:
    """What a shell may complete a choice to."""
    return lambda incomplete: [each for each in CHOICES[name]() if each.startswith(incomplete)]


def _spelled(name: str) -> str:
    return "--" + name.replace("_", "-")


def _is_share(option: Field[Any]) -> bool:
    return (option.metadata.get("least"), option.metadata.get("most")) == (0, 1)


def _share(flag: str, written: str) -> float:
    """A share, as 0.9 or 90%."""
    number = written.strip().removesuffix("%")
    try:
        share = float(number) / (100 if number != written.strip() else 1)
    except ValueError as error:
        raise InvalidInput(f"cannot read {flag} {written!r}; write e.g. 0.9 or 90%") from error
    if share > 1 and flag == _spelled("fill"):
        raise InvalidInput(
            f"{flag} {written} is more than the whole budget; "
            "an amount in the budget's unit: --at-least"
        )
    return share
