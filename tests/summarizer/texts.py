"""What the Summarizer is tried on."""

from nacc.runtime.folder import PACKAGED, config

NEWS = [
    "The ferry Santa Lucia ran aground off Sardinia early on Sunday with 212 people on board, and "
    "rescuers took everyone to safety before nightfall, the coast guard said.",
    "Dutch brewer Van Houten agreed to buy Chilean rival Cerveza Austral for $2.3 billion, a deal "
    "that would make it the second-largest beer company in South America.",
    "Shares in chipmaker Norvex fell 12% on Thursday after the company cut its sales forecast for "
    "the second time this year, blaming weak demand for laptops.",
    "“We will not raise taxes,” Finance Minister David Osei told parliament on Tuesday as he "
    "presented a budget that raises pensions by 4 percent.",
    "Germany's largest steelmaker said on Monday it would invest 850 million euros in a furnace "
    "that runs on hydrogen rather than coal, with first production expected in 2027.",
    "The city council voted 7-2 on Tuesday night to turn the old Riverside post office into a "
    "public library and community kitchen.",
]
TOKENIZED = [
    "UNK , the chairman of the country 's largest bank , resigned on tuesday after losses of "
    "#.# billion dollars , UNK said .",
    "the <unk> river rose ## centimeters overnight and flooded parts of the old town .",
]
LINKED = bool(config(PACKAGED / "default")["shape"].get("slots"))
"""Whether the packaged model's slots are linked; then there is one method for it."""
METHODS = ("linked",) if LINKED else ("greedy", "truncate", "bucketed", "exact", "coherent")
TIDY = tuple(method for method in METHODS if method in ("exact", "coherent", "linked"))
