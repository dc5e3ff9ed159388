"""What a program fills in is found in texts, and what people write is not taken for it."""

from __future__ import annotations

import time

import pytest

from nacc.text.placeholders import between_markup, outermost, placeholders


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi {name}, {0} and {{ user.name }}", ["{name}", "{0}", "{{ user.name }}"]),
        (
            "{n, plural, one {# day} other {# days}} left",
            ["{n, plural, one {# day} other {# days}}"],
        ),
        ("${a} %{b} #{c}", ["${a}", "%{b}", "#{c}"]),
        (
            "%s %d %1$s %2$@ %@ %.2f %5d %-8s %lld %x %%",
            "%s %d %1$s %2$@ %@ %.2f %5d %-8s %lld %x %%",
        ),
        ("%(name)s, %<n>d and %#@days@", ["%(name)s", "%<n>d", "%#@days@"]),
        ("$t(common.ok) it is", ["$t(common.ok)"]),
        ('<a href="%s">x</a><br/><!-- c -->', ['<a href="%s">', "</a>", "<br/>", "<!-- c -->"]),
        ("a&nbsp;b &#8230; &#x2026;", ["&nbsp;", "&#8230;", "&#x2026;"]),
        ("[the docs](https://x.org/a_b) ![i](p.png) [r][1]", None),
        ("**bold** and *it* and _so_ and ~~no~~", ["**"] * 2 + ["*"] * 2 + ["_"] * 2 + ["~~"] * 2),
        ("**a _b_ {c}**", ["**", "_", "_", "{c}", "**"]),
        ("`code` here", ["`code`"]),
        ("un { closed } } too", ["{ closed }", "}"]),
        ("{ {a}", ["{", "{a}"]),
    ],
)
def test_placeholders_are_found_whole_and_in_order(text, found):
    links = ["[the docs](https://x.org/a_b)", "![i](p.png)", "[r][1]"]
    expected = found.split() if isinstance(found, str) else links if found is None else found
    assert placeholders(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Prices rose 14.2% in May, 100% more than the 50% of April",
        "AT&T and R&D cost $5 million & more; 3 < 4 and 5 > 2",
        "2 * 3 * 4 and a*b*c, snake_case_name",
        "He said [sic] that (a) it's 50/50 #1 @home",
        "It’s 5 o'clock – «so» “what”?",
    ],
)
def test_what_people_write_is_no_placeholder(text):
    assert placeholders(text) == []


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("  <p><b>Hello</b> </p>\n", "Hello"),
        ("**_Hello there_**", "Hello there"),
        ("Hello<br/>", "Hello"),
        ("<b>Note</b> hello", "<b>Note</b> hello"),
        ("<p><b>Note</b> hello</p>", "<b>Note</b> hello"),
        ("<p>a</p><p>b</p>", "<p>a</p><p>b</p>"),
        ("<p>never closed", "never closed"),
        ("{name} says hello", "{name} says hello"),
        ("<br/>", "<br/>"),
        ("   ", "   "),
    ],
)
def test_what_stands_around_a_text(text, core):
    start, end = between_markup(text)
    assert text[start:end] == core


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{a} <b>so {b}</b>", [("{a}", None), ("<b>so {b}</b>", "so {b}")]),
        ("**a _b_** [c](d)", [("**a _b_**", "a _b_"), ("[c](d)", "c")]),
        ("<b>a <b>b</b> c</b>", [("<b>a <b>b</b> c</b>", "a <b>b</b> c")]),
        ("a<br/>b </i>", [("<br/>", None), ("</i>", None)]),
    ],
)
def test_what_encloses_is_found_with_what_it_encloses(text, found):
    told = [(text[o.start : o.end], o.inner and text[slice(*o.inner)]) for o in outermost(text)]
    assert told == found


@pytest.mark.parametrize(
    "piece", ["{", "}", "<", "<!--", "*", "**a", "[", "`", "&", "%", "_a_ ", "{a}", "<b>"]
)
def test_no_text_takes_long(piece):
    started = time.perf_counter()
    placeholders(piece * 20_000)
    between_markup(piece * 20_000)
    assert time.perf_counter() - started < 2
