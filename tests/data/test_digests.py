"""What was written about sources is kept by their digests, and found again by who has them."""

import pytest

from nacc.apps.cli import main
from nacc.data.digests import digest, joined
from nacc.errors import InvalidInput

FERRY = "The ferry ran aground off Sardinia early on Sunday."
COURT = "The court in Lyon did not convict the former mayor."


def test_a_digest_is_of_the_words_not_of_the_spaces_between():
    assert digest(FERRY) == digest(f"  {FERRY.replace(' ', '  ')}\n") != digest(COURT)


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "kept.tsv"
    rows = [
        (FERRY, "Ferry runs aground"),
        (FERRY, "Ferry aground"),
        ("Unknown.", "x"),
        (COURT, "y"),
    ]
    path.write_text("".join(f"{digest(source)}\t{said}\n" for source, said in rows))
    return path


def test_rows_come_with_their_sources_in_their_own_order(kept):
    found = list(joined(kept, [(COURT, "c"), ("Another.", "a"), (FERRY, "f")]))
    rows = [f"{FERRY}\tFerry runs aground", f"{FERRY}\tFerry aground", f"{COURT}\ty"]
    assert found == list(zip(rows, "ffc", strict=True))


def test_what_begins_with_no_digest_is_refused(kept):
    kept.write_text(kept.read_text() + f"{FERRY}\tx\n")
    with pytest.raises(InvalidInput, match="line 5"):
        list(joined(kept, [(FERRY, "f")]))


def test_the_command_keeps_whole_sources_out(kept, tmp_path):
    pairs, out, held = tmp_path / "pairs.tsv", tmp_path / "out.tsv", tmp_path / "held.tsv"
    pairs.write_text(f"{FERRY}\ta headline\n{COURT}\tanother\n")
    with pytest.raises(SystemExit) as end:
        main(["join", str(kept), str(pairs), "--out", str(out), "--every", "2", "--held-out", str(held)])  # fmt: skip  # noqa: E501
    assert end.value.code in (0, None)
    assert out.read_text() == f"{FERRY}\tFerry runs aground\n{FERRY}\tFerry aground\n"
    assert held.read_text() == f"{COURT}\ty\n"


def test_of_graded_answers_those_nearer_to_the_pairs_headline_are_worth_more(tmp_path):
    kept, pairs, out = (tmp_path / name for name in ("kept.tsv", "pairs.tsv", "out.tsv"))
    answers = [("Ferry runs aground", "A"), ("Boat stranded", "A"), ("aground Ferry", "C")]
    kept.write_text("".join(f"{digest(FERRY)}\t30\t{said}\t{grade}\n" for said, grade in answers))
    pairs.write_text(f"{FERRY}\tFerry runs aground off Sardinia\n")
    with pytest.raises(SystemExit) as end:
        main(["join", str(kept), str(pairs), "--out", str(out), "--towards", "0.2"])
    assert end.value.code in (0, None)
    near, far, broken = (float(row.split("\t")[3]) for row in out.read_text().splitlines())
    assert near == 1.0 > far > broken
    assert far == pytest.approx(1 - 0.2 * (6 / 8 + 4 / 6 + 6 / 8) / 3, abs=0.006)


def test_what_has_no_grade_cannot_be_worth_more(kept, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{FERRY}\ta headline\n")
    with pytest.raises(SystemExit) as end:
        main(["join", str(kept), str(pairs), "--out", str(tmp_path / "out"), "--towards", "0.2"])
    assert end.value.code not in (0, None)
