"""What depends on a condition: both sides of it, what must be so and what will be then."""

from __future__ import annotations

from collections.abc import Iterator

from nacc.text import govern
from nacc.text.numbers import counts
from nacc.text.tagged import is_time
from nacc.text.verbs import VERBS
from nacc.text.walk import Walk


class Conditions(Walk):
    """A sentence that may say «if»."""

    def inverted(self, i: int) -> bool:
        """«Should it rain, …», «were it to rain, …»"""
        if self.keys[i] not in govern.INVERTED or (i and self.keys[i - 1] not in govern.BOUNDARIES):
            return False
        subject = self.keys[i + 1 : i + 2]
        led = not i or not {*subject}.isdisjoint(govern.SUBJECTS | govern.DETERMINERS)
        led = led and (self.keys[i] != "were" or "to" in self.keys[i : self.end(i + 1)])
        return led and self.keys[self.end(i + 1) :][:1] == (",",)

    def begins_condition(self, i: int) -> bool:
        """Whether a condition's word begins one: not «as if», nor «what it provided»."""
        before, after = self.keys[i - 1] if i else "", self.keys[i + 1 : i + 2]
        led = self.keys[i] == "provided" and after != ("that",)
        return before not in ("as", "even", "what") and not (
            led and before not in ("", *govern.BOUNDARIES)
        )

    def opens(self, i: int) -> bool:
        """Whether a condition begins behind this word."""
        if self.keys[i] == "as":
            return self.keys[i - 1 : i] in (("long",), ("soon",))
        return self.begins_condition(i)

    def conditional(self, i: int, soon: tuple[str, ...]) -> bool:
        """Whether a condition of several words stands at i: not «as soon as this week», nor «in
        case you have not heard»."""
        follow = i + len(soon)
        said = self.keys[i : follow + 2]
        timed = any(map(is_time, said[len(soon) :]))
        return said[: len(soon)] == soon and not timed and self.keys[follow:][:1] != ("you",)

    def is_still_to_come(self, once: int) -> bool:
        """Whether «once» at a place tells of what is still to come: «will leave once it is paid»,
        «once it is paid, he will leave»."""
        before = range(self.start(once), once)
        if before:
            return any(map(self.leads, before))
        end = self.end(once + 1)
        return self.keys[end:][:1] == (",",) and any(map(self.leads, range(end, self.end(end + 1))))

    def depending(self, i: int, after: int) -> Iterator[int]:
        """Both sides of the condition that begins at i, and goes on after some words: what must be
        so, and what will be then."""
        end = self.end(after)
        places = self.verbs(after + 1, end)
        before = self.keys[i - 1] if i else ","
        if (before in govern.BOUNDARIES or before in ("that", "and")) and self.keys[end:][:1] == (
            ",",
        ):
            consequence = range(end + 1, self.sentence_end(end + 1))
        else:
            consequence = range(self._before(i), i)
        then = [place for j in consequence if self.leads(j) for place in self._rest(j + 1)]
        if before == "only" and not then:
            consequence = range(self.sentence(i), i)
        if not then:
            then = self._then(consequence, done=consequence.start < i and before != "only")
        yield from (*places, *then)

    def _before(self, i: int) -> int:
        """Where the clause begins before a condition; «after 30 days» begins none."""
        start = self.start(i)
        while start > 1 and self.keys[start - 1].isalpha() and counts(self.keys[start]):
            start = self.start(start - 1)
        return start

    def _then(self, consequence: range, done: bool) -> list[int]:
        """What is so then, where no «will» says it: all but whoever does it, after «says that». If
        it may be done already, nothing where a past form tells that it is."""
        content = [j for j in consequence if self.says(j)]
        says = [n for n, j in enumerate(content) if self.bases[j] in govern.SAYS]
        content = content[says[-1] + 1 :] if says else content
        if not content or (done and any(map(self._is_past, content))):
            return []
        first = content[0]
        ordered = self.bases[first] in VERBS and first == consequence.start
        return content if ordered or self.keys[first - 1] in govern.SUBJECTS else content[1:]

    def _is_past(self, j: int) -> bool:
        return self.keys[j].endswith("ed") and govern.BE.isdisjoint(self.keys[max(0, j - 2) : j])

    def _rest(self, j: int) -> Iterator[int]:
        """What is said of what is still to come: all of it, up to the clause's end, but no more
        than the verb after «could» and «would»."""
        if self.keys[j - 1] in govern.MODALS:
            return iter(self.predicate(j))
        return (k for k in range(j, self.end(j)) if self.says(k))

    def sentence(self, i: int) -> int:
        return next((j + 1 for j in range(i - 1, -1, -1) if self.keys[j] in (".", ";", "!")), 0)

    def sentence_end(self, i: int) -> int:
        last = len(self.keys)
        return next((j for j in range(i, last) if self.keys[j] in (".", ";", "!")), last)

    def leads(self, j: int) -> bool:
        """Whether what follows is still to come: «will», «is to», «ready to»."""
        if self.keys[j] == "to" and j:
            return self.keys[j - 1] in govern.BE or self.bases[j - 1] in govern.PLANS
        return self.keys[j] in govern.WILL
