"""Bytes in, the same bytes out: whatever the format, the encoding and the marks."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.data.rows import Lines, encoded
from nacc.data.sources import REPLACEABLE, any_format
from nacc.errors import InvalidInput


def lines(data: bytes, encoding: str | None = "utf-8") -> Lines:
    return Lines(io.BytesIO(data), "test", encoding)


PIECES = (
    b'a,text\n|\xef\xbb\xbf|"|,|\t|\r\n|\n|{"text":"x"}|[|}|: |- |# |a = "b"|;|/* |*/|msgid "a"\n|'
    b"msgstr |<resources>|</resources>|<string name='a'>|</string>|<xliff>|<!--|-->|]]>|'''|=|\xe9"
).split(b"|")


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=12).map(b"".join),
    st.sampled_from(REPLACEABLE),
)
def test_whatever_the_bytes_the_rows_hold_all_of_them_and_each_once(data, name):
    document = lines(data)
    try:
        rows = list(any_format(name).rows(document))
    except InvalidInput:
        return
    assert encoded(document.mark + "".join(row.raw for row in rows)) == data
    for row in rows:
        assert row.replaced([None] * len(row.entries)) == row.raw


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_utf16_is_read_by_its_mark_where_that_is_wanted(encoding, ending):
    data = f'\ufeff"a" = "Ж😀";{ending}{ending}"b" = "\u0a0a";'.encode(encoding)
    document = lines(data, None)
    found = list(document)
    assert found == [f'"a" = "Ж😀";{ending}', ending, '"b" = "\u0a0a";']
    assert (document.mark, document.encoding) == ("\ufeff", encoding)
    assert encoded(document.mark + "".join(found), document.encoding) == data


def test_utf16_is_refused_with_what_to_do_where_it_is_not():
    with pytest.raises(InvalidInput, match=r"iconv -f UTF-16 -t UTF-8"):
        list(lines("title\n".encode("utf-16")))


def test_another_encoding_is_read_as_named_and_given_back():
    data = "Café – “x”\r\nzwei".encode("cp1252")
    document = lines(data, "cp1252")
    assert list(document) == ["Café – “x”\r\n", "zwei"]
    assert encoded("Café – “x”\r\nzwei", document.encoding) == data


@pytest.mark.parametrize(
    ("data", "encoding", "told"),
    [
        (b"\x81", "cp1252", "cannot read test as cp1252"),
        (b"x", "cp-none", "cannot read test as cp-none"),
        (b"\xff\xfea", None, "cannot read test as utf-16-le"),
        (b"+AGE-", "utf-7", "would not give the bytes back"),
    ],
)
def test_what_cannot_be_had_back_is_refused(data, encoding, told):
    with pytest.raises(InvalidInput, match=told):
        list(lines(data, encoding))


@pytest.mark.parametrize(
    ("data", "encoding"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le")]
)
def test_a_mark_alone_is_kept(data, encoding):
    document = lines(data, None)
    assert list(document) == []
    assert document.encoding == encoding
    assert encoded(document.mark, encoding) == data
