"""Stems and roots: which words are forms of one."""

from __future__ import annotations

import pytest

from nacc.text.stem import base, porter, root, stem


@pytest.mark.parametrize(
    ("word", "by_porter", "for_rouge", "rooted"),
    [
        ("marched", "march", "march", "march"),
        ("says", "sai", "sai", "sai"),
        ("said", "said", "say", "sai"),
        ("children", "children", "child", "child"),
        ("us", "u", "us", "us"),
        ("####", "####", "####", "####"),
    ],
)
def test_a_word_has_three_forms(word, by_porter, for_rouge, rooted):
    assert (porter(word), stem(word), root(word)) == (by_porter, for_rouge, rooted)


def test_news_is_not_new():
    assert base("news") != base("new")
