"""The seam between models and decoders: slots, their candidate words, and the words' names."""

from nacc.lattice.lattice import NO_WORD, Lattice

__all__ = ["NO_WORD", "Lattice"]
