"""Text to headline on a GPU, many at a time.

`summarizer` is the whole path: `workers` (processes) make words and pieces of the texts, `network`
makes lattices of them on the device, `candidates` knows there what each word weighs and may not do,
`decoding` finds the best path within the budget, and the workers write the chosen words down.

It needs an extra: pip install ".[gpu]".
"""

from nacc.errors import requires

requires("nacc.gpu", "gpu", "torch", "triton", "safetensors", "pydantic", "onnx")
