"""How good and how fast: ROUGE-1.5.5's figures, the paper's tables and figures, and beyond.

It stands beside the path, not in it: it takes texts (from any system) and says what they are worth.
"""
