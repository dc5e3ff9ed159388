"""What is read and written: pairs, data sets, and rows of text, CSV and JSON."""
