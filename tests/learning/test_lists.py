"""A model's best answers, in lists that graders and the scorer's teacher read."""

from nacc.learning.lists import BUDGETS, lists
from nacc.runtime.folder import model_folder

SOURCES = [
    "The harbour authority of Norwick said on Monday that it would close two of its five halls "
    "for repairs until March, sending visitors to smaller ones.",
    "No.",
    "The museum in the old brewery has had a leaking roof since the storms of last winter. Its "
    "director, Helen Brandt, told reporters on Monday that two of its five halls will be closed "
    "until March, and that visitors will be sent to a smaller building near the station.",
    "A  lorry carrying frozen fish overturned on the coastal road near Halden before dawn, and "
    "traffic was held up for six hours.",
]


def test_every_source_has_different_answers_within_its_budget():
    first, short, several, other = lists(model_folder("default"), SOURCES, answers=5)
    assert short == several == []  # nothing to write; one sentence of two would be told
    for source, rows in ((SOURCES[0], first), (" ".join(SOURCES[3].split()), other)):
        (budget,) = {budget for _, budget, _ in rows}
        assert budget in BUDGETS and {s for s, _, _ in rows} == {source}
        answers = [answer for *_, answer in rows]
        assert 1 < len(set(answers)) == len(answers) <= 5
        assert max(map(len, answers)) <= budget
