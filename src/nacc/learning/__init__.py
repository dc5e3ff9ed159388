"""Learning: from pairs of sentences and headlines to a model folder that `Summarizer` loads.

In the order of the work: `recipe` says what is wanted; `prepare` cleans the pairs (`packing`),
chooses the words to say (`vocabulary`) and writes a `corpus`; `lessons` says which pairs come how
often; `loop` trains the network that a `shape` describes on `batches`, from its `start`, writes
`checkpoint`s and `metrics` and measures itself (`validation`); `conditioning`, `distil` and `blend`
make a better model of trained ones; `export` writes the folder that runs without torch (`graphs` of
`fused` layers over a `shortlist` of words, in 8 bits by `smoothing`, `calibration` and `rounding`,
`sharing` weights), from which `restore` finds back.

The `kinds` of network: slots that do not know of each other (`network`, `ctc`), slots with links
(`linked`, with `links`, `paths`, `glancing`, `normaliser` and a `scorer`), and one word after
another (`autoregressive`).

Nothing that summarizes imports this; it needs an extra: pip install ".[train]".
"""

from nacc.errors import requires

requires("training", "train", "torch", "safetensors", "pydantic")
