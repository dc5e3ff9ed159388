"""Checkpoints: safetensors or nothing; what is damaged or foreign is refused."""

import json
import pickle
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from nacc.errors import BadModel
from nacc.learning import loop
from nacc.learning.checkpoint import FORMAT, RunState, load_model, read_vocabulary

TINY = {"width": 16, "inner": 32, "layers": 1, "heads": 2}


@pytest.fixture
def run(prepared, tmp_path, variant):
    """A run with a checkpoint at update 1 of 2, and a function that goes on from it."""
    loop.train(variant(updates=1, model=TINY), prepared, tmp_path)

    def go_on():
        loop.train(variant(updates=2, model=TINY), prepared, tmp_path)

    go_on.checkpoint = tmp_path / "checkpoint.safetensors"
    return go_on


def progress(run) -> str:
    from safetensors import safe_open

    with safe_open(str(run.checkpoint), "pt") as file:
        return file.metadata()["progress"]


def test_a_sound_checkpoint_is_taken(run):
    assert RunState.from_json(progress(run), run.checkpoint).update == 1
    run()
    assert RunState.from_json(progress(run), run.checkpoint).update == 2


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.999])
def test_a_truncated_checkpoint_is_refused(run, share):
    content = run.checkpoint.read_bytes()
    run.checkpoint.write_bytes(content[: int(share * len(content))])
    with pytest.raises(BadModel, match="damaged"):
        run()


def test_a_pickle_is_refused_and_never_opened(run, tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path.joinpath("sprung").touch, ())

    run.checkpoint.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(BadModel, match="damaged or not a checkpoint"):
        run()
    assert not (tmp_path / "sprung").exists()


def test_safetensors_of_another_program_are_refused(run):
    save_file({"weight": torch.zeros(3)}, run.checkpoint)
    with pytest.raises(BadModel, match="not written by this trainer"):
        run()


@pytest.mark.parametrize("text", ["{}", "[1]", "no json", '{"recipe": {}, "speed": 1}'])
def test_progress_that_cannot_be_read_is_refused(run, text):
    tensors = load_file(run.checkpoint)
    save_file(tensors, run.checkpoint, {"format": FORMAT, "progress": text})
    with pytest.raises(BadModel, match="no training progress"):
        run()


@pytest.mark.parametrize("lost", ["model.transform.weight", "exp_avg.transform.weight"])
def test_a_checkpoint_that_lacks_a_tensor_is_refused(run, lost):
    about = {"format": FORMAT, "progress": progress(run)}
    tensors = load_file(run.checkpoint)
    del tensors[lost]
    save_file(tensors, run.checkpoint, about)
    with pytest.raises(BadModel, match=r"transform\.weight"):
        run()


def test_a_checkpoint_of_another_network_is_refused(run, prepared, variant):
    with pytest.raises(BadModel, match="another network"):
        loop.train(variant(updates=2), prepared, run.checkpoint.parent)


def damage_config(folder, **changes):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["shape"].update(changes)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


DAMAGE = {
    "no config": lambda f: (f / "config.json").unlink(),
    "config of something else": lambda f: (f / "config.json").write_text("[]"),
    "another shape": lambda f: damage_config(f, width=32),
    "no such shape": lambda f: damage_config(f, width=-1),
    "no weights": lambda f: (f / "model.safetensors").unlink(),
    "weights cut short": lambda f: (f / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{}"),
    "no tokenizer": lambda f: (f / "tokenizer.json").unlink(),
    "no vocabulary": lambda f: (f / "words.txt").unlink(),
    "vocabulary cut short": lambda f: (f / "words.txt").write_text("<blank>\nto\n"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_model_folder_is_refused(trained, tmp_path, damage):
    folder = tmp_path / "best"
    shutil.copytree(trained / "best", folder)
    load_model(folder)
    damage(folder)
    with pytest.raises(BadModel):
        load_model(folder)


def test_the_vocabulary_is_split_at_line_feeds_only(tmp_path):
    (tmp_path / "words.txt").write_text("<blank>\nA\x1cb\nIt’s\n", encoding="utf-8", newline="\n")
    assert read_vocabulary(tmp_path / "words.txt") == ["<blank>", "a\x1cb", "it's"]
