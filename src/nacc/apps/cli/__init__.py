"""The `nacc` command. Each command's module is imported only when that command is called, so that
`nacc fit` answers without waiting for what it does not need.

Exit codes: 0 done; 2 wrong usage or input; 3 the text has no summary; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Annotated, Any

import typer

from nacc.apps.cli.remarks import remark
from nacc.apps.cli.streams import standard_streams
from nacc.errors import BudgetTooSmall, MissingExtra, NaccError, Untrusted


@dataclass(frozen=True)
class Command:
    """A command, its first line of help, and the extra that brings what it imports."""

    help: str
    extra: str = ""


COMMANDS = {
    "fit": Command("Say it in the space there is: a summary of each text that fits the budget."),
    "bulk": Command(
        "Summarize files of any size on all cores or a cluster; go on where a killed run stopped."
    ),
    "check": Command("List the texts that are longer than a budget, each with a proposal."),
    "explain": Command("Show how a summary came about, as text or as a picture."),
    "units": Command("List the units that budgets are written in, and the presets."),
    "warm": Command("Compile the decoders once, so that no later call has to."),
    "models": Command("Show models: what they read and say, and whether they are intact."),
    "serve": Command("Answer over HTTP, and show a page to try it on.", "serve"),
    "train": Command("Train a model as a recipe says; go on where a killed run stopped.", "train"),
    "prepare": Command("Clean pairs, choose a vocabulary and pack both for training.", "train"),
    "distil": Command(
        "Have a distilling teacher write the headlines that a faster model learns from.", "train"
    ),
    "choose": Command("Keep the headlines that are in their sources' own words, and all sources."),
    "teach": Command(
        "Teach a language model to write headlines, and have it write one for every source.",
        "train",
    ),
    "lists": Command("Write the best answers that a model has for each source, for graders."),
    "judge": Command(
        "Have a language model learn from graded answers, and grade or choose others.", "train"
    ),
    "best": Command("Write graded answers that run as they are, as pairs to learn from.", "train"),
    "join": Command("Put what is kept by the digests of its sources beside the sources again."),
    "order": Command(
        "Teach a model's scorer by graded answers which of several to put first.", "train"
    ),
    "blend": Command("Take the weighted mean of two models' weights.", "train"),
    "condition": Command(
        "Settle a model on whose headlines to write, and how long they are.", "train"
    ),
    "export": Command(
        "Write a model folder for the summarizer: ONNX, 8-bit unless told otherwise.", "train"
    ),
    "bigrams": Command("Count which words follow which in headlines."),
    "search-model": Command(
        "Train what search judges by: two headline language models and word vectors."
    ),
    "search": Command(
        "Find the words of each sentence that make its best headline; go on where a run stopped."
    ),
    "evaluate": Command(
        "Measure systems on a data set: the paper's table, and what it does not report.", "eval"
    ),
    "blind": Command("Make a sheet to grade blind: every headline once, shuffled, and its key."),
    "grades": Command(
        "Read grades back: counts of each system, sign tests, how far graders agree."
    ),
    "study": Command(
        "Ask people which of two systems' headlines is better, on a page; say what they said.",
        "serve",
    ),
    "contrast": Command(
        "Check what systems say of sentences in pairs: the share that is kept, and first failures."
    ),
    "calibrate": Command(
        "Learn from graded headlines and from ROUGE how sure a model may say it is.", "eval"
    ),
    "reproduce": Command(
        "Run what the paper ran and print ours beside the paper's figures.", "eval"
    ),
}
_HELP = """Say it in the space there is: headlines that fit any budget.

`nacc TEXT` is short for `nacc fit TEXT`; `nacc COMMAND --help` tells more.

\b
Exit codes, unless a command says otherwise:
  0    done
  2    wrong usage, unreadable input or unwritable output
  3    nothing fits the budget, or nothing that does can be trusted
  130  interrupted
"""
_OF_THE_APP = ("--help", "--version", "--install-completion", "--show-completion")
_COMPLETING = "_NACC_COMPLETE"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit; what goes wrong on purpose is one line, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] not in COMMANDS and given[0] not in _OF_THE_APP:
        given.insert(0, "fit")
    with standard_streams():
        try:
            _app(_called(given))(args=given or ["--help"], prog_name="nacc")
        except NaccError as error:
            remark(error)
            sys.exit(3 if isinstance(error, BudgetTooSmall | Untrusted) else 2)
        except KeyboardInterrupt:  # while the command is still being imported
            sys.exit(130)


def _called(given: Sequence[str]) -> str:
    """The command to run; or the one whose options a shell wants to complete."""
    if _COMPLETING in os.environ:
        line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
        given = line.split()[1:]
    return given[0] if given else ""


def _app(called: str) -> typer.Typer:
    """All commands by name and help; only the one that is called is more than that."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(help=_HELP)(_options)
    for name, command in COMMANDS.items():
        run = _load(name, command) if name == called else _nothing
        short = command.help
        app.command(name, help=None if name == called else short, short_help=short)(run)
    return app


def _nothing() -> None:
    """Stands for a command that is not called."""


def _show_version(wanted: bool) -> None:
    if wanted:
        from nacc import __version__

        typer.echo(f"nacc {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options of `nacc` itself, before any command."""


def _load(name: str, command: Command) -> Callable[..., Any]:
    """The command's function, which leaves quietly when interrupted or no longer read."""
    try:
        module = name.replace("-", "_")
        function: Callable[..., Any] = getattr(import_module(f"nacc.apps.cli.{module}"), module)
    except ModuleNotFoundError as error:
        raise _missing(name, command, error) from error

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        except BrokenPipeError:
            raise SystemExit(0) from None
        except ModuleNotFoundError as error:
            raise _missing(name, command, error) from error
        except OSError as error:
            if error.filename is None:
                raise
            raise NaccError(f"{error.filename}: {error.strerror}") from error

    return run


def _missing(name: str, command: Command, error: ModuleNotFoundError) -> Exception:
    """The extra to install, if that is what is missing."""
    if (error.name or "nacc").partition(".")[0] == "nacc":
        return error
    if command.extra:
        return MissingExtra(f"nacc {name} (module {error.name})", command.extra)
    return NaccError(f"{name} needs the module {error.name}: pip install nacc")
