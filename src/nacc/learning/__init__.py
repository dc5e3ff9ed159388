"""Training: pairs, batches, the loop, checkpoints and export. Needs the [train] extra."""
