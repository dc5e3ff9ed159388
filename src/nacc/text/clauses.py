"""Which words of a sentence are not simply stated: denied, doubted, asked, planned, conditional.

No grammar is parsed. Words that govern («not», «refused to», «may», «if») are known, and so is how
far each reaches: to the next word with content, over a clause, or to both sides of a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nacc.text import govern
from nacc.text.denials import DENYING, NO, UNTRUE, negates
from nacc.text.govern import Governed, Mood
from nacc.text.memory import kept, remembered
from nacc.text.numbers import counts
from nacc.text.questions import questions
from nacc.text.shares import ALMOST, BUT, FEW, LESS, NTHS, Shares
from nacc.text.stem import base
from nacc.text.words import Sentence

_SOON = {each[:2]: each for each in govern.SOON}
_VERBS = (
    govern.REFUSALS | govern.REJECTIONS | govern.AVERTED | govern.ALLEGATIONS | govern.THOUGHT
    | govern.BELIEFS | govern.CLAIMING | govern.SAYS | govern.LIKELY | govern.PLANS | govern.TALKS
)  # fmt: skip
_CLAIMING = govern.BELIEFS | govern.CLAIMING
_DOES = frozenset("has have is are was were will".split())
_RULED = frozenset("ruled rules rule".split())
_DOUBTS = (
    govern.MODALS | govern.REPORTEDLY | govern.ALLEGED | govern.CONDITIONS
    | {first for first, *_ in govern.SOON} | govern.INVERTED | {"unconfirmed", "whether", "once"}
)  # fmt: skip


@kept
def governed(sentence: Sentence) -> tuple[Governed, ...]:
    """The governed words, in no order; a word may be governed in several ways."""
    return tuple(dict.fromkeys(_Reader(sentence).found()))


class _Reader(Shares):
    def found(self) -> Iterator[Governed]:
        for i, readers in enumerate(map(_readers, self.keys)):
            for read in readers:
                yield from read(self, i, self.keys[i])
        yield from self._by_question()

    def _by_verb(self, i: int, word: str) -> Iterator[Governed]:
        """What a verb keeps from being, or plans: «refused to resign», «threatens to sue»."""
        verb = self.bases[i]
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        places: Iterable[int]
        if word in _RULED and after == "out":
            ruled = not any(map(negates, self.keys[max(0, i - 2) : i]))
            places, mood = self.run(i + 2), Mood.NEGATED if ruled else Mood.POSSIBLE
        elif verb in govern.REFUSALS:
            found = self.infinitive(i + 1, near=4)
            places, mood = (
                (*found, *(k for each in found[:1] for k in self.thing(each))),
                Mood.NEGATED,
            )
        elif verb in govern.REJECTIONS:
            barred = (j for j in self.of(i + 1, ("from",), 1) if self.keys[j].endswith("ing"))
            places = (*self.infinitive(i + 1, near=8), *barred)
            mood = Mood.NEGATED
        elif verb in govern.AVERTED or (word.startswith("call") and after == "off"):
            places, mood = self.run(i + 2 if after == "off" else i + 1), Mood.NEGATED
        elif verb in govern.ALLEGATIONS and self.keys[i - 1 : i] != ("in",):
            places, mood = self.of(i + 1, ("of", "with"), 1), Mood.ALLEGED
        elif verb in govern.THOUGHT and after == "to":
            places, mood = self.infinitive(i + 1, near=1), Mood.ALLEGED
        elif claimed := self._claimed(i, after):
            places, mood = claimed, Mood.ALLEGED
        elif verb in govern.LIKELY and after == "to":
            places, mood = self.infinitive(i + 1, near=1), Mood.POSSIBLE
        elif verb in govern.PLANS or verb in govern.TALKS:
            near = i + 2 if after in ("on", "about", "over") else i + 1
            gerund = [j for j in self.run(near) if j == near and self.keys[j].endswith("ing")]
            asked = verb in govern.PLANS and self.keys[i - 1 : i] != ("as",)
            planned = self.infinitive(i + 1, near=5)[:1] if asked else []
            others = after != "to" and verb in govern.ASKS
            mood = Mood.WISHED if others or verb in govern.WISHES else Mood.PLANNED
            places = (*planned, *gerund)
        else:
            return
        for place in places:
            yield Governed(place, i, mood)

    def _claimed(self, i: int, after: str) -> list[int]:
        """What is no more than a belief or a claim: «believes that», «a man who said he was ill
        has died»."""
        verb, who = self.bases[i], "who" in self.keys[max(0, i - 2) : i]
        believed = verb in _CLAIMING or (who and verb in govern.SAYS)
        thought = verb in govern.THOUGHT and i > 0 and self.keys[i - 1] in govern.BE
        if not (believed and after in govern.SUBJECTS) and not (
            (believed or thought) and after == "that"
        ):
            return []
        start = i + 2 if after == "that" else i + 1
        verbs = self.verbs(start + 1, self.end(start))
        himself = who and verbs and self.keys[start] in govern.SUBJECTS
        ahead = range(verbs[0] + 1, verbs[-1]) if himself else ()
        does = (j for j in ahead if self.keys[j] in _DOES and self.keys[j - 1] != "and")
        end = next(does, len(self.keys))
        return [j for j in verbs if j < end]

    def _by_claim(self, i: int, _: str) -> Iterator[Governed]:
        """What somebody says of himself that he did not do: «says that he never asked»."""
        start = i + 2 if self.keys[i + 1 : i + 2] == ("that",) else i + 1
        said = self.keys[start : start + 3]
        if not said or said[0] not in govern.SUBJECTS:
            return
        never = "never" in said[1:2] or (said[2:] == ("not",) and said[1] in govern.DID)
        for place in self.heads(start + 2 if said[1] == "never" else start + 3) if never else ():
            yield Governed(place, i, Mood.ALLEGED)

    def _by_doubt(self, i: int, word: str) -> Iterator[Governed]:
        before = self.keys[i - 1] if i else ""
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if self.inverted(i):
            yield from self._condition(i)
        elif word in govern.MODALS and not (word == "may" and before in govern.BEFORE_MONTHS):
            mood = Mood.POSSIBLE if word in govern.PERHAPS else Mood.HEDGED
            heads = self.heads(i + 1)
            for place in heads if mood is Mood.POSSIBLE else heads[:1]:
                yield Governed(place, i, mood)
        elif word in govern.REPORTEDLY or (
            word in govern.ALLEGED and after not in ("of", "in", "to")
        ):
            opens = word in govern.REPORTEDLY and before in ("", *govern.BOUNDARIES)
            for place in (*self.heads(i + 1), *(self.verbs(i + 2, self.end(i)) if opens else ())):
                yield Governed(place, i, Mood.ALLEGED)
        elif word == "unconfirmed" and "according" in self.keys[max(0, i - 3) : i]:
            for place in self.verbs(self.sentence(i) + 1, i):
                yield Governed(place, i, Mood.ALLEGED)
        elif word == "whether" or (word == "if" and before in govern.ASKING):
            for place in self.verbs(i + 2, self.end(i + 1)):
                yield Governed(place, i, Mood.ASKED)
        elif word in govern.CONDITIONS and self.begins_condition(i):
            yield from self._condition(i)
        elif (soon := _SOON.get((word, after))) and self.conditional(i, soon):
            yield from self._condition(i + 1, words=len(soon))
        elif word == "once" and self.is_still_to_come(i):
            yield from self._condition(i)

    def _condition(self, i: int, words: int = 1) -> Iterator[Governed]:
        """What depends on the condition that the word at i stands for, or some words that the one
        before it begins."""
        start, end = (i, i + 1) if words == 1 else (i - 1, i - 1 + words)
        return (Governed(place, i, Mood.CONDITIONAL) for place in self.depending(start, end))

    def _by_question(self) -> Iterator[Governed]:
        """What a question that wants yes or no asks, after whom it asks about."""
        for first, _ in questions(self.keys):
            thing = self.keys[first] in ("have", "has") and self.keys[first + 1] in ("a", "an")
            if thing:
                continue
            content = [i for i in range(first + 1, self.end(first + 1)) if self.says(i)]
            about = 0 if self.keys[first + 1] in govern.SUBJECTS else 1
            advised = self.keys[first + 1] in ("you", "we", "i")
            for place in content[:1] if advised else content[about:]:
                if not self.words[place][0].isupper():
                    yield Governed(place, first, Mood.ASKED)


@remembered(50_000)
def _readers(word: str) -> tuple[Callable[[_Reader, int, str], Iterator[Governed]], ...]:
    """What to ask of a word: nothing, of most."""
    verb = base(word)
    asked = (
        (_Reader.by_negation, word in NO or word.endswith("n't")),
        (_Reader.by_denial, verb in DENYING or word in UNTRUE),
        (_Reader._by_verb, verb in _VERBS or word in _RULED or word.startswith("call")),
        (_Reader._by_doubt, word in _DOUBTS),
        (_Reader.by_less, word in LESS or verb in govern.ENDS or word.startswith(NTHS)),
        (_Reader.by_share, counts(word) or word in FEW),
        (_Reader.by_exception, word in BUT or word in ALMOST),
        (_Reader._by_claim, verb in govern.SAYS),
    )
    return tuple(read for read, wanted in asked if wanted)
