"""Of how many, or how much, something is said: some of all, all but some, almost none, no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from nacc.text import govern
from nacc.text.denials import Denials, negates
from nacc.text.govern import Governed, Mood
from nacc.text.numbers import counts

LESS = govern.FEWER | govern.EDGES | frozenset("only close within".split())
NTHS = ("second", "third", "fourth", "fifth")
_NTH = re.compile(rf"(?:{'|'.join(NTHS)})[- ]\w+est\b")
ALL = frozenset("all every everyone everything none no nobody nothing never always".split())
BUT = frozenset("but except excluding".split())
"""Behind «every» or «all», these leave some out."""
FEW = frozenset("few third quarter fifth sixth tenth minority handful".split())
"""Parts that are not most of the whole."""
_ABOUT = frozenset("a an the only just about around nearly almost over more less than some".split())
ALMOST = frozenset("almost nearly".split())


class Shares(Denials):
    """A sentence that may say of how many it is so."""

    def by_less(self, i: int, word: str) -> Iterator[Governed]:
        """What there is less of, or no more, or not quite: «fewer mistakes», «ended the strike»,
        «second-lowest on record», «within a degree of zero»."""
        before, after = (self.keys[i - 1] if i else ""), self.keys[i + 1 : i + 2]
        places: Iterable[int] = ()
        if word in govern.FEWER and before not in ("a", "the", "no") and after != ("than",):
            places = (*self.heads(i + 1), *self.done_by(i))
        elif self.bases[i] in govern.ENDS and before != "to" and after and self._is_thing(i + 1):
            run = list(self.run(i + 1))
            places = run if run and self.bases[run[-1]] not in govern.NO_ENDS else ()
        elif word == "only" and before in ("", *govern.BOUNDARIES):
            modals = [j for j in range(i + 2, self.end(i)) if self.keys[j] in govern.WILL]
            places = self.heads(modals[-1] + 1) if modals else ()
        elif word.startswith(NTHS) and _NTH.match(" ".join((word, *after))):
            places = (j for j in range(i + 1, min(i + 6, self.end(i))) if self._is_most(j))
        elif word in govern.EDGES or (word, after) == ("close", ("to",)) or self._is_near(i):
            of = "to" if word == "close" else "of"
            ahead = range(i + 1, min(i + 10, self.end(i + 1)))
            last = [j for j in ahead if self.keys[j] == of]
            given = word != "close" or self.keys[i + 2 : i + 3] == ("a",)
            places = self.run(last[-1] + 1) if last and given else ()
        for place in places:
            yield Governed(place, i, Mood.LESSENED)

    def _is_near(self, i: int) -> bool:
        """«within a few metres», not «within its walls»."""
        after = self.keys[i + 1 : i + 2]
        return self.keys[i] == "within" and (after == ("a",) or any(map(counts, after)))

    def _is_thing(self, i: int) -> bool:
        return self.says(i) or self.keys[i] in govern.DETERMINERS

    def _is_most(self, i: int) -> bool:
        return self.keys[i] == "record" or self.keys[i].endswith("est")

    def by_share(self, i: int, word: str) -> Iterator[Governed]:
        """What is said of a part: «one in three children is not vaccinated», «only two of the
        jurors believed»."""
        behind = self.keys[i + 1 : i + 4]
        among = behind[:1] == ("in",) and any(map(counts, behind[1:2])) and "chance" not in behind
        among = among or (behind[:2] == ("out", "of") and any(map(counts, behind[2:])))
        only = self.keys[max(0, i - 1) : i] in (("only",), ("just",)) and behind[:1] == ("of",)
        if among or only or (behind[:1] == ("of",) and self._is_small(i)):
            end = self.end(i + 3)
            never = (self.heads(j + 1) for j in range(i + 3, end) if negates(self.keys[j]))
            told = next(never, []) or self.done_by(i + 3) or self.verbs(i + 4, end)[:1]
            yield from (Governed(place, i, Mood.PARTLY) for place in told)

    def _is_small(self, i: int) -> bool:
        """Whether a sentence begins with a small part: «a third of nurses»."""
        start = self.start(i)
        small = self.keys[i] in FEW and self.keys[i + 2 : i + 3] not in (("its",), ("their",))
        return small and all(self.keys[j] in _ABOUT for j in range(start, i))

    def by_exception(self, i: int, word: str) -> Iterator[Governed]:
        """«Every» and «all» that some are left out of: «every country but Spain», «almost all»."""
        if word in ALMOST:
            among = self.keys[i + 2 : i + 3] in (("in",), ("out",)) and counts(self.keys[i + 1])
            places = [i + 1] if among or not ALL.isdisjoint(self.keys[i + 1 : i + 2]) else []
        elif word != "but" or any(each[0].isupper() for each in self.words[i + 1 : i + 2]):
            start = max(self.start(i), i - 6)
            places = [j for j in range(start, i) if self.keys[j] in ALL]
        else:
            places = []
        for place in places:
            yield Governed(place, i, Mood.EXCEPTED)
