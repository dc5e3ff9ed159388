"""stub until the decoding room arrives"""

from types import SimpleNamespace

_M = {
    "greedy": (False, False, True),
    "truncate": (False, False, False),
    "bucketed": (False, False, True),
    "exact": (True, True, True),
    "coherent": (True, True, True),
}


def methods() -> tuple[str, ...]:
    return tuple(_M)


def decoder(name: str) -> SimpleNamespace:
    k, r, w = _M[name]
    return SimpleNamespace(
        name=name,
        keeps_rules=k,
        ranks=r,
        whole_words=w,
        needs=frozenset(["bigrams"] if name == "coherent" else []),
    )


Decoder = SimpleNamespace
