"""PO: contexts, plurals, wrapping and comments stay."""

from __future__ import annotations

import polib
from hypothesis import given
from hypothesis import strategies as st

from .round_trip import ENDING, NEW, PAIRS, PATIENT, check_round_trip, only_row


def read_po(document: str) -> dict[str, str]:
    found = {}
    for each in polib.pofile(document.replace("\r\n", "\n") + "\n"):
        if not each.obsolete:
            found |= {f"{each.msgid}[{n}]": text for n, text in each.msgstr_plural.items()} or {
                each.msgid: each.msgstr
            }
    return found


@PATIENT
@given(PAIRS, NEW, ENDING, st.integers(3, 80))
def test_po(pairs, new, ending, width):
    file = polib.POFile(wrapwidth=width)
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for name, text in pairs.items():
        file.append(polib.POEntry(msgid=name, msgstr=text, comment="why", flags=["fuzzy"]))
    file.append(polib.POEntry(msgid="gone", msgstr="old", obsolete=True))
    check_round_trip("po", str(file).replace("\n", ending), read_po, new)


def test_po_contexts_plurals_and_what_stays():
    document = (
        '# head\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        '#| msgid "before"\nmsgctxt "menu"\nmsgid "file"\nmsgid_plural "files"\n'
        'msgstr[0] "Datei"\nmsgstr[1] ""\n"Da"\n"teien"\n\n#~ msgid "x"\n#~ msgstr "y"\n'
    )
    row = only_row("po", document)
    assert [(e.path, e.column, e.text, e.line) for e in row.entries] == [
        ("menu.file[0]", "file", "Datei", 10),
        ("menu.file[1]", "file", "Dateien", 11),
    ]
    assert row.mended([None, "D"]) == [None, "D"]
    assert row.replaced([None, "D"]) == document.replace('""\n"Da"\n"teien"', '"D"')
