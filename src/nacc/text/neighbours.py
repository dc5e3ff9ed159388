"""Words of an answer that do not follow one another: «to for», «a emergency», «cannot turning»."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from nacc.text import govern
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept
from nacc.text.questions import AUXILIARIES
from nacc.text.shape import shape
from nacc.text.stem import base
from nacc.text.tagged import DETERMINERS, PREPOSITIONS, has_content, is_adverb
from nacc.text.verbs import VERBS
from nacc.text.words import Sentence

BEFORE_THINGS = frozenset("a an the its their your our my".split())
BEFORE_NOUNS = PREPOSITIONS | DETERMINERS
OPENS = frozenset("if unless because although while when as that after before until".split())
"""Behind these, a verb needs somebody who does it."""
_NOT = govern.NOT | govern.NONE | {"without"}
_IS = frozenset("is are was were".split())
_NEAR = 6
"""How many words before a word «is» may stand that says it."""
_MODALS = govern.WILL - {"'ll"} | frozenset("shall cannot can't won't".split())
_DO = frozenset("do does did".split())
_OPENS_DEEDS = frozenset("before after while when until".split())
_THIRD = frozenset("it he she".split())
_TELLS = frozenset("urges tells lets allows enables encourages persuades convinces forces".split())
"""Between these and «to», somebody is named."""
_ARTICLES = BEFORE_THINGS | {"the", "no"}
_VOWELS = tuple(
    "a e i o und unp unc unk unl unr unm uns unv ups upp umb ulti ultr upr ugl urg".split()
)
_NO_VOWELS = ("eu", "one", "once", "uni")
_NEVER_AFTER_TO = frozenset("for of in on at by from with as after".split())
_NEVER_BEFORE_TO = OPENS - {"when", "as", "that"}
_LEADS = (
    BEFORE_THINGS
    | _IS
    | _MODALS
    | OPENS
    | _ARTICLES
    | PREPOSITIONS
    | _DO
    | _THIRD
    | frozenset("be been no not at to who".split())
)
_FOLLOWS = frozenset("'s ’s by to".split())
"""Of two words that do not follow one another, the first or the second is one of these."""


def odd_pairs(sentence: Sentence, said: Sequence[str]) -> Iterator[str]:
    """Words that do not follow one another."""
    if _LEADS.isdisjoint(said) and _FOLLOWS.isdisjoint(said):
        return
    known = pairs(sentence)
    for before, word, after in zip(said, said[1:], (*said[2:], ""), strict=False):
        if before not in _LEADS and word not in _FOLLOWS:
            continue
        small = (word in FUNCTION_WORDS and word.upper() not in sentence.words) or word == ","
        odd = (
            (before in ("be", "been") and _is_plain(sentence, word))
            or (word in ("'s", "’s") and before in AUXILIARIES)
            or (before == "no" and ("not", word) in known)  # «no true», of what is not
            or ((before, word) == ("at", "all") and _NOT.isdisjoint(said))
            or (before in _IS and _is_not(sentence, word))
            or (word == "by" and _is_plain(sentence, before) and _is_suffered(sentence, before))
            or (before in _MODALS and _leads_nowhere(sentence, before, word))
            or (before in _MODALS and _is_participle(sentence, word))
            or (before in _ARTICLES and _is_only_told(sentence, word, after))
            or (before == "of" and _follows_having(sentence, word))
            or (before in PREPOSITIONS and _is_ruled_otherwise(sentence, before, word))
            or (before == "who" and _follows_whose(sentence, word))
            or (before == "not" and _is_third(sentence, word))
            or (before in _OPENS_DEEDS and _is_new_deed(sentence, before, word))
            or (before in _THIRD and _is_bare_third(sentence, word))
            or (before == "no" and ("no", "longer") in known and ("no", word) not in known)
            or (before in OPENS and _is_bare(sentence, word))
            or (before in _DO and _DO.isdisjoint(sentence.keys) and word not in govern.NOT)
        )
        named = before in _MODALS and not (before == said[0] or _turns(sentence, before))
        if odd or (
            (before, word) not in known
            and (
                (small and (before in BEFORE_THINGS or before == "no"))
                or (before == "to" and (word in _NEVER_AFTER_TO or word == "long"))
                or (word == "to" and (before in _NEVER_BEFORE_TO or before in _TELLS))
                or (word == "whose" and before in PREPOSITIONS)
                or (before in ("a", "an") and _sounds_odd(before, word))
                or (named and _is_thing(sentence, word))
            )
        ):
            yield f"{before + ' ' + word!r}"


def _leads_nowhere(sentence: Sentence, modal: str, word: str) -> bool:
    """Whether no verb can follow: «will for», «could turning»; not «will no longer», nor what the
    source has so."""
    small = word in BEFORE_NOUNS or word in ("no", "and", "or", ",")
    small = small or (word.endswith("ing") and base(word) != word)
    here = modal in sentence.words or modal not in sentence.keys  # else maybe «Will», «May»
    return here and small and (modal, word) not in pairs(sentence)


def _is_bare(sentence: Sentence, word: str) -> bool:
    """Whether a verb stands where a clause opens, without whoever does it: «after cuts»."""
    source = shape(sentence)
    places = source.places.get(base(word), [])
    verb = bool(places) and all(source.is_told(i) for i in places)
    formed = word.endswith(("ed", "en", "ing"))  # «if needed», «after being»
    other = word not in source.keys  # else it may be a thing: «if shops»
    return verb and other and not formed


@kept
def pairs(sentence: Sentence) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(sentence.keys))


def _is_plain(sentence: Sentence, word: str) -> bool:
    """Whether it is a verb's plain form, of one that the source has in others: «be exchange»."""
    source = shape(sentence)
    places = source.places.get(base(word), [])
    formed = word.endswith(("ed", "en", "ing")) or word in source.keys
    return bool(places) and not formed and all(source.verbs[place] for place in places)


