"""Every reader of data sees the same lines, whatever wrote the file and however it is packed."""

import subprocess
import sys

import pytest
import zstandard

from nacc.data.datasets import load, read_headlines
from nacc.data.lines import WINDOW, lines_of
from nacc.data.pairs import read_pairs, read_signed_pairs
from nacc.errors import InvalidInput
from nacc.search.labels import read_sentences

PAIRS = [("a source ’s", "a headline"), ("another", "its own"), ("a third", "with a\rreturn")]
TEXT = "a source ’s\ta headline\tan outlet\nanother\tits own\na third\twith a\rreturn\n"
BYTES = {
    "plain": TEXT.encode(),
    "no last line end": TEXT.removesuffix("\n").encode(),
    "windows": TEXT.replace("\n", "\r\n").encode(),
    "byte-order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "both": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
}


def in_two_frames(content: bytes) -> bytes:
    return b"".join(zstandard.compress(part) for part in (content[:20], content[20:]))


@pytest.mark.parametrize("content", BYTES.values(), ids=BYTES)
@pytest.mark.parametrize("pack", [None, zstandard.compress, in_two_frames])
def test_all_readers_agree(tmp_path, content, pack):
    path = tmp_path / ("pairs.tsv.zst" if pack else "pairs.tsv")
    path.write_bytes(pack(content) if pack else content)
    assert list(read_pairs(path)) == PAIRS
    assert [signed[2] for signed in read_signed_pairs(path)] == ["an outlet", "", ""]
    data = load(path)
    assert list(zip(data.sources, (r[0] for r in data.references), strict=True)) == PAIRS
    assert read_headlines(path) == [headline for _, headline in PAIRS]
    assert read_sentences(path) == [source for source, _ in PAIRS]


def test_a_packed_file_may_look_far_back_but_not_without_end(tmp_path):
    def packed(log: int) -> bytes:
        settings = zstandard.ZstdCompressionParameters(window_log=log, enable_ldm=True)
        packer = zstandard.ZstdCompressor(compression_params=settings).compressobj()
        return packer.compress(b"a\tb\n" * 1000) + packer.flush()

    path = tmp_path / "far.tsv.zst"
    path.write_bytes(packed(WINDOW.bit_length() - 1))
    assert len(list(read_pairs(path))) == len(load(path)) == 1000
    path.write_bytes(packed(WINDOW.bit_length()))
    for read in (lambda: list(read_pairs(path)), lambda: load(path)):
        with pytest.raises(InvalidInput, match=r"cannot read .*far\.tsv\.zst.*memory"):
            read()


def test_only_the_first_mark_is_no_text(tmp_path):
    (tmp_path / "a.txt").write_text("\ufeffone\n\ufefftwo\n", encoding="utf-8")
    assert list(lines_of(tmp_path / "a.txt")) == ["one", "\ufefftwo"]


def test_data_needs_no_extra_but_to_unpack(tmp_path):
    (tmp_path / "a.tsv").write_text("a\tb\n", encoding="utf-8")
    (tmp_path / "a.tsv.zst").write_bytes(zstandard.compress(b"a\tb\n"))
    script = (
        "import sys\n"
        "for name in ('torch', 'zstandard', 'matplotlib', 'safetensors', 'pydantic'):\n"
        "    sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "import nacc.data.csv_rows, nacc.data.json_rows, nacc.data.output, nacc.data.sources\n"
        "from nacc.data.datasets import load\n"
        "from nacc.errors import MissingExtra\n"
        "assert len(load(Path('a.tsv'))) == 1\n"
        "try: load(Path('a.tsv.zst'))\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout == 'reading a.tsv.zst needs an extra: pip install ".[eval]" in a checkout\n'


@pytest.mark.parametrize("name", ["a.txt", "a.txt.zst"])
def test_a_line_without_end_does_not_fill_the_memory(tmp_path, name, monkeypatch):
    monkeypatch.setattr("nacc.data.lines.LONGEST", 1000)
    written = b"one\n" + b"x" * 1000 + b"\n" + b"y" * 1_000_000
    packed = zstandard.compress(written) if name.endswith("zst") else written
    (tmp_path / name).write_bytes(packed)
    found = lines_of(tmp_path / name)
    assert next(found) == "one"
    with pytest.raises(InvalidInput, match="line 2 has over 1,000 bytes"):
        next(found)
