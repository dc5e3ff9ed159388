"""What is read and written. Nothing here needs an extra, but to unpack .zst files and to read YAML
and PO.

Data to learn from and to measure on: `lines` is the one way in, plain or packed; `pairs` are a
source and its headline, and which of them can teach; `datasets` makes every layout one `Dataset`.

People's documents, which keep every byte that is not replaced: `rows` are stretches of a document
with the texts in them, of plain text or as `csv_rows`, `json_rows` and `documents/` find them;
`sources` opens them by name and format, `output` writes a file whole or not at all, `diff` shows
what would change. `budget_rules` says which budget a text has, by its file and key.
"""
