"""The words with which an answer may say what its source does not simply state: for each mood, the
bases of those that keep it from being stated."""

from __future__ import annotations

from nacc.text.govern import Mood
from nacc.text.stem import bases_of

UNDONE = bases_of(
    "fail refuse deny reject decline denial refusal acquit unable stop avoid lack "
    "miss block halt delay scrap cancel zero doubt ban instead resist innocent false "
    "dismiss oppose veto prevent postpone abandon yet refute absence spurn snub shun rebuff nix "
    "avert unlikely forgo skip quash almost nearly close near thwart foil threat overturn"
)
_UNSURE = bases_of(
    "may might could would should will can if unless whether likely possible possibly expect mull "
    "consider weigh seek want hope plan threat threaten risk fear warn chance potential forecast "
    "predict propose proposal bid call urge vow pledge due hint set aim offer ask demand prepare "
    "poised ready try attempt suggest question promise need must intend option eye estimate see"
)
_DOUBTFUL = bases_of(
    "may might could if whether likely possible possibly perhaps maybe probably expect threat "
    "threaten risk fear warn chance potential hint suggest question"
)
_PERHAPS = _DOUBTFUL | bases_of(
    "can would should unless mull consider weigh hope forecast predict propose proposal option eye "
    "estimate talk ready poised plan seek bill moot call vow head brace"
)
_ONLY_IF = bases_of(
    "if unless may might could would should threat threaten risk fear warn possible possibly "
    "likely potential chance whether consider condition hint hope pending until "
    "once when case ready face"
)
_CLAIMED = bases_of(
    "reportedly report allegedly alleged allege accuse suspicion charge claim say probe "
    "case trial face indict court investigate inquiry allegation accusation plead blame sue "
    "lawsuit apparent apparently appear seem think believe fear "
    "presume rumour rumor clear acquit may might could possible deny guilty convict"
)
LESS = UNDONE | bases_of(
    "few fewer less lower drop fall cut reduce decline down end over after back resume return "
    "suspend lift second third within verge brink finish cease"
)
LESSER = bases_of("less slow slower few fewer low lower small smaller miss lag short weak weaker")
"""What is not as much as something else may be told so."""
LICENCES: dict[Mood, frozenset[str]] = {
    Mood.NEGATED: UNDONE,
    Mood.DENIED: UNDONE,
    Mood.CONDITIONAL: _ONLY_IF | UNDONE,
    Mood.POSSIBLE: _PERHAPS | UNDONE | _CLAIMED,
    Mood.HEDGED: _UNSURE | UNDONE,
    Mood.PLANNED: _UNSURE | UNDONE | _CLAIMED,
    Mood.ALLEGED: _CLAIMED | _UNSURE - bases_of("eye would"),
    Mood.ASKED: _UNSURE | UNDONE,
    Mood.WISHED: (_UNSURE | UNDONE | _CLAIMED) - bases_of("will set due"),
    Mood.LESSENED: LESS,
    Mood.COMPARED: LESSER | bases_of("as than"),
    Mood.PARTLY: bases_of("some many most few half third quarter part percent pct % minority only"),
    Mood.EXCEPTED: bases_of("most nearly almost but except bar save excluding apart other"),
}
