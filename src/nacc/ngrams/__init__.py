"""Which words follow which in headlines: one kind of model, for decoding, search and evaluation."""
