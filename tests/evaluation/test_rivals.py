"""Networks of other papers as systems: within the budget, however they were brought there."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from nacc.data.datasets import Dataset
from nacc.errors import BadModel, InvalidInput
from nacc.evaluation.report import EvaluationProtocol, evaluate_systems
from nacc.evaluation.systems import parse_system
from nacc.length.budget import Budget
from nacc.length.measures import Bytes, Words

torch = pytest.importorskip("torch", reason='needs pip install "nacc[train]"')
pytest.importorskip("safetensors", reason='needs pip install "nacc[train]"')
pytest.importorskip("pydantic", reason='needs pip install "nacc[train]"')

from nacc.evaluation.rivals import Rival, RivalOptions  # noqa: E402
from nacc.learning.checkpoint import save_model  # noqa: E402
from nacc.learning.kinds import network_of  # noqa: E402
from nacc.learning.shape import Shape  # noqa: E402
from nacc.learning.tokenizer import word_tokenizer  # noqa: E402

VOCABULARY = [
    "<blank>", *"Mayor opens new bridge the of rain delays farmers sell sheep at market in "
    "spring bakery wins prize for bread village chess final small town".split(),
]  # fmt: skip
SMALL = {"width": 16, "layers": 1, "heads": 2, "inner": 32, "positions": 64}
KINDS = {
    "ar": {"decoder_layers": 1},
    "crf": {"rival": "crf"},
    "bang": {"rival": "bang", "decoder_layers": 1},
    "pos": {"rival": "pos", "decoder_layers": 1, "tags": 6},
    "ctc": {},
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """Networks of each kind that have learnt nothing."""
    made = {}
    words = [word.lower() for word in VOCABULARY]
    tokenizer = word_tokenizer(words)
    for name, kind in KINDS.items():
        folder = made[name] = tmp_path_factory.mktemp(name)
        torch.manual_seed(7)
        shape = {**SMALL, **kind, "pieces": len(tokenizer), "words": len(words)}
        network = network_of(Shape.from_dict(shape))
        with torch.no_grad():
            for parameter in network.parameters():
                parameter.add_(torch.randn_like(parameter) * 0.3)
        save_model(network, folder)
        tokenizer.save(folder / "tokenizer.json")
        (folder / "words.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return made


def rival(folder: Path, **options) -> Rival:
    return Rival("x", folder, RivalOptions.of(options))


BUDGETS = [Budget(4), Budget(17), Budget(50), Budget(33, Bytes()), Budget(3, Words())]


@pytest.mark.parametrize(
    ("kind", "control"),
    [*product(["ar"], ["truncate", "rank", "exact"]), ("crf", "truncate"), ("crf", "exact"),
     ("bang", "truncate"), ("pos", "truncate")],
)  # fmt: skip
def test_nothing_is_over_the_budget(folders, data, kind, control):
    system = rival(folders[kind], control=control, beam=3, ratio=1.0)
    known = {*VOCABULARY, *(word for source in data.sources for word in source.split())}
    for budget in BUDGETS:
        for output in system.run(data.sources, budget):
            assert budget.fits(output.text)
            assert set(output.full.split()) <= known
            if control == "exact":
                assert output.text == output.full
    assert any(output.text for output in system.run(data.sources, Budget(50)))


def test_exact_control_leaves_words_whole_and_cutting_does_not(folders, data):
    cut = rival(folders["ar"]).run(data.sources, Budget(11))
    assert any(output.text != output.full for output in cut)
    known = {*VOCABULARY, *(word for source in data.sources for word in source.split())}
    whole = rival(folders["ar"], control="exact").run(data.sources, Budget(11))
    assert all(set(output.text.split()) <= known for output in whole)


@pytest.mark.parametrize("kind", ["ar", "crf", "bang", "pos"])
def test_several_at_once_say_what_each_says_alone(folders, data, kind):
    system = rival(folders[kind], beam=2)
    longest_first = sorted(data.sources, key=len, reverse=True)
    together = system.run(longest_first, Budget(50))
    assert together == [system.run([source], Budget(50))[0] for source in longest_first]
    assert len({output.text for output in together}) > 1


def test_eight_bits_are_within_the_budget_too(folders, data):
    for kind in ("ar", "crf"):
        for output in rival(folders[kind], control="exact", int8=True).run(
            data.sources, Budget(30)
        ):
            assert output.text and len(output.text) <= 30


def test_a_floor_is_reached_where_it_can_be(folders, data):
    budget = Budget(30)
    for kind in ("ar", "crf"):
        free, filled = (
            rival(folders[kind], control="exact", at_least=least, ratio=1.0, beam=8).run(
                data.sources, budget
            )
            for least in (0, 27)
        )
        lengths = [sum(len(one.text) for one in outputs) for outputs in (free, filled)]
        assert lengths[0] <= lengths[1]
        assert all(len(one.text) + 1 >= 27 for one in filled) or kind == "crf"


def test_a_word_is_written_as_the_source_writes_it(folders):
    (output,) = rival(folders["crf"], ratio=1.0).run(["MAYOR opens"], Budget(50))
    assert "mayor" not in output.full and "Mayor" not in output.full


def test_what_a_network_cannot_do_is_refused(folders):
    for kind, control in (("bang", "exact"), ("pos", "rank"), ("crf", "rank")):
        with pytest.raises(InvalidInput, match="control=truncate"):
            rival(folders[kind], control=control)
    with pytest.raises(BadModel, match="makes lattices"):
        rival(folders["ctc"])
    with pytest.raises(InvalidInput, match="source 1 is empty"):
        rival(folders["ar"]).run([" "], Budget(9))


@pytest.mark.parametrize(
    "wrong",
    ["", "model=X,beams=3", "model=X,beam=0", "model=X,beam=a", "model=X,control=best", "beam=2",
     "model=X,ratio=2", "model=X,int8=true,device=cuda"],
)  # fmt: skip
def test_a_wrong_specification_is_refused(wrong):
    with pytest.raises((InvalidInput, BadModel)):
        parse_system(f"rival:{wrong}", lambda model: pytest.fail("no model is opened"))


def test_rivals_are_named_measured_and_timed(folders, data: Dataset):
    specs = [f"AR, beam 2:=rival:model={folders['ar']},beam=2", f"rival:model={folders['bang']}"]
    systems = [parse_system(spec, lambda model: pytest.fail("opened")) for spec in specs]
    protocol = EvaluationProtocol(Budget(50), time_on=2, repeats=1)
    rows = evaluate_systems(systems, data, protocol)
    assert [row.name for row in rows] == ["AR, beam 2", specs[1]]
    assert all(row.timing and row.timing.single.median > 0 for row in rows)
    assert all(row.qualities.within_budget == 1 for row in rows)
