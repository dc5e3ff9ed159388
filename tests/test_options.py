"""What may be asked for: checked once, where it is said; the rest is as the model's folder says."""

from __future__ import annotations

from copy import copy
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction

import numpy as np
import pytest

from nacc import BadModel, InvalidOption, Options, Summarizer
from nacc.options import CHOICES, Settled

TEXT = (
    "Dutch brewer Van Houten agreed to buy Chilean rival Cerveza Austral for $2.3 billion, a deal "
    "that would make it the second-largest beer company in South America."
)


def told(model: Summarizer, **generation) -> Summarizer:
    """The same model with other words in its folder about generation."""
    engine = copy(model.engine)
    engine.config = {**engine.config, "generation": generation}
    return Summarizer(engine)


def test_options_are_frozen_and_say_nothing_unless_told():
    options = Options()
    assert all(getattr(options, each.name) in (None, ()) for each in fields(Options))
    with pytest.raises(FrozenInstanceError):
        options.fill = 0.5


def test_a_number_of_any_kind_is_one_of_pythons_own():
    """Else a kernel is compiled anew for it, ten seconds long, or cannot be."""
    for value in (0, Fraction(1, 2), np.float32(0.5), np.float64(0.5), np.int64(1)):
        for name in ("fill", "expected_words", "at_least"):
            options = Options(**{name: value}).settled(Options())
            assert type(getattr(options, name)) is float and getattr(options, name) == value
    assert type(Options(rerank=np.int64(3)).settled(Options()).rerank) is int


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("method", "magic", "unknown method 'magic'; known: greedy"),
        ("case", "UPPER", "unknown case 'UPPER'; known: sentence"),
        ("sentences", "last", "unknown sentences 'last'"),
        ("at_least", -1, "at_least = -1 must be a number of at least 0"),
        ("at_least", "much", "at_least = 'much'"),
        ("at_least", float("inf"), "inf"),
        ("fill", 1.5, "fill = 1.5 must be a number between 0 and 1"),
        ("fill", float("nan"), "nan"),
        ("fill", True, "True"),
        ("coherence", 11, "between 0 and 10"),
        ("bucket", 2.5, "whole number"),
        ("bucket", 0, "bucket = 0"),
        ("alternatives", 0, "alternatives = 0"),
        ("alternatives", 101, "alternatives = 101 must be a whole number between 1 and 100"),
        ("faithful", "yes", "True or False"),
        ("extract", 1, "True or False"),
        ("style", 7, "style = 7 must be a name"),
        ("rerank", 2.5, "whole number"),
        ("rerank", 101, "between 0 and 100"),
        ("rewrite", "never", "unknown rewrite 'never'; known: needed, always"),
        ("fallback", "guess", "known: lead, error"),
        ("min_confidence", 1.5, "between 0 and 1"),
        ("required", [5], "a word or a list of words"),
        ("required", ["a"] * 4, "4 required words"),
        ("required", "a" * 1001, "a required word has more than 1000 characters"),
        ("required", ["unk"], "never said"),
        ("forbidden", 7, "7"),
        ("forbidden", ["rain", "*"], "holds an empty word"),
        ("forbidden", ["\u009e"], "holds an empty word"),  # nothing that could be seen
        ("required", "\u200b", "holds an empty word"),
        ("flavour", "sweet", "unknown option 'flavour'; known: method, at_least"),
    ],
)
def test_what_no_text_could_have_is_refused_by_name(name, value, named):
    with pytest.raises(InvalidOption) as refused:
        Options.of({name: value})
    assert named in str(refused.value)
    assert refused.value.name == name


def test_one_word_is_a_list_of_one():
    assert Options(required="rain", forbidden=["sun"]).required == ("rain",)


def test_a_word_cannot_be_both_required_and_forbidden():
    with pytest.raises(InvalidOption, match="Rain"):
        Options(required="Rain", forbidden="rain")


@pytest.mark.parametrize("asked", [{"alternatives": 2}, {"required": ("beer",)}])
def test_what_a_method_cannot_do_is_refused_naming_those_that_can(asked):
    with pytest.raises(
        InvalidOption, match="needs method exact or coherent or linked, not bucketed"
    ):
        Options(method="bucketed", **asked).settled(Options())


def test_an_extract_needs_links():
    with pytest.raises(InvalidOption, match="extract needs method linked, not exact"):
        Options(method="exact", extract=True).settled(Options())


def unlinked(linked: Summarizer) -> Summarizer:
    """The same model, had it no links and no conditions."""
    engine = copy(linked.engine)
    engine.config = {"shape": {"words": 16}}
    engine.conditions = None
    return Summarizer(engine)


