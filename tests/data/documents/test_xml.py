"""XLIFF and Android: tags, CDATA, escapes and comments stay."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import example, given

from .round_trip import ENDING, NEW, PAIRS, PATIENT, check_round_trip, only_row


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def read_xliff(document: str) -> dict[str, str]:
    return {
        unit.attrib["id"]: unit.findtext("target") or ""
        for unit in ElementTree.fromstring(document).iter("trans-unit")
    }


@PATIENT
@given(PAIRS, NEW, ENDING)
def test_xliff(pairs, new, ending):
    units = "".join(
        f'  <trans-unit id="{name}"><source>x</source>\n    <target state=">">{escape(text)}'
        "</target><alt-trans><target>y</target></alt-trans></trans-unit> <!-- <target>z -->\n"
        for name, text in pairs.items()
    )
    document = f'<?xml version="1.0"?>\n<xliff version="1.2"><body>\n{units}</body></xliff>\n'
    check_round_trip("xliff", document.replace("\n", ending), read_xliff, new)


def test_xliff_2_inline_tags_and_cdata():
    document = (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0"><file id="f">'
        '<unit id="u"><segment id="1"><source>s</source><target>Read <pc id="1">it &amp; go</pc> '
        'now<ph id="2"/></target></segment><segment id="2"><target><![CDATA[a <b> & c]]></target>'
        '</segment></unit><unit id="n" translate="no"><segment><target>x</target></segment></unit>'
        "</file></xliff>"
    )
    row = only_row("xliff", document)
    first, second = row.entries
    assert (first.path, first.text) == ("u.1", 'Read <pc id="1">it & go</pc> now<ph id="2"/>')
    assert (second.path, second.text) == ("u.2", "a <b> & c")
    new: list[str | None] = ['<pc id="1">R & D</pc><ph id="2"/>', "c & <b>"]
    assert row.mended(new) == new
    after = row.replaced(new)
    assert '<target><pc id="1">R &amp; D</pc><ph id="2"/></target>' in after
    assert "<![CDATA[c & <b>]]>" in after
    assert row.mended(["without tags", None]) == [None, None]


def android_value(text: str) -> str:
    for plain, escaped in (("\\", r"\\"), ("'", r"\'"), ('"', r"\""), ("\n", r"\n"), ("\t", r"\t")):
        text = text.replace(plain, escaped)
    return f'"{escape(text)}"'


ANDROID = """\
<?xml version="1.0" encoding="utf-8"?>
<!-- <string name="no">x</string> -->
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="hi">Don\\'t   go,
        <xliff:g id="who" example="a > b">%1$s</xliff:g>\\u2026</string>
    <string name="html"> <![CDATA[<b>Bold</b> it\\'s]]> </string>
    <string name="key" translatable="false">A key</string>
    <string name="other">@string/hi</string>
    <plurals name="days">
        <item quantity="one">%d day</item><item quantity="other">%d days</item></plurals>
    <string-array name="list"><item>a</item><item>&lt;b&gt; \\@ c</item></string-array>
    <color name="red">#f00</color>
    <string name="empty"/>
</resources>
"""


def test_android_strings_plurals_and_arrays():
    row = only_row("android", ANDROID)
    assert [(e.path, e.text) for e in row.entries] == [
        ("hi", 'Don\'t go, <xliff:g id="who" example="a > b">%1$s</xliff:g>…'),
        ("html", "<b>Bold</b> it's"),
        ("days.one", "%d day"),
        ("days.other", "%d days"),
        ("list.0", "a"),
        ("list.1", "<b> @ c"),
    ]
    assert [e.line for e in row.entries] == [4, 6, 10, 10, 11, 11]
    who = '<xliff:g id="who" example="a > b">%1$s</xliff:g>'
    new: list[str | None] = [f"Isn't {who}", "it's <b>", None, None, None, "?"]
    assert row.mended(new) == new
    after = row.replaced(new)
    assert f">Isn\\'t {who}</string>" in after
    assert "> <![CDATA[it\\'s <b>]]> </string>" in after
    assert "<item>\\?</item>" in after
    assert after.startswith(ANDROID[: ANDROID.index("Don")])


@PATIENT
@given(PAIRS, NEW, ENDING)
@example({"first": "\xa0"}, [None] * 6, "\n")
def test_android(pairs, new, ending):
    strings = "".join(
        f'  <string name="{name}">{android_value(text)}</string>\n' for name, text in pairs.items()
    )
    document = f"<resources>\n{strings}</resources>\n".replace("\n", ending)
    assert read_android(document) == pairs
    check_round_trip("android", document, read_android, new)


def read_android(document: str) -> dict[str, str]:
    strings = ElementTree.fromstring(document)
    return {each.attrib["name"]: android_read(each.text or "") for each in strings}


def android_read(written: str) -> str:
    """A second reading of Android's rules, character by character."""
    out, quoted, at = "", False, 0
    written = written.strip(" \t\r\n")
    while at < len(written):
        mark = written[at]
        if mark == "\\":
            at += 1
            out += {"n": "\n", "t": "\t"}.get(written[at], written[at])
        elif mark == '"':
            quoted = not quoted
        elif mark in " \t\r\n" and not quoted:
            out += "" if out.endswith(" ") and written[at - 1] in " \t\r\n" else " "
        else:
            out += mark
        at += 1
    return out
