"""Headlines in their sources' own words, and a language model that writes such for every source."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nacc.errors import InvalidInput  # noqa: E402
from nacc.learning import gguf, teach  # noqa: E402
from nacc.learning.llama import Llama, LlamaShape  # noqa: E402
from nacc.learning.own_words import choose_all, chosen  # noqa: E402
from nacc.learning.writer import Teaching, Writer, tokenizer_of  # noqa: E402

FERRY = "The ferry Santa Lucia ran aground off the coast of Sardinia early on Sunday, police said."
COURT = "The court in Lyon did not convict the former mayor of fraud on Monday, his lawyer said."
WORDS = "Sardinia Lyon Paris rescued passengers stranded overnight runs does convicts".split()
USUAL = {word.lower(): word for word in WORDS}


@pytest.mark.parametrize(
    ("source", "headline", "kept"),
    [
        (FERRY, "Ferry Santa Lucia Runs Aground Off Sardinia", True),
        (FERRY, "Ferry Santa Lucia rescued passengers stranded overnight", False),
        (FERRY, "Ferry runs aground off Paris", False),
        (FERRY, "Ferry Santa Lucia runs agruond off Sardinia", False),
        (FERRY, "Ferry Santa Lucia runs aground off the", False),
        (COURT, "Lyon court does not convict former mayor of fraud", True),
        (COURT, "Lyon court convicts former mayor of fraud", False),
    ],
)
def test_what_is_kept_is_in_the_sources_words_and_true(source, headline, kept):
    found = chosen(source, [headline], USUAL, most=1)
    assert bool(found) is kept


def test_the_first_good_one_is_taken_and_written_as_the_source_writes_it():
    lines = ["Ferry runs aground off Paris", "ferry santa lucia runs aground off SARDINIA"]
    assert chosen(FERRY, lines, USUAL, 1) == "Ferry Santa Lucia runs aground off Sardinia"
    assert chosen(FERRY, [], USUAL, 1) == ""
    assert chosen("Too short.", lines, USUAL, 1) is None


def test_processes_change_nothing():
    rows = [(FERRY, ["Ferry runs aground off Sardinia"]), ("Short.", ["x"]), (COURT, [])] * 3
    alone = list(choose_all(rows, USUAL, 1))
    assert alone == [(FERRY, "Ferry runs aground off Sardinia"), (COURT, "")] * 3
    assert list(choose_all(rows, USUAL, 1, processes=2)) == alone


def test_every_source_gets_a_headline_if_a_good_one_is_written(tmp_path, monkeypatch):
    letters = ["<end>", *(chr(code) for code in [*range(33, 127), 288, 266])]
    tokens = tokenizer_of(
        gguf.Gguf({"tokenizer.ggml.tokens": letters, "tokenizer.ggml.merges": []}, {})
    )
    torch.manual_seed(0)
    shape = LlamaShape(words=97, width=64, layers=2, heads=4, shared=2, inner=96)
    monkeypatch.setattr(gguf, "read", lambda path: None)
    monkeypatch.setattr(
        Writer, "of", classmethod(lambda cls, file: Writer(Llama(shape), tokens, end=0))
    )
    monkeypatch.setattr("nacc.learning.writer.MOST_TOKENS", 40)
    monkeypatch.setattr(teach, "_LENGTHS", ((30, 1),))  # of what it learnt from
    rows, words, out = tmp_path / "rows.tsv", tmp_path / "words.txt", tmp_path / "pairs.tsv"
    said = "Ferry runs aground off Sardinia"
    rows.write_text(f"{FERRY}\t{said}\n" * 4 + f"{COURT}\t\n", encoding="utf-8")
    words.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    how = Teaching(batch_tokens=600, learning_rate=1e-2, warmup=2, minutes=5, epochs=60)
    cpu = torch.device("cpu")
    count = teach.teach(tmp_path / "m.gguf", rows, words, out, cpu, how, teach.Writing(beams=2))
    lines = out.read_text(encoding="utf-8").splitlines()
    # A source is written for once; of the court it can only say what is of the ferry.
    assert (count, lines) == (1, [f"{FERRY}\t{said}"])
    listed = teach.Writing(beams=2, lists=True)
    count = teach.teach(tmp_path / "m.gguf", rows, words, out, cpu, how, listed)
    lines = out.read_text(encoding="utf-8").splitlines()
    assert count == len(lines) and f"{FERRY}\t50\t{said}" in lines

    rows.write_text(f"{COURT}\t\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no headline"):
        teach.teach(tmp_path / "m.gguf", rows, words, out, cpu, how, teach.Writing())


def test_headlines_that_hold_a_shorter_one_teach_that_too():
    pairs = [
        (FERRY, "Ferry Santa Lucia runs aground, after storm off Sardinia"),
        (FERRY, "Ferry runs aground off Sardinia"),
        (FERRY, "What ferry did after it ran aground"),
    ]
    assert list(teach._shortened(pairs, cut=10)) == []
    assert list(teach._shortened(pairs, cut=44)) == [(FERRY, "Ferry Santa Lucia runs aground")]