def test_a_method_for_other_slots_is_refused_naming_those_for_these(linked):
    with pytest.raises(InvalidOption, match="method linked is none for this model: use greedy or"):
        unlinked(linked).summarize(TEXT, method="linked")
    with pytest.raises(InvalidOption, match="exact is none for this model: use linked") as refused:
        linked.summarize(TEXT, method="exact")
    assert refused.value.name == "method"


def test_styles_are_the_models(linked):
    with pytest.raises(InvalidOption, match="'loud' is none of this model: its styles are wire"):
        linked.summarize(TEXT, style="loud")
    with pytest.raises(InvalidOption, match="it has no styles") as refused:
        unlinked(linked).summarize(TEXT, style="wire")
    assert refused.value.name == "style"


def test_none_is_what_the_folder_says_and_else_what_the_package_does():
    folder = Options(fill=0.5, case="title", method="exact")
    settled = Options(case="lower", at_least=None).settled(folder)
    assert (settled.fill, settled.case, settled.method) == (0.5, "lower", "exact")
    assert settled.coherence == Settled().coherence
    assert Options(fill=0.0).settled(folder).fill == 0.0  # nothing is not None


def test_a_settled_one_leaves_nothing_open_but_floor_tidiness_and_style():
    open_fields = {each.name for each in fields(Settled) if getattr(Settled(), each.name) is None}
    assert open_fields == {"at_least", "tidy", "style"}


def test_every_option_says_what_it_is_for():
    for each in fields(Options):
        assert each.metadata["what"].endswith(".")
    assert set(CHOICES) == {"method", "case", "sentences", "rewrite", "fallback"}


@pytest.mark.parametrize("kind", ["model", "ctc"])
def test_the_folder_is_asked_by_every_way_in(kind, request):
    model = request.getfixturevalue(kind)
    asked = {"case": "title", "faithful": True, "fill": 0.5}
    titled = told(model, **{**model.engine.config["generation"], **asked})
    as_said = model.summarize(TEXT, **asked)
    assert as_said != model.summarize(TEXT)
    assert titled.summarize(TEXT) == as_said
    assert titled.alternatives(TEXT, 1) == [as_said]
    assert next(titled.each([TEXT])) == [as_said]
    assert titled.summarize(TEXT, case="lower").text == titled.summarize(TEXT).text.lower()


def test_options_and_keywords_say_the_same(model):
    assert model.summarize(TEXT, 40, options=Options(case="lower")) == model.summarize(
        TEXT, 40, case="lower"
    )
    with pytest.raises(ValueError, match="case"):
        model.summarize(TEXT, options=Options(), case="lower")


def test_a_folder_that_says_nonsense_is_a_bad_model(model):
    with pytest.raises(BadModel, match="generation: fill = 'full'"):
        told(model, fill="full")
    with pytest.raises(BadModel, match="generation: alternatives needs method"):
        told(model, method="greedy", alternatives=2)
    assert told(model, something_newer=1).summarize(TEXT)


def test_a_style_may_have_defaults_of_its_own(linked):
    said = linked.engine.config["generation"]
    styled = told(linked, **said, style="wire", styles={"web": {"fill": 0.2, "case": "lower"}})
    assert styled.settled(Options()).case == "sentence"
    web = styled.settled(Options(style="web"))
    assert (web.fill, web.case, web.method) == (0.2, "lower", said["method"])
    assert styled.settled(Options(style="web", case="title")).case == "title"  # asked comes first
    assert styled.settled(Options(style="any")).fill == said["fill"]
    asked = {"style": "web", "fill": 0.2, "case": "lower"}
    assert styled.summarize(TEXT, 40, style="web") == linked.summarize(TEXT, 40, **asked)
    usual = told(linked, **said, style="web", styles={"web": {"case": "lower"}})
    assert usual.settled(Options()).case == "lower"


@pytest.mark.parametrize(
    "styles",
    [{"web": {"fill": "full"}}, {"web": 3}, 3, {"web": {"method": "greedy", "extract": 1}}],
)
def test_styles_that_say_nonsense_are_a_bad_model(linked, styles):
    with pytest.raises(BadModel, match="generation"):
        told(linked, styles=styles)


def test_a_length_is_told_unless_it_is_not_to_be(linked):
    for told_length, known in ((True, True), (False, False)):
        options = Options(style="web", tell_length=told_length)
        (reading,) = linked.read([TEXT], 40, options)
        voice, length = reading.prompt.told
        assert voice == "herald" and (length is not None) == known