def _is_not(sentence: Sentence, word: str) -> bool:
    """Whether the source has a word, but nowhere not far behind a form of «be»."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word not in FUNCTION_WORDS else []
    near = (source.keys[max(0, place - _NEAR) : place] for place in places)
    return bool(places) and all((govern.BE | {","}).isdisjoint(keys) for keys in near)


def _is_suffered(sentence: Sentence, word: str) -> bool:
    """Whether the source tells a verb as suffered alone."""
    source = shape(sentence)
    return all(map(source.is_passive, source.places[base(word)]))


def _is_new_deed(sentence: Sentence, opens: str, word: str) -> bool:
    """Whether somebody else does what follows in the source: «escapes before landing»."""
    if not word.endswith("ing") or base(word) == word or base(word) in sentence.bases:
        return False
    follow = [b for a, b in pairs(sentence) if a == opens]
    return bool(follow) and not any(each.endswith("ing") for each in follow)


def _follows_whose(sentence: Sentence, word: str) -> bool:
    """«Who wife works», of «whose wife works»."""
    return "who" not in sentence.keys and ("whose", word) in pairs(sentence)


def _is_third(sentence: Sentence, word: str) -> bool:
    """«Not admits»."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word not in sentence.keys else []
    return word.endswith("s") and bool(places) and all(map(source.is_told, places))


def _turns(sentence: Sentence, modal: str) -> bool:
    """Whether it stands before its subject: in questions, and «should the river rise»."""
    return any(first == modal and after in DETERMINERS for first, after in pairs(sentence))


def _is_participle(sentence: Sentence, word: str) -> bool:
    """«Would flooded»."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word in sentence.keys else []
    return word.endswith("ed") and base(word) != word and any(map(source.is_passive, places))


def _is_bare_third(sentence: Sentence, word: str) -> bool:
    """«If it rain»."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word not in sentence.keys else []
    third = all(source.keys[i] == word + "s" and source.keys[i - 1] in _THIRD for i in places)
    return bool(places) and third


def _sounds_odd(article: str, word: str) -> bool:
    """«A emergency», «an car»; of what may be spelled out letter by letter, nothing is known."""
    vowel = word.startswith(_VOWELS) and not word.startswith(_NO_VOWELS)
    return vowel if article == "a" else word[:1] in tuple("bcdgjkpqtvwyz")


def _is_thing(sentence: Sentence, word: str) -> bool:
    """Whether the source has a word only as a thing: a name, or right behind an article."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word not in FUNCTION_WORDS else []
    named = all(i and source.words[i][0].isupper() for i in places)
    led = all(source.key(i - 1) in _ARTICLES for i in places)
    return (
        bool(places)
        and (named or (led and base(word) not in VERBS | govern.PLANS))
        and not is_adverb(word)
    )


def _is_only_told(sentence: Sentence, word: str, after: str) -> bool:
    """Whether a word is what somebody does, and stands for no thing here: «the voted on»."""
    source = shape(sentence)
    places = source.places.get(base(word), [])
    if not places or has_content(after) or not all(map(source.is_told, places)):
        return False
    return word.endswith("ed") and word in source.keys


def _follows_having(sentence: Sentence, word: str) -> bool:
    """«Accused of smuggled», of someone accused of having smuggled."""
    if "having" not in sentence.keys or word.endswith("ing"):
        return False
    source = shape(sentence)
    places = source.places.get(base(word), [])
    return bool(places) and all(source.keys[place - 1] == "having" for place in places)


def _is_ruled_otherwise(sentence: Sentence, preposition: str, word: str) -> bool:
    """Whether the source has something done behind another preposition: «from joining»."""
    if not word.endswith("ing") or base(word) == word or "from" not in sentence.keys:
        return False
    source = shape(sentence)
    places = source.places.get(base(word), [])
    return (
        preposition != "from" and bool(places) and all(source.keys[p - 1] == "from" for p in places)
    )
