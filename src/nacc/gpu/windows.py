"""Texts of several sentences on their way: which of them is told is chosen once the device has read
their windows (`article`), each a row of its own beside the sentences, numbered below 0."""

from __future__ import annotations

from dataclasses import dataclass, field

from nacc.fitting.article import About, Article, Links, together
from nacc.fitting.reading import Prompt
from nacc.runtime.folder import Told


@dataclass(frozen=True, eq=False)
class Unread:
    """Which text of a lot, and what is known of its windows."""

    which: int
    text: str
    article: Article
    read: dict[int, Links] = field(default_factory=dict)

    def prompts(self, told: Told) -> list[Prompt]:
        """What is read of it."""
        sentences = self.article.sentences
        words = [together([sentences[n] for n in each.numbers]) for each in self.article.windows]
        return [Prompt(self.text, each, truncated=False, told=told) for each in words]

    def about(self) -> About | None:
        """What the text is about, once all is read."""
        if len(self.read) < len(self.article.windows):
            return None
        return self.article.about([self.read[n] for n in sorted(self.read)])


class Windows:
    """Those of a desk that are being read, by lot and row."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int], tuple[Unread, int, Prompt]] = {}

    def add(self, lot: int, texts: list[Unread], told: Told) -> dict[int, Prompt]:
        """The windows of a lot's texts, by row."""
        rows: dict[int, Prompt] = {}
        for text in texts:
            for number, prompt in enumerate(text.prompts(told)):
                row = -1 - len(rows)
                rows[row] = prompt
                self._waiting[lot, row] = text, number, prompt
        return rows

    def pop(self, lot: int, row: int) -> tuple[Unread, int, Prompt]:
        """One that was read: of which text, which of its windows, and what was asked."""
        return self._waiting.pop((lot, row))


def put_off(articles: list[Article], article: Article) -> About:
    """To be chosen from later; the first sentence until then."""
    articles.append(article)
    return 0, article.sentences[0]


def settled_on(about: About, _: Article) -> About:
    return about
