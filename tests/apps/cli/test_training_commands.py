"""The command line: what is run, what is imported, and what goes wrong in one line."""

import subprocess
import sys
from importlib import import_module

import pytest

import nacc
from nacc.apps.cli import COMMANDS, main
from nacc.decoding import Bigrams
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.learning import smoke
from nacc.learning.metrics import read

RECIPE = """
name = "little"
[data]
files = ["train.tsv"]
vocabulary = 200
validation = ["dev.tsv", "train.tsv"]
[model]
width = 16
layers = 1
heads = 2
inner = 32
positions = 64
[training]
updates = 3
batch_words = 600
precision = "fp32"
compile = false
checkpoint_every = 2
validate_every = 2
[validation]
sentences = 6
at_least = 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Made-up news and a recipe for it."""
    made = tmp_path_factory.mktemp("little")
    smoke.write_data(made / "news")
    (made / "little.toml").write_text(RECIPE, encoding="utf-8")
    return made


def nacc_run(*arguments) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return left.value.code or 0


def replaced(monkeypatch, name, error):
    """Let a command's function raise an error."""

    def function() -> None:
        raise error

    monkeypatch.setattr(import_module(f"nacc.apps.cli.{name}"), name, function)


def test_the_version_is_told(capsys):
    assert nacc_run("--version") == 0
    assert capsys.readouterr().out == f"nacc {nacc.__version__}\n"


def test_help_names_every_command(capsys):
    assert nacc_run() == nacc_run("--help") == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in COMMANDS)


@pytest.mark.parametrize(
    "name", ["train", "prepare", "condition", "export", "bigrams", "evaluate", "reproduce"]
)
def test_the_short_help_is_the_first_line_of_the_commands_own(name):
    function = getattr(import_module(f"nacc.apps.cli.{name}"), name)
    assert function.__doc__.splitlines()[0] == COMMANDS[name].help


def test_a_first_word_that_is_no_command_is_text_to_fit(monkeypatch):
    seen = {}
    module = import_module("nacc.apps.cli.fit")

    def fit(text: str, max: int = 50) -> None:
        seen.update(text=text, max=max)

    monkeypatch.setattr(module, "fit", fit)
    assert nacc_run("Ferry sinks near the harbour", "--max", "20") == 0
    assert seen == {"text": "Ferry sinks near the harbour", "max": 20}
    assert nacc_run("--max", "30", "Ferry sinks") == 0
    assert seen == {"text": "Ferry sinks", "max": 30}


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InvalidInput("colour 'x' is unknown"), 2, "nacc: colour 'x' is unknown\n"),
        (BudgetTooSmall("nothing fits", 7), 3, "nacc: nothing fits\n"),
        (KeyboardInterrupt(), 130, ""),
        (FileExistsError(17, "File exists", "model"), 2, "nacc: model: File exists\n"),
        (
            ModuleNotFoundError("No module named 'torch'", name="torch"),
            2,
            "nacc: nacc blend (module torch) needs an extra: "
            'pip install ".[train]" in a checkout\n',
        ),
    ],
)
def test_what_goes_wrong_is_one_line_and_an_exit_code(monkeypatch, capsys, error, code, said):
    replaced(monkeypatch, "blend", error)
    assert nacc_run("blend") == code
    assert capsys.readouterr().err == said


def test_a_missing_module_of_our_own_is_no_missing_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "nacc.apps.cli.export", None)
    with pytest.raises(ModuleNotFoundError, match=r"nacc\.apps\.cli\.export"):
        main(["export", "x", "--out", "y"])


