"""What is said where nothing fits: the smallest budget that would do."""

from __future__ import annotations

from contextlib import suppress

from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.fitting.task import Task
from nacc.text.surface import finish


def too_small(fitting: Task) -> BudgetTooSmall:
    """Names the smallest budget: of the required words, or of the shortest that can stand alone."""
    reading, budget, options = fitting.reading, fitting.budget, fitting.options
    if fitting.required:
        words = [fitting.forms[reading.ids[word]] for each in fitting.required for word in each]
        smallest = budget.length(finish(words, reading.sentence, options.case)[0])
    else:
        lengths = []
        for i in range(len(reading.word_lattice.keys)):
            if i in fitting.refused or (options.is_tidy and i in reading.dangling):
                continue
            text, _ = finish([fitting.forms[i]], reading.sentence, options.case)
            with suppress(InvalidInput):
                lengths += [budget.length(text)] if text else []
        if not lengths:
            return BudgetTooSmall(f"no word of this text can be said in {budget.measure}", 0)
        smallest = min(lengths)
    return BudgetTooSmall(
        f"nothing sensible fits in {budget}: the smallest budget that would do for this text "
        f"is {smallest} {budget.measure}",
        smallest,
    )
