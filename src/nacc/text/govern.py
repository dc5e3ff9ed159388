"""The words that govern others: how a sentence says that something is not simply so."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from nacc.text.stem import bases_of


class Mood(Enum):
    """How something is said that is not simply stated."""

    NEGATED = "negated"
    DENIED = "denied"
    CONDITIONAL = "conditional"
    POSSIBLE = "possible"
    HEDGED = "hedged"
    ALLEGED = "alleged"
    PLANNED = "planned"
    ASKED = "asked"
    WISHED = "wished for"
    LESSENED = "lessened"
    COMPARED = "compared"
    PARTLY = "of a part"
    EXCEPTED = "with an exception"


class Governed(NamedTuple):
    """A word that is said with what governs it, or not at all: their places in the sentence."""

    place: int
    governor: int
    mood: Mood


BOUNDARIES = frozenset(
    ", ; : . ! ? -- – — ( ) -lrb- -rrb- \" “ ” `` '' but because although though while whereas "
    "after before since until despite amid".split()
)
BE = frozenset("be is are was were been being am 's 're".split())
AUXILIARIES = BE | frozenset("have has had having do does did will would to get gets got".split())
NOT = frozenset("not n't never cannot nor hardly barely scarcely rarely seldom".split())
NONE = frozenset("no neither none nobody nothing no-one".split())
NOT_REALLY = frozenset("only just merely least until before necessarily surprisingly".split())
IMPROBABLE = frozenset("unlikely impossible improbable inconceivable unthinkable".split())
"""Behind «not», these say that something may be."""
NO_NEGATION = frozenset(
    "doubt matter later fewer less more stranger secret wonder surprise better".split()
)
MODALS = frozenset("may might could would should".split())
PERHAPS = frozenset("may might could".split())
"""Those that say no more than that something is possible."""
WILL = MODALS | frozenset("will 'll can must".split())
CONDITIONS = frozenset("if unless provided assuming".split())
INVERTED = frozenset("should had were".split())
"""«Should it rain», «had it rained», «were it to rain»."""
SOON = (
    ("as", "soon", "as"),
    ("as", "long", "as"),
    ("so", "long", "as"),
    ("in", "case"),
    ("on", "condition"),
)
"""Conditions of several words."""
ASKING = frozenset("asked ask asks see wonder wondered know knows unclear say said decide".split())
REPORTEDLY = frozenset(
    "reportedly allegedly apparently possibly supposedly purportedly "
    "probably perhaps maybe presumably".split()
)
DETERMINERS = frozenset("a an the this that its his her their any no some all each new".split())
SUBJECTS = frozenset("i you he she it we they who".split())
ALLEGED = frozenset("alleged suspected purported".split())


REFUSALS = bases_of(
    "refuse fail failure decline unable unlikely reluctant unwilling forget neglect hesitate"
)
DENIALS = bases_of("deny denial refute disavow rebut retract recant contradict")
RUMOURS = bases_of("rumour rumor")
DISPUTES = bases_of("dispute contradict")
"""Denials where «that» follows: a disputed border denies nothing."""
UNTRUE = frozenset("untrue false wrong incorrect nonsense myth hoax fallacy misconception".split())
TRUE = frozenset("true right correct".split())
REJECTIONS = bases_of(
    "reject oppose avoid prevent stop block veto dismiss abandon resist bar keep discourage"
)
AVERTED = bases_of("cancel scrap avert foil thwart overturn quash annul")
ENDS = bases_of("end suspend halt")
"""What these are done to is over."""
NO_ENDS = bases_of("day week month season session quarter trading year match race game life career")
FEWER = frozenset("fewer less few little".split())
EDGES = frozenset("verge brink cusp".split())
"""«On the verge of»: not there yet."""
WISHES = bases_of("hope try attempt seek want consider aim mull weigh")
"""These plan what may come to nothing."""
SAYS = bases_of("say tell insist claim state maintain")
DID = frozenset("did had has have does do".split())
ASKS = bases_of("ask urge call want demand tell press beg advise")
"""These, of others: what they ask for is not theirs to do."""
PLANS = bases_of(
    "plan consider threaten want seek hope aim vow expect poised prepare intend offer "
    "propose urge ask call demand pledge promise mull weigh eye try attempt ready threat "
    "proposal warn hint contemplate bid scheduled"
)
LIKELY = bases_of("likely threaten")
"""These say no more than «may», before «to»."""
ALLEGATIONS = bases_of("accuse suspect allege charge indict")
CLEARED = frozenset("clears cleared acquits acquitted exonerated absolved absolves".split())
TALKS = bases_of("vote debate discuss negotiate")
CLAIMS = bases_of("claim accusation allegation report suggestion rumour rumor charge")
THOUGHT = bases_of("think believe claim report fear presume rumour rumor say appear seem allege")
BELIEFS = bases_of("believe think fear assume suspect")
CLAIMING = bases_of("claim allege")
GOES_ON = bases_of(
    "come expect want plan intend allow able seek try need go likely ready have agree"
)
VOTES = bases_of("vote decide rule advise argue")
BEFORE_MONTHS = frozenset("in on of by since until last next early late mid this".split())
LIGHT = bases_of("take make give put pay reach much begin start hold stage contain talk")
"""Verbs that say little without their object («did not take action»)."""
