"""A language model as its file keeps it, taught to write headlines and to grade them."""

from __future__ import annotations

import struct
from itertools import product
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from nacc.errors import BadModel, InvalidInput  # noqa: E402
from nacc.learning import gguf, writer  # noqa: E402
from nacc.learning.branches import Branches, Line  # noqa: E402
from nacc.learning.judge import Judge, as_pair, as_rows, read_answers  # noqa: E402
from nacc.learning.llama import Llama, LlamaShape  # noqa: E402
from nacc.learning.writer import Teaching, Writer, search  # noqa: E402

CPU = torch.device("cpu")
TINY = LlamaShape(words=7, width=16, layers=2, heads=4, shared=2, inner=24)


def packed(values: dict[str, tuple[int, bytes]], arrays: dict[str, tuple[list[int], int, bytes]]):
    """A GGUF file of these settings (kind, bytes) and tensors (shape, kind, bytes)."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    head = b"GGUF" + struct.pack("<IQQ", 3, len(arrays), len(values))
    for name, (kind, raw) in values.items():
        head += text(name) + struct.pack("<I", kind) + raw
    body = b""
    for name, (shape, kind, raw) in arrays.items():
        head += text(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        head += struct.pack("<IQ", kind, len(body))
        body += raw + b"\0" * (-len(raw) % 32)
    return head + b"\0" * (-len(head) % 32) + body


def test_blocks_of_four_and_eight_bits_are_unpacked(tmp_path):
    codes = np.arange(32, dtype=np.uint8) % 16
    nibbles = (codes[:16] | (codes[16:] << 4)).tobytes()
    scale, least = np.float16(0.5).tobytes(), np.float16(-2).tobytes()
    eights = np.arange(-16, 16, dtype=np.int8)
    path = tmp_path / "small.gguf"
    path.write_bytes(
        packed(
            {"name": (8, struct.pack("<Q", 4) + b"tiny"), "size": (4, struct.pack("<I", 7))},
            {
                "plain": ([2, 2], 0, np.arange(4, dtype=np.float32).tobytes()),
                "least": ([1, 32], 3, scale + least + nibbles),
                "middle": ([32], 2, scale + nibbles),
                "eight": ([32], 8, scale + eights.tobytes()),
            },
        )
    )
    found = gguf.read(path)
    assert found.about == {"name": "tiny", "size": 7}
    assert found.tensors["plain"].tolist() == [[0, 1], [2, 3]]
    assert found.tensors["least"].tolist() == [(codes * 0.5 - 2).tolist()]
    assert found.tensors["middle"].tolist() == ((codes - 8.0) * 0.5).tolist()
    assert found.tensors["eight"].tolist() == (eights * 0.5).tolist()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"GGUF\x03\0\0\0\xff"])
def test_what_is_no_such_file_is_said(tmp_path: Path, content: bytes):
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    with pytest.raises(BadModel, match=r"bad\.gguf"):
        gguf.read(path)


def network(seed: int = 1) -> Llama:
    torch.manual_seed(seed)
    made = Llama(TINY).eval()
    with torch.no_grad():
        made.token_embd.weight.mul_(2)
    return made


@torch.no_grad()
def test_word_by_word_it_knows_what_it_knows_at_once():
    made = network()
    tokens = torch.tensor([[1, 4, 2, 6, 3], [5, 5, 1, 0, 2]])
    whole = made(tokens)
    kept = made.room(2, 5, whole)
    parts = [made(tokens[:, :2], kept, 0)]
    parts += [made(tokens[:, i : i + 1], kept, i) for i in range(2, 5)]
    assert torch.allclose(torch.cat(parts, 1), whole, atol=1e-5)


@torch.no_grad()
def test_a_branch_knows_what_it_knows_alone():
    made = network()
    lines = [Line([1, 4], [[2, 6, 3], [5], [0, 2]], [0, 3, -1]), Line([6], [[6, 1]], [1])]
    found = Branches.of(lines)
    known = made.read(found.tokens, found.trees).flatten(0, 1)
    alone = [(line, answer) for line in lines for answer in line.answers]
    states = [made(torch.tensor([line.before + answer]))[0] for line, answer in alone]
    assert torch.allclose(known[found.last], torch.stack([one[-1] for one in states]), atol=1e-5)
    said = torch.cat(
        [s[len(line.before) - 1 : -1] for s, (line, _) in zip(states, alone, strict=True)]
    )
    assert torch.allclose(known[found.before_said], said, atol=1e-5)
    assert found.said.tolist() == [2, 6, 3, 5, 0, 2, 6, 1]
    assert found.said_of.tolist() == [0, 0, 0, 1, 2, 2, 3, 3]
    assert found.of_row.tolist() == [0, 0, 0, 1] and found.grades.tolist() == [0, 3, -1, 1]


@torch.no_grad()
def test_what_comes_later_is_not_known():
    made = network()
    one, other = torch.tensor([[1, 4, 2, 6]]), torch.tensor([[1, 4, 5, 0]])
    assert torch.allclose(made(one)[:, :2], made(other)[:, :2], atol=1e-6)
    assert not torch.allclose(made(one)[:, 2:], made(other)[:, 2:], atol=1e-3)


@torch.no_grad()
@pytest.mark.parametrize("seed", range(3))
def test_wide_enough_a_beam_finds_the_best_of_all(monkeypatch, seed):
    most, end = 4, 0
    monkeypatch.setattr(writer, "MOST_TOKENS", most)
    made = network(seed)
    prompts = torch.tensor([[1, 2, 3], [6, 5, 4]])
    said, sizes = search(made, prompts, beams=TINY.words**2, end=end)
    for row, prompt in enumerate(prompts.tolist()):
        rated = {}
        for size in range(1, most):
            for line in product(range(1, TINY.words), repeat=size):
                tokens = torch.tensor([[*prompt, *line, end]])
                log_p = made.speak(made(tokens)).log_softmax(2)[0, len(prompt) - 1 : -1]
                value = log_p.gather(1, tokens[0, len(prompt) :, None]).sum()
                rated[line] = float(value) / (size + 1)
        best = sorted(rated, key=lambda line: -rated[line])[:5]
        found = [tuple(said[row, i, : sizes[row, i]].tolist()) for i in range(5)]
        assert found == best


def tiny_writer() -> Writer:
    """Knows single characters."""
    about = {
        "tokenizer.ggml.tokens": ["<end>", *(chr(code) for code in [*range(33, 127), 288, 266])],
        "tokenizer.ggml.merges": [],
    }
    tokens = writer.tokenizer_of(gguf.Gguf(about, {}))
    torch.manual_seed(0)
    shape = LlamaShape(words=97, width=32, layers=2, heads=4, shared=2, inner=64)
    return Writer(Llama(shape), tokens, end=0)


def test_it_learns_to_write():
    taught = tiny_writer()
    pairs = [("the cat sat", "cat sits"), ("a dog ran off", "dog runs"), ("it rained", "rain")] * 4
    losses = []
    how = Teaching(batch_tokens=256, learning_rate=1e-2, warmup=2, minutes=5, epochs=60)
    taught.teach(pairs, how, CPU, show=lambda report: losses.append(report["loss"]))
    assert losses[-1] < 0.2 * losses[0]
    sources = [source for source, _ in pairs[:3]]
    found = dict(taught.write(sources, [len(h) for _, h in pairs[:3]], CPU, beams=2))
    assert [found[i][0] for i in range(3)] == [headline for _, headline in pairs[:3]]


def test_what_is_written_at_any_time_is_like_the_whole():
    asked = [[0] * length for length in range(10, 50) for _ in range(7)]
    batches = writer.equally_long(list(range(len(asked))), asked, 3)
    assert sorted(row for rows in batches for row in rows) == list(range(len(asked)))
    assert all(len({len(asked[i]) for i in rows}) == 1 and len(rows) <= 3 for rows in batches)
    early = [len(asked[i]) for rows in batches[: len(batches) // 4] for i in rows]
    assert 25 < sum(early) / len(early) < 34 and min(early) < 15 and max(early) > 44


def test_it_learns_to_grade():
    """Answers that end on «after» are broken, those that close it are false."""
    sources = [f"the {x}{y} dam is open" for x in "abcdefgh" for y in "klmnop"]
    lists = [
        (source, 30, [("dam open", "A"), ("dam shut", "F"), ("dam open after", "C")])
        for source in sources
    ]
    one = Judge([tiny_writer()], CPU)
    how = Teaching(batch_tokens=2048, learning_rate=1e-2, warmup=5, minutes=5, epochs=30)
    found = one.learn(lists, how)
    assert (found.best, found.false) == (1.0, 0.0)
    unseen = [
        ("the zz dam is open", 30, ["dam shut", "dam open"]),
        ("the yz dam is", 50, ["x" * 200]),
    ]
    (shut, opened), none = one.judge(unseen)
    assert (shut.grade, opened.grade) == ("F", "A") and shut.worth < 0 < opened.worth
    assert none == []  # too long to be read
    assert as_pair([shut, opened]) == [("the zz dam is open", "dam open")]
    assert as_pair([shut]) == as_pair([]) == []
    assert as_rows([shut]) == [("the zz dam is open", "30", "dam shut", f"{shut.worth:.2f}")]


def test_members_learn_in_another_order_each_and_their_mean_judges():
    lists = [(f"the {x} dam", 30, [("dam", "A"), ("no dam", "F")]) for x in "abcdefgh"]
    pairs = [(f"the {x} weir", f"{x} weir") for x in "abcdefgh"]
    members = [tiny_writer(), tiny_writer()]
    before = members[0].network.token_embd.weight.clone()
    how = Teaching(batch_tokens=64, learning_rate=1e-3, warmup=2, minutes=5)
    Judge(members, CPU).learn(lists, how, pairs=pairs)
    one, other = (member.network.token_embd.weight for member in members)
    assert not torch.equal(one, before) and not torch.equal(one, other)
    asked = [("the z dam", 30, ["dam", "no dam at all"]), ("the long z dam", 50, ["dam"])]
    each = [[a.worth for said in Judge([m], CPU).judge(asked) for a in said] for m in members]
    both = [a.worth for said in Judge(members, CPU).judge(asked) for a in said]
    assert both == pytest.approx(np.mean(each, 0).tolist(), abs=1e-6)


def test_answers_are_read_by_source_and_budget(tmp_path):
    path = tmp_path / "answers.tsv"
    path.write_text("A dam\t30\tdam\nA dam\t50\ta dam\nA dam\t30\tthe dam\nB\t30\tb\n")
    assert list(read_answers(path)) == [
        ("A dam", 30, ["dam", "the dam"]), ("A dam", 50, ["a dam"]), ("B", 30, ["b"]),
    ]  # fmt: skip
    path.write_text("A dam\t30\tdam\tA\n")
    with pytest.raises(InvalidInput, match="line 1: wanted source, budget and answer"):
        list(read_answers(path))
