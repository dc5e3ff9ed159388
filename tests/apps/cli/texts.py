"""Sentences to work on."""

COUNCIL = (
    "The city council voted on Monday night to close the Harbour Street bridge for eighteen months."
)
SQUID = (
    "Scientists in Bergen said on Friday that they had found a squid that glows in four colours."
)
RAIL = (
    "European Union leaders agreed on Thursday to spend 150 billion euros on new railways, saying "
    "that fast trains should replace most short flights by 2040."
)
