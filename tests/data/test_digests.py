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
    found = list(joined(kept, [COURT, "Another.", FERRY]))
    assert found == [f"{FERRY}\tFerry runs aground", f"{FERRY}\tFerry aground", f"{COURT}\ty"]


def test_what_begins_with_no_digest_is_refused(kept):
    kept.write_text(kept.read_text() + f"{FERRY}\tx\n")
    with pytest.raises(InvalidInput, match="line 5"):
        list(joined(kept, [FERRY]))


def test_the_command_keeps_whole_sources_out(kept, tmp_path):
    pairs, out, held = tmp_path / "pairs.tsv", tmp_path / "out.tsv", tmp_path / "held.tsv"
    pairs.write_text(f"{FERRY}\ta headline\n{COURT}\tanother\n")
    with pytest.raises(SystemExit) as end:
        main(["join", str(kept), str(pairs), "--out", str(out), "--every", "2", "--held-out", str(held)])  # fmt: skip  # noqa: E501
    assert end.value.code in (0, None)
    assert out.read_text() == f"{FERRY}\tFerry runs aground\n{FERRY}\tFerry aground\n"
    assert held.read_text() == f"{COURT}\ty\n"
