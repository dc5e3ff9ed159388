"""Walking a sentence without a grammar: where clauses end, what is likely a verb or its object."""

from __future__ import annotations

from collections.abc import Iterator

from nacc.text import govern
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import WEIGHTY
from nacc.text.stem import base, porter
from nacc.text.words import Sentence

MOST_WORDS = 400
"""Words of a sentence that are looked at."""
_LEADS = (govern.AUXILIARIES | govern.WILL | {"ever"}) - {"to", "'s"}


class Walk:
    """A sentence's words by their places. What reads several places gives them in no order."""

    def __init__(self, sentence: Sentence) -> None:
        self.words = sentence.words[:MOST_WORDS]
        self.keys = sentence.keys[:MOST_WORDS]
        self.bases = sentence.bases[:MOST_WORDS]

    def says(self, i: int) -> bool:
        word = self.keys[i]
        return word not in FUNCTION_WORDS and word[:1].isalpha()

    def start(self, i: int) -> int:
        """Where the clause begins that reaches up to place i."""
        return next((j + 1 for j in range(i - 1, -1, -1) if self.keys[j] in govern.BOUNDARIES), 0)

    def end(self, i: int) -> int:
        """Where the clause ends that place i is in."""
        last = len(self.keys)
        return next((j for j in range(i, last) if self.keys[j] in govern.BOUNDARIES), last)

    def heads(self, i: int) -> list[int]:
        """The next word with content, and what it leads on to («not expected to resign»)."""
        found: list[int] = []
        for j in range(i, min(i + 5, self.end(i))):
            if self.says(j) and not (self.keys[j].endswith("ly") and len(self.keys[j]) > 4):
                found.append(j)
                if self.bases[j] in govern.GOES_ON:
                    found += self.infinitive(j + 1, near=2)
                elif self.bases[j] == "let":
                    found += self.heads(j + 1)
                elif self.bases[j] in govern.LIGHT:
                    found += [*self.object(j), *self.infinitive(j + 1, near=4)]
                break
        return found

    def predicate(self, i: int) -> list[int]:
        """`heads`, and what stands right behind («sent home»), but for names."""
        found = self.heads(i)
        behind = found[0] + 1 if found else len(self.keys)
        while behind < self.end(behind) and self.says(behind) and self.words[behind].islower():
            found.append(behind)
            behind += 1
        return found

    def run(self, i: int) -> Iterator[int]:
        """The next words with content, up to a small word after them; at most three."""
        begun = 0
        for j in range(i, min(i + 6, self.end(i))):
            if self.says(j):
                yield j
                begun += 1
            if begun and (begun == 3 or not self.says(j)):
                return

    def noun(self, i: int) -> Iterator[int]:
        """What «no» denies: the noun, and the verb it is the subject of («no arrests made»)."""
        for j in range(i, min(i + 7, self.end(i))):
            if self.says(j):
                yield j
            elif self.keys[j] not in govern.AUXILIARIES and not (j == i and self.keys[j] == "of"):
                if self.keys[j] in ("the", "them", "its", "their", "his") and j <= i + 1:
                    continue
                return

    def verb_of(self, i: int) -> list[int]:
        """The verb whose object nobody or nothing is («killed no one»)."""
        object_ = i > 0 and self.says(i - 1) and self.keys[i] != "neither"
        return [i - 1] if object_ and self.keys[i + 1 : i + 2] != ("longer",) else []

    def done_by(self, i: int) -> list[int]:
        """The verb whose subject nobody or nothing is («none of them were hurt», «nobody ever
        called», «neither she nor her friend called»)."""
        end = self.end(i + 1)
        leads = (j for j in range(i + 1, end) if self.keys[j] in _LEADS)
        nors = (j for j in range(i + 1, end) if self.keys[j] == "nor")
        behind = (self.verbs(j + 2, end)[:1] for j in nors)
        return next((self.heads(j + 1) for j in leads), next(behind, []))

    def charges(self, i: int) -> Iterator[int]:
        """What somebody was accused of who is cleared of it, and that he was."""
        for j in range(self.start(i), i):
            if self.bases[j] in govern.ALLEGATIONS:
                yield from (j, *self.of(j + 1, ("of", "with"), 2))

    def infinitive(self, i: int, near: int) -> list[int]:
        """The verb of a «to» not far off."""
        end = min(i + near, self.end(i), len(self.keys) - 1)
        for j in range(i, end):
            if self.keys[j] == "to":
                far = j + 6 if self.keys[j + 1 : j + 3] == ("be", "about") else j + 4
                verbs = (k for k in range(j + 1, min(far, len(self.keys))) if self.says(k))
                return next(([k, *self.object(k)] for k in verbs), [])
        return []

    def object(self, verb: int) -> list[int]:
        """What a verb that says little by itself is about: «contain traces of a pesticide»."""
        if self.bases[verb] not in govern.LIGHT:
            return []
        found: list[int] = []
        for j in range(verb + 1, min(verb + 7, self.end(verb + 1))):
            if self.says(j):
                found = [*(found[:-1] if found[-1:] == [j - 1] else found), j]
            elif self.keys[j] not in govern.DETERMINERS and self.keys[j] not in ("of", "about"):
                break
        return found

    def denied(self, i: int) -> list[int]:
        verbs = self.verbs(i, self.end(i))
        return [*list(self.run(i))[:2], *verbs, *(k for verb in verbs for k in self.thing(verb))]

    def thing(self, verb: int) -> list[int]:
        """The thing done something to, right after its verb."""
        after = self.keys[verb + 1 : verb + 2]
        led = {*after} <= govern.DETERMINERS
        return list(self.run(verb + 1)) if led or self.says(verb + 1) else []

    def of(self, i: int, prepositions: tuple[str, ...], most: int) -> list[int]:
        """«accused of taking», «cleared him of fraud»: what follows the preposition."""
        for j in range(i, min(i + 6, self.end(i), len(self.keys) - 1)):
            if self.keys[j] in prepositions:
                return list(self.run(j + 1))[:most]
        return []

    def verbs(self, start: int, end: int) -> list[int]:
        """Likely verbs: words that weigh, that stand after an auxiliary or «to» or after the
        subject, and past forms."""
        found = []
        for j in range(start, end):
            before, word = self.keys[j - 1], self.keys[j]
            led = before in govern.AUXILIARIES or before in govern.MODALS
            irregular = base(word) not in (porter(word), porter(porter(word)))
            past = word.endswith("ed") or (irregular and not word.endswith("s"))
            third = word.endswith("s") and j <= start + 2 and self.says(j - 1)
            first = j == start and (before in govern.SUBJECTS or before.endswith("s"))
            verbal = led or third or first or (past and before not in govern.DETERMINERS)
            named = self.words[j][0].isupper()
            if self.says(j) and not named and (verbal or self.bases[j] in WEIGHTY):
                found.append(j)
        return found
