"""Common verbs, by their bases, and kinds of them and of the nouns beside them."""

from __future__ import annotations

from nacc.text.stem import bases_of

_VERBS = """
accept accuse achieve acknowledge acquire act add address admit adopt advance advise agree aim
allow announce answer appeal appear appoint approve argue arrest arrive ask assess assume attack
attend attract avoid award back ban beat become begin believe belong block boost borrow break bring
build buy call cancel capture carry catch cause celebrate challenge change charge check choose claim
clear close collapse collect come compare compete complain complete concede condemn conduct confirm
consider contain continue contribute control convict cool cope cost count cover crash create
criticise criticize cross cut deal decide declare decline defeat defend delay deliver demand deny
depart deploy describe destroy detain determine develop die disappear discover discuss dismiss
divide donate draw drive drop earn ease eat elect eliminate employ enable encourage end enforce
ensure enter escape establish exceed exchange expand expect explain explode export express extend
face fail fall favour favor fear feel fight file fill find finish fire fix flee fly follow forbid
force forecast forget forgive form free fund gain gather get give go grant grow guarantee halt
handle hang happen harm hear help hide hire hit hold honor honour host hurt identify ignore impose
improve include increase injure insist install intend introduce invade invest investigate invite
issue join judge jump keep kill know lack land launch lead learn leave lend let lift like limit live
look lose love make manage mark marry match mean measure meet merge miss monitor mourn move name
negotiate note notify obtain occur offer open oppose order oust overcome overtake owe own pass pay
perform permit plan play plead pledge postpone praise predict prepare present press prevent proceed
produce promise promote propose protect protest prove provide publish pull punish purchase pursue
push put quit raise reach read rebuild receive recognise recognize recommend recover reduce refuse
reform regain regulate reject release relocate rely remain remember remove reopen repair repay
repeat replace report represent request require rescue resign resist resolve respond rest restart
restore restrict resume retain retire return reveal review rise risk rule run sack save say scrap
search seek seem seize sell send sentence serve set settle shake share shoot show shut sign sink
slash slow solve speak spend split sponsor stand start stay steal step stop strengthen strike
struggle study submit succeed suffer suggest sue supply support survive suspend swim take talk teach
tell tend terminate test think threaten throw tour track train transfer travel treat try turn
understand unveil urge use vacate veto visit vote vow wait walk want warn watch welcome win withdraw
witness work worry write yield
bake boil borrow chase clean contradict cook delete download fold lend marry mend mix outvote paint
park pour praise print remind rent scan stir store sublet swap translate unplug update upload wash
"""
_SAYING = """
say tell report think believe warn add claim argue insist announce show suggest find deny predict
know confirm admit reveal learn see hope fear expect estimate urge call
"""
_LIGHT = """
team rest group number university pair series range lot part most all one city bank half majority
some thousand dozen hundred million percent situation couple handful batch member kind type form
amount piece republic department ministry board end share total version edition family set cost
price sale use copy government head
"""


_ORGANS = """
government ministry minister president parliament army police court bank authority military navy
regulator team cabinet premier leader senate congress lawmaker official force troop state council
board company lender
"""


VERBS = bases_of(_VERBS)
"""What follows «to» and is none of them may be a place."""
SAME_FORM = frozenset("put set cut hit hurt shut split cast burst spread".split())
"""Participles that are no other form than the verb's own."""
SAYING = bases_of(_SAYING)
"""What follows these may have a subject of its own, without «that»."""
RETOLD = bases_of("say tell show find see know")
"""Of these, the subject is often told otherwise: «the company said»."""
RAISED = bases_of("expect think believe report fear say know estimate")
"""What is «expected to rise» may be told of what rises, or of whoever expects it."""
CLAIMING = SAYING - bases_of("announce deny show find confirm admit reveal learn")
"""After these, what follows is a clause's subject rather than an object."""
LIGHT = bases_of(_LIGHT)
"""Nouns that «of» follows without changing much: a team of engineers is engineers."""
ORGANS = bases_of(_ORGANS)
"""What acts in the name of its country or its city."""
CONTROL = bases_of(
    "allow let ask order urge permit force tell enable persuade require warn advise invite "
    "encourage instruct command convince"
)
"""With an object before «to», it is the object that is to do it."""
ANYBODY = bases_of(
    "user customer resident people person shareholder investor buyer client consumer"
)
"""Of what these may do with something, it may be told that it is to do it."""
