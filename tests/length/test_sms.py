"""Text messages: the alphabet is complete, segments are counted as networks count them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Budget
from nacc.length.measures import NEVER, Sms
from nacc.length.measures.sms import GSM_BASIC, GSM_EXTENSION, _Gsm7

# 3GPP TS 23.038 once more, by code points rather than by rows of its table.
ASCII = set(map(chr, range(0x20, 0x7F))) - set("`[\\]^{|}~")
LATIN_1 = bytes.fromhex("a1a3a4a5a7bfc4c5c6c7c9d1d6d8dcdfe0e4e5e6e8e9ecf1f2f6f8f9fc").decode(
    "latin-1"
)
GREEK = {chr(0x300 + low) for low in bytes.fromhex("93 94 98 9b 9e a0 a3 a6 a8 a9")}


def test_the_gsm_alphabet_is_complete():
    assert ASCII | set(LATIN_1) | GREEK | {"\n", "\r"} == GSM_BASIC
    assert len(GSM_BASIC) == 127  # and the escape to the extension table
    assert set("[\\]^{|}~€\f") == GSM_EXTENSION


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("", 0),
        ("a", 1),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 306, 2),
        ("a" * 307, 3),
        ("€" * 80, 1),
        ("€" * 81, 2),
        ("a" * 151 + "€" + "a" * 153, 2),
        ("a" * 152 + "€" + "a" * 151, 2),  # the escape pair moves to the second segment whole
        ("a" * 152 + "€" + "a" * 152, 3),  # 306 septets, one of the first 153 left empty
        ("ж" * 70, 1),
        ("ж" * 71, 2),
        ("ж" * 134, 2),
        ("ж" * 135, 3),
        ("a" * 69 + "ж", 1),
        ("a" * 70 + "ж", 2),
        ("👍" * 35, 1),
        ("👍" * 36, 2),
        ("👍" * 66, 2),  # 33 pairs a segment: one unit of 67 stays empty
        ("👍" * 67, 3),
        ("`", 1),
        ("`" + "a" * 70, 2),  # the grave accent alone is not GSM
    ],
)
def test_segments(text, segments):
    assert Sms().of(text) == segments


def test_one_plan_for_each_alphabet():
    gsm, any_alphabet = Budget.of("sms").plans()
    assert (gsm.room, any_alphabet.room) == (161, 71)
    pieces = [" plain", " 5€", " ж", "👍"]
    assert gsm.weigh(pieces).tolist() == [6, 4, NEVER, NEVER]
    assert any_alphabet.weigh(pieces).tolist() == [6, 3, 2, 2]


@settings(max_examples=300, deadline=None)
@given(
    text=st.text(alphabet="aé€[ж👍", max_size=500).filter(bool),
    segments=st.integers(1, 4),
)
def test_whatever_fills_the_room_of_a_plan_fits(text, segments):
    budget = Budget(segments, Sms())
    for plan in budget.plans():
        filled, left = "", plan.room - 1
        for character, weight in zip(text, plan.weigh(list(text)), strict=True):
            if weight <= left:
                filled, left = filled + character, left - int(weight)
        assert budget.fits(filled)


@given(st.text(st.sampled_from("ab €^{é👍汉"), min_size=60, max_size=400))
@settings(max_examples=300, deadline=None)
def test_segments_are_those_of_a_network_that_takes_character_after_character(text):
    gsm = set(text) <= GSM_BASIC | GSM_EXTENSION
    units = [1 + (c in GSM_EXTENSION if gsm else c > "\uffff") for c in text]
    segments, used = 1, 0
    for each in units:
        if used + each > (153 if gsm else 67):
            segments, used = segments + 1, 0
        used += each
    assert Sms().of(text) == (1 if sum(units) <= (160 if gsm else 70) else segments)


def test_a_long_message_is_counted_at_once(monkeypatch):
    """Not by its characters one by one: a megabyte has ten thousand parts, and few are alike."""
    asked = []
    units = _Gsm7._units
    monkeypatch.setattr(_Gsm7, "_units", lambda self, text: asked.append(1) or units(self, text))
    assert Sms().of("(" * 1_000_000) == -(-1_000_000 // 153)
    assert len(asked) == 1
