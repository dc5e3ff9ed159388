"""Triton: one program a sentence, or a row of the output vocabulary."""
