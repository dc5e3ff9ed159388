"""English words that carry grammar rather than content: a headline should not end on one."""

FUNCTION_WORDS: frozenset[str] = frozenset(
    """
    a an the this that these those each every either neither no any some such both all
    i me my we us our you your he him his she her it its they them their who whom whose which what
    of in on at by for from to with without within into onto upon about above across after against
    along amid among around as before behind below beneath beside besides between beyond despite
    down during except inside like near off out outside over past per since through throughout
    toward towards under until unto up via versus vs amidst
    and or but nor so yet if because although though while whereas unless than whether when where
    why how
    am is are was were be been being has have had having do does did doing
    will would shall should can could may might must ought
    not n't 's ' ’s 'll 're 've 'd 'm
    """.split()
)
"""Lower case; used to refuse dangling ends and to tell content words from the rest."""
