"""Which words follow which in headlines: one way to count, discount and store n-grams.

`Bigrams` are for decoding, `Trigrams` for search and, by their perplexity, for evaluation.
"""
