"""Every layout becomes the same data set, and a bad file is named with its line."""

import sys
from pathlib import Path

import pytest
import zstandard

from nacc.data.datasets import DEV_SETS, TEST_SETS, load, locate, read_headlines, read_lines
from nacc.errors import InvalidInput, MissingExtra

SOURCES, TITLES = "one source\nanother source\n", "one\nanother\n"


def _write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")


def test_tsv_reads_two_columns_and_ignores_the_rest(tmp_path):
    _write(tmp_path, pairs__tsv="one source\tone\toutlet\t2020\nanother source\tanother\n")
    data = load(tmp_path / "pairs.tsv")
    assert data.sources == ("one source", "another source")
    assert data.references == (("one",), ("another",))
    assert not data.several and data.name == f"{tmp_path.name}/pairs"


@pytest.mark.parametrize(
    ("article", "title"),
    [
        ("test__article__txt", "test__title__txt"),
        ("valid__article__filter__txt", "valid__title__filter__txt"),
        ("test__src", "test__tgt"),
    ],
)
def test_gigaword_pairs_are_found_by_file_and_by_folder(tmp_path, article, title):
    _write(tmp_path, **{article: SOURCES, title: TITLES})
    by_file = load(tmp_path / article.replace("__", "."))
    by_folder = load(tmp_path)
    assert by_file.references == by_folder.references == (("one",), ("another",))


def test_a_gigaword_folder_gives_its_test_split_first(tmp_path):
    _write(tmp_path, train__src="t\n", train__tgt="t\n", test__src=SOURCES, test__tgt=TITLES)
    assert len(load(tmp_path)) == 2


@pytest.mark.parametrize("reference", ["reference__{}__txt", "task1_ref{}__txt"])
def test_duc_folders_have_several_references(tmp_path, reference):
    files = {reference.format(i): f"a{i}\nb{i}\n" for i in range(4)}
    _write(tmp_path, input__txt=SOURCES, **files)
    data = load(tmp_path)
    assert data.several and data.references[1] == ("b0", "b1", "b2", "b3")


def test_references_can_be_named(tmp_path):
    _write(tmp_path, a=SOURCES, b=TITLES, c="1\n2\n")
    data = load(tmp_path / "a", [tmp_path / "b", tmp_path / "c"])
    assert data.references == (("one", "1"), ("another", "2"))


def test_windows_line_ends_and_byte_order_marks_are_no_part_of_the_text(tmp_path):
    (tmp_path / "a.tsv").write_bytes("\ufeffone\ttwo\r\nthree\tfour\r\n".encode())
    assert load(tmp_path / "a.tsv").sources == ("one", "three")
    assert read_headlines(tmp_path / "a.tsv") == ["two", "four"]


def test_compressed_files_are_read_and_without_their_package_the_extra_is_named(
    tmp_path, monkeypatch
):
    path = tmp_path / "a.tsv.zst"
    path.write_bytes(zstandard.compress(b"one\ttwo\n" * 50_000))
    assert read_headlines(path) == ["two"] * 50_000
    assert load(path).name == f"{tmp_path.name}/a"
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"\.\[eval\]"):
        load(path)


def test_an_empty_line_is_an_empty_text(tmp_path):
    _write(tmp_path, a="one\n\nthree\n")
    assert read_lines(tmp_path / "a") == ["one", "", "three"]


def test_different_line_counts_are_named(tmp_path):
    _write(tmp_path, test__src=SOURCES, test__tgt="one\n")
    with pytest.raises(InvalidInput, match=r"has 2 lines but .*test\.tgt has 1"):
        load(tmp_path)


def test_bad_encoding_is_named_with_its_line(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"one\ttwo\ncaf\xe9\tx\n")
    with pytest.raises(InvalidInput, match="line 2: byte 0xe9"):
        load(tmp_path / "a.tsv")


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
def test_empty_files_are_refused(tmp_path, content):
    _write(tmp_path, a__tsv=content)
    with pytest.raises(InvalidInput, match="is empty"):
        load(tmp_path / "a.tsv")


def test_a_line_without_a_tab_is_named(tmp_path):
    _write(tmp_path, a__tsv="one\ttwo\nthree\n")
    with pytest.raises(InvalidInput, match="line 2: no tab"):
        load(tmp_path / "a.tsv")


@pytest.mark.parametrize("name", ["missing.tsv", "missing.txt"])
def test_missing_files_are_named(tmp_path, name):
    with pytest.raises(InvalidInput, match=name):
        load(tmp_path / name)


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"reference\.0\.txt"):
        load(tmp_path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with a few of the sets that have names."""
    monkeypatch.setenv("NACC_DATA", str(tmp_path))
    for name in ("gigaword", "headlines", "short", "duc2004"):
        (tmp_path / name).mkdir()
    for path in ("gigaword/dev.tsv", "gigaword/test.tsv", "short/b.dev.tsv", "short/a.dev.tsv"):
        (tmp_path / path).write_text("one source\tone\n", "utf-8")
    return tmp_path


def test_sets_of_the_data_folder_have_names(folder, tmp_path):
    assert locate("gigaword-dev") == [folder / "gigaword/dev.tsv"]
    assert locate("short/a") == [folder / "short/a.dev.tsv"]
    assert locate("short") == [folder / "short/a.dev.tsv", folder / "short/b.dev.tsv"]
    assert locate("dev") == [*(folder / path for path in DEV_SETS.values()), *locate("short")]
    assert locate(tmp_path / "mine.tsv") == [tmp_path / "mine.tsv"]
    assert load(*locate("short/a")).is_short and not load(*locate("gigaword-dev")).is_short


@pytest.mark.parametrize("name", [*TEST_SETS, "gigaword/test.tsv", "duc2004/../duc2004"])
def test_test_sets_are_for_the_report_alone_by_name_and_by_path(folder, name):
    asked = name if name in TEST_SETS else folder / name
    with pytest.raises(InvalidInput, match="for the report alone"):
        locate(asked)
    [path] = locate(asked, report=True)
    assert path.resolve() in {(folder / place).resolve() for place in TEST_SETS.values()}


def test_what_lies_at_hand_under_a_name_comes_first(folder, tmp_path, monkeypatch):
    (tmp_path / "here" / "duc2003").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert locate("duc2003") == [Path("duc2003")]
    assert locate("gigaword-dev") == [folder / "gigaword/dev.tsv"]


def test_a_data_folder_without_short_texts_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("NACC_DATA", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"short holds no KIND\.dev\.tsv"):
        locate("dev")
