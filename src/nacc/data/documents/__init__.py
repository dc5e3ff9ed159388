"""Documents that only a parser of their own can read: YAML, TOML, PO, XLIFF, Android's strings.xml
and Apple's .strings. Each is one row; the parser says what is a text, and where each is written is
found beside it, so that a text can be replaced and every other byte stays.
"""
