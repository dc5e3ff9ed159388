"""From what the model read to a finished string within a budget, and how it came about."""
