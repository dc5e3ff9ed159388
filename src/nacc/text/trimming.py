"""Harmless shortenings of a text that is only just too long.

Each leaves the text as true as it was: nothing that denies, doubts, asks or sets a condition goes,
and an attribution goes only where the source is one that readers take at its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import regex

LONGEST = 2000
"""Characters."""
_SAID = r"(?:said|says|told reporters|reported|reports|announced|added)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = r"(?:\s+(?:morning|afternoon|evening|night))?"
_WHEN = rf"(?:\s+(?:late|early))?(?:\s+on)?\s+{_DAY}{_PART}"
_WHERE = r"\s+in\s+a\s+(?:\w+\s+)?(?:statement|report|tweet|filing|news\s+conference)"
_TRUSTED = (
    r"(?:police|officials?|authorities|spokes(?:man|woman|person)|company|ministry|minister|"
    r"government|department|agency|office|bureau|army|military|council|commission|bank|"
    r"state\s+media|news\s+agency|organi[sz]ers|firefighters|firm|carmaker|airline|study|"
    r"researchers|scientists|data|figures|statement|report|reports|survey|poll)"
)
_WHO = (
    rf"(?:he|she|it|they|(?:the\s+|a\s+|an\s+|its\s+|his\s+|her\s+|their\s+)?"
    rf"(?:[\w.'’-]+\s+){{0,4}}?{_TRUSTED})"
)
_ATTRIBUTION = regex.compile(
    rf"\s*,\s+(?:{_WHO}\s+{_SAID}(?:{_WHEN}|{_WHERE})*"
    rf"|according\s+to\s+(?:the\s+|a\s+|an\s+)?(?:[\w.'’-]+\s+){{0,4}}?{_TRUSTED}(?:{_WHEN})?)$",
    regex.IGNORECASE,
)
_TELLS = ("said", "says", "told", "reported", "reports", "announced", "added", "according")
_WEEKDAY = regex.compile(rf"\s+(?:(?:late|early)\s+)?on\s+{_DAY}{_PART}$", regex.IGNORECASE)
_ENDS = ("day", "ng", "noon", "ght")  # of a day, of a part of it
_DATELINE = regex.compile(
    r"^\p{Lu}[\p{Lu} .'’/-]+(?:,\s+[\p{L} .]+?)?(?:,?\s+\p{Lu}\p{L}{2,8}\.?\s+\d{1,2})?\s+"
    r"\((?:[\p{L}. ]*\b(?:AP|AFP|UPI|CNN|Reuters|Bloomberg|Xinhua|Kyodo|PTI|ANSA|TASS|Press|News)\b"
    r"[\p{L}. ]*)\)\s+(?:--?|–|—)\s+(?=\S)"
)
_PERCENT = regex.compile(r"(?<=\d)\s+per\s?cent\b(?![\w-])", regex.IGNORECASE)
_PARENTHESIS = regex.compile(r"(?<![,:;]|\band|\bor)\s+\(([^()\[\]]+)\)(?=[\s,.;:!?]|$)")
_ASIDE = regex.compile(
    r"(?:(?:[\p{Lu}\d$€£¥][\p{L}\p{M}\d.,:%$€£¥&/'’-]*|about|or|million|billion|trillion|and|of|the|"
    r"miles?|km|kilomet(?:er|re)s?|pounds?|euros?|dollars?|feet|met(?:er|re)s?|kg|lbs?|percent)"
    r"(?:\s+(?!$)|$))+"
)
"""What says the same again or adds a detail: names, figures, units."""
_GAP, _COMMA, _STOP = (regex.compile(each) for each in (r"\s{2,}", r",\s+", r"[.!?…]\s+"))
_SHORT_NAMES = ("WHO", "US", "U.S.")
_ABBREVIATED = regex.compile(
    r"(?:\p{L}\.\p{L}|\b(?:\p{Lu}|[JS]r|Inc|Corp|Co|Ltd|etc|Bros|[ap]\.m))$"
)
_LONGEST_ABBREVIATED = 4
_DOUBT = regex.compile(
    r"(?:\b(?:not|no|never|nor|neither|none|nobody|nothing|without|if|unless|whether|except|only|but|"
    r"i|we|my|our|me|us|you|your|what|why|how|who|den(?:y|ies|ied)|alleged(?:ly)?|accused|suspected|"
    r"guilty|innocent)\b|n['’]t\b|[?\"“”«»„`]|(?<!\w)['‘]|(?<![sS])['’](?!\w))",
    regex.IGNORECASE,
)
_LATER = regex.compile(
    r"\b(?:is|are|am|will|shall|would|can|could|may|might|must|should|to|plans?|due|has|have)\b",
    regex.IGNORECASE,
)
_FINITE = regex.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|may|might|must|"
    r"should|said|rose|fell|won|lost|beat|met|made|took|came|went|left|began|became|held|hit|cut|"
    r"set|led|fled|shot|killed|died|broke|drew|found|gave|got|grew|kept|knew|paid|ran|saw|sent|sold|"
    r"spoke|stood|struck|told|thought|threw|wrote|\p{L}{2,}ed)\b",
    regex.IGNORECASE,
)
_BEGINS_LESS = regex.compile(
    r"(?:if|unless|when|while|although|though|because|since|as|after|before|until|whether|for|in|"
    r"at|on|by|with|despite|to)\b",
    regex.IGNORECASE,
)


def trimmings(text: str) -> Iterator[str]:
    """Shorter and shorter versions, least changed first, each made from the one before; none of a
    text so long that a few words less do not matter."""
    if len(text) > LONGEST:
        return
    while (shorter := next((new for s in _STEPS if (new := s(text)) != text), None)) is not None:
        text = shorter
        yield text


def has_verb(text: str) -> bool:
    """Whether a verb that is no mere infinitive is seen in it."""
    return _FINITE.search(text) is not None


def _single_spaced(text: str) -> str:
    if text.isprintable() and "  " not in text:  # which no other space is
        return text.strip()
    return str(_GAP.sub(" ", text.strip()))


def _without_stop(text: str) -> str:
    bare = text[:-1].rstrip()
    one_stop = text.endswith(".") and not bare.endswith((".", "?", "!", "…", ","))
    last = max(0, len(bare) - _LONGEST_ABBREVIATED)
    return bare if one_stop and bare and not _ABBREVIATED.search(bare, last) else text


def _with_percent_signs(text: str) -> str:
    return str(_PERCENT.sub("%", text)) if "cent" in text.lower() else text


def _without_dateline(text: str) -> str:
    return str(_DATELINE.sub("", text)) if "(" in text else text


def _without_parenthesis(text: str) -> str:
    """Without the last one that is an aside: «(AP)», «($1.1 billion)», not «(unaudited)»."""
    for found in reversed(list(_PARENTHESIS.finditer(text)) if "(" in text else []):
        doubtful = found[1] not in _SHORT_NAMES and _DOUBT.search(found[1])
        if len(found[1]) > 1 and _ASIDE.fullmatch(found[1]) and not doubtful:
            return text[: found.start()] + text[found.end() :]
    return text


def _without_attribution(text: str) -> str:
    comma = text.rfind(",")  # there is none in it but the first
    if comma < 0 or not _may_tell(text[comma:].lower()):
        return text
    found = _ATTRIBUTION.search(text, len(text[:comma].rstrip()))
    return text[: found.start()] if found and _is_plain_clause(text[: found.start()]) else text


def _may_tell(text: str) -> bool:
    return not text.isascii() or any(word in text for word in _TELLS)


def _without_weekday(text: str) -> str:
    found = _WEEKDAY.search(text) if text.rstrip().lower().endswith(_ENDS) else None
    if not found:
        return text
    kept = text[: found.start()]
    plain = _is_plain_clause(kept) and not _LATER.search(_last_sentence(kept))
    return kept if plain else text


def _is_plain_clause(text: str) -> bool:
    """Whether the last sentence is a whole statement that nothing turns or limits."""
    last = _last_sentence(text)
    main = _COMMA.split(last)[-1] if _BEGINS_LESS.match(last) else last
    whole = len(main.split()) > 2 and _FINITE.search(main) and not _BEGINS_LESS.match(main)
    return bool(whole) and not _DOUBT.search(text) and text.count("(") == text.count(")")


def _last_sentence(text: str) -> str:
    return str(_STOP.split(text)[-1])


_STEPS: tuple[Callable[[str], str], ...] = (
    _single_spaced,
    _without_stop,
    _with_percent_signs,
    _without_dateline,
    _without_parenthesis,
    _without_attribution,
    _without_weekday,
)