def test_a_mistake_of_our_own_is_not_dressed_up(monkeypatch):
    replaced(monkeypatch, "bigrams", ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        main(["bigrams"])


def test_fitting_imports_neither_training_nor_evaluation():
    heavy = {"torch", "matplotlib", "nacc.learning", "nacc.evaluation", "fastapi"}
    script = (
        "import sys\nfrom nacc.apps.cli import main\n"
        "try: main(['A ferry sank near the old harbour of Elmsworth on Friday.'])\n"
        "except SystemExit as left: assert not left.code, left.code\n"
        f"print({heavy!r} & set(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "set()"


def test_a_reader_that_leaves_is_no_error():
    command = [sys.executable, "-m", "nacc", "--help"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait()


def test_prepare_then_train_then_export(folder, capsys):
    recipe, out = folder / "little.toml", folder / "prepared"
    assert nacc_run("prepare", recipe, "--data", folder / "news", "--out", out) == 0
    assert "kept" in capsys.readouterr().out
    assert len((out / "validation.tsv").read_text("utf-8").splitlines()) == 6
    run = folder / "run"
    assert nacc_run("train", recipe, "--data", out, "--out", run) == 0
    shown = capsys.readouterr()
    assert "update 3, loss" in shown.err and "ROUGE" in shown.err
    assert str(run / "best") in shown.out
    assert {"metrics.jsonl", "loss.svg", "loss.png"} <= {path.name for path in run.iterdir()}
    dev = folder / "news" / "dev.tsv"
    arguments = ("--out", folder / "onnx", "--measure", dev, "--first", 10)
    assert nacc_run("export", run / "best", *arguments) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("trained", "exported", "lost", "ROUGE-2"))
    assert (folder / "onnx" / "model.onnx").exists()


def test_training_on_raw_pairs_prepares_them_first(folder, tmp_path, capsys):
    arguments = ("train", folder / "little.toml", "--data", folder / "news", "--out", tmp_path)
    assert nacc_run(*arguments, "--updates", 1) == 0
    made = (tmp_path / "data" / "corpus.npz").stat().st_mtime_ns
    assert nacc_run(*arguments, "--updates", 2) == 0
    assert (tmp_path / "data" / "corpus.npz").stat().st_mtime_ns == made
    assert [record["update"] for record in read(tmp_path / "metrics.jsonl")] == [1, 2]
    assert nacc_run(*arguments, "--updates", 1, "--no-resume") == 0
    assert [record["update"] for record in read(tmp_path / "metrics.jsonl")] == [1]


def test_minutes_end_a_run(folder, tmp_path):
    arguments = ("--data", folder / "news", "--out", tmp_path, "--updates", 10**6)
    assert nacc_run("train", folder / "little.toml", *arguments, "--minutes", 0.01) == 0
    assert read(tmp_path / "metrics.jsonl")[-1]["update"] < 10**5


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "needs a RECIPE and --data"),
        (("nowhere.toml", "--data", "."), "cannot read recipe nowhere.toml"),
        (("--smoke", "--data", "."), "brings its own"),
        (("{recipe}", "--data", "nowhere"), "nowhere is no folder"),
        (("{recipe}", "--data", "{empty}"), "no file train.tsv under"),
        (("{recipe}", "--data", ".", "--minutes", "0"), "--minutes must be above 0"),
    ],
)
def test_what_cannot_be_trained_is_said(folder, tmp_path, monkeypatch, capsys, arguments, named):
    monkeypatch.chdir(tmp_path)
    paths = {"recipe": folder / "little.toml", "empty": tmp_path}
    assert nacc_run("train", *(argument.format(**paths) for argument in arguments)) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("nacc: ") and named in said[-1]


def test_the_smoke_run_ends_with_an_example(capsys):
    assert nacc_run("train", "--smoke", "--updates", 5) == 0
    assert "source:  The " in (shown := capsys.readouterr().out)
    assert len(shown.partition("summary: ")[2].strip()) <= 50


def test_bigrams_are_counted_from_headlines(folder, capsys, tmp_path):
    out = tmp_path / "deep" / "bigrams.npz"
    files = (folder / "news" / "train.tsv", folder / "news" / "dev.tsv")
    assert nacc_run("bigrams", *files, "--out", out, "--vocabulary", 40) == 0
    assert "3,100 headlines, 40 words" in capsys.readouterr().out
    model = Bigrams.load(out)
    assert {"to", "old", "million"} <= set(model.words)
    (tmp_path / "empty.tsv").touch()
    assert nacc_run("bigrams", tmp_path / "empty.tsv", "--out", out) == 2
    assert "no headline in" in capsys.readouterr().err


def test_headlines_in_their_sources_words_are_chosen(tmp_path, capsys):
    source = "The ferry Santa Lucia ran aground off the coast of Sardinia on Sunday, police said."
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "rows.tsv"
    headlines = ["Ferry Santa Lucia runs aground off Sardinia", "Panic as cruise holiday ruined"]
    pairs.write_text(
        "".join(f"{source}\t{line}\tReuters\n" for line in headlines), encoding="utf-8"
    )
    with pytest.raises(SystemExit) as left:
        main(["choose", str(pairs), "--out", str(out)])
    assert left.value.code == 0
    assert "2 sources, 1 with a headline" in capsys.readouterr().out
    assert out.read_text(encoding="utf-8") == f"{source}\t{headlines[0]}\n{source}\t\n"
