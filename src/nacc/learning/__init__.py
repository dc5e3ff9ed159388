"""Learning: from pairs of sentences and headlines to a model folder that `Summarizer` loads.

In the order of the work: `recipe` says what is wanted; `prepare` cleans the pairs (`packing`),
chooses the words to say (`vocabulary`) and writes a `corpus`; `loop` trains the network that a
`shape` describes (`network` with `ctc`, or `autoregressive`) on `batches`, writes `checkpoint`s and
`metrics` and measures itself (`validation`); `conditions`, `distil` and `blend` make a better model
of trained ones; `export` writes the folder that runs without torch.

Nothing that summarizes imports this; it needs an extra: pip install "nacc[train]".
"""

from nacc.errors import requires

requires("training", "train", "torch", "safetensors", "pydantic")
