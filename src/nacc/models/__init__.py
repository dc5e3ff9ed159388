"""The neural network, in torch: encoder, head and CTC. Needs the [train] extra."""
