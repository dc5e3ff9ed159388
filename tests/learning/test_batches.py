"""Batches: what the network and the loss are given, built on the device from packed ids."""

import numpy as np
import pytest
import torch

from nacc.errors import InvalidInput
from nacc.learning.batches import Batches, Batching
from nacc.learning.checkpoint import read_vocabulary
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.tokenizer import word_tokenizer
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces

PAIRS = [
    ("the ferry hit the ferry wall", "ferry hit ferry"),
    ("a long night for the crew of the Marlow", "Marlow crew night"),
    ("storm", "storm"),
]
VOCABULARY = ["<blank>", "ferry", "night", "the", "a", "hit"]
CPU = torch.device("cpu")


def packed(pairs) -> Corpus:
    ids: dict[str, int] = {}
    rows = [[[ids.setdefault(w.lower(), len(ids)) for w in t.split()] for t in p] for p in pairs]
    group = np.array([i % 2 for i in range(len(pairs))], dtype=np.uint8)
    source, target = (Ragged.of([row[i] for row in rows]) for i in (0, 1))
    return Corpus(list(ids) or [""], source, target, group, ["even", "odd"])


def batches(corpus: Corpus, pieces: Pieces | None = None, **changes) -> Batches:
    positions = changes.pop("positions", 64)
    batching = Batching(**{"batch_words": 64, "seed": 1, **changes})
    pieces = pieces or word_tokenizer(VOCABULARY)
    return Batches(corpus, pieces, VOCABULARY, batching, positions=positions, device=CPU)


def test_inputs_are_those_decoding_will_read(prepared):
    corpus = Corpus.load(prepared / "corpus.npz")
    words = read_vocabulary(prepared / "words.txt")
    pieces = word_tokenizer(words)
    made = Batches(corpus, pieces, words, Batching(256, seed=1), positions=64, device=CPU)
    rows = made.plan(0)[0]
    batch = made.build(rows)
    keys = [[corpus.lexicon[w] for w in corpus.source.row(i)] for i in rows]
    inputs = InputEncoder(pieces, words, 64, 80).batch(keys)
    width, slots = inputs.pieces.shape[1], inputs.slots.shape[1]
    assert (batch.pieces[:, :width].numpy() == inputs.pieces).all()
    assert (batch.pieces[:, width:] == -1).all()
    assert (batch.slots[:, :slots].numpy() == inputs.slots).all()
    assert batch.lengths.tolist() == batch.source_lengths == inputs.lengths.tolist()


def test_labels_matches_and_columns_of_repeated_words():
    batch = batches(packed(PAIRS)).build(np.array([0, 1]))
    ferry, hit, night = (VOCABULARY.index(word) for word in ("ferry", "hit", "night"))
    assert batch.labels[0].tolist() == [ferry, hit, ferry, -1, -1, -1, -1, -1]
    assert batch.labels[1, :3].tolist() == [-1, -1, night]
    assert batch.targets[0, :3].tolist() == [1, 2, 1]  # the second ferry shares the first's column
    assert batch.targets[1, :3].tolist() == [1, 2, 3]
    said_at = [batch.matches[0, :, t].nonzero().flatten().tolist() for t in range(3)]
    assert said_at == [[1, 4], [2], [1, 4]]
    assert not batch.matches[:, :, 3:].any()
    assert batch.target_lengths == [3, 3]


def test_subword_pieces_stand_where_slots_say(tmp_path):
    from nacc.learning import minilm

    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    batch = batches(packed(PAIRS), pieces).build(np.array([0, 1, 2]))
    inputs = InputEncoder(pieces, VOCABULARY, 64, 80).batch(
        [source.lower().split() for source, _ in PAIRS]
    )
    assert (batch.pieces[:, : inputs.pieces.shape[1]].numpy() == inputs.pieces).all()
    assert (batch.slots[:, : inputs.slots.shape[1]].numpy() == inputs.slots).all()


def test_an_epoch_holds_every_pair_as_often_as_its_file_is_repeated():
    made = batches(packed(PAIRS), repeat={"odd": 3})
    rows = np.concatenate(made.plan(0)).tolist()
    assert sorted(rows) == [0, 1, 1, 1, 2]


def test_a_plan_is_a_function_of_seed_and_epoch(prepared):
    corpus = Corpus.load(prepared / "corpus.npz")

    def plan(seed: int, epoch: int) -> list[list[int]]:
        return [rows.tolist() for rows in batches(corpus, seed=seed).plan(epoch)]

    assert plan(1, 0) == plan(1, 0)
    assert plan(1, 0) != plan(1, 1)
    assert plan(1, 0) != plan(2, 0)


def test_batches_keep_to_their_size_padding_included(prepared):
    corpus = Corpus.load(prepared / "corpus.npz")
    made = batches(corpus, batch_words=300)
    for rows in made.plan(0):
        batch = made.build(rows)
        assert batch.slots.numel() <= 300
        assert batch.words == batch.lengths.sum()


def test_a_sentence_longer_than_a_batch_is_a_batch_of_its_own():
    made = batches(packed(PAIRS), batch_words=1)
    assert sorted(map(len, made.plan(0))) == [1, 1, 1]


def test_sources_beyond_the_positions_are_left_out():
    rows = np.concatenate(batches(packed(PAIRS), positions=8).plan(0)).tolist()
    assert sorted(rows) == [0, 2]
    with pytest.raises(InvalidInput, match="4 positions"):
        batches(packed(PAIRS), positions=4)


def test_an_empty_corpus_is_refused():
    with pytest.raises(InvalidInput, match="no pair to train on"):
        batches(packed([]))


def test_hidden_words_are_read_as_unknown_but_can_be_copied():
    corpus = packed([("a night for the ferry crew", "ferry night crew")] * 50)
    pieces = word_tokenizer(VOCABULARY)
    torch.manual_seed(1)
    rows = np.arange(50)
    shown = batches(corpus, pieces, batch_words=1000).build(rows)
    hidden = batches(corpus, pieces, batch_words=1000, hide=0.3).build(rows)
    changed = shown.pieces != hidden.pieces
    assert (hidden.pieces[changed] == pieces.unknown).all()
    known = (shown.pieces >= 0) & (shown.pieces != pieces.unknown)
    assert 0.15 < changed[known].float().mean() < 0.45
    assert (shown.matches == hidden.matches).all()
