"""Unsupervised: search for the words of a sentence that make its best headline.

What it takes comes with nacc itself; only compressed input (.zst) needs an extra, which says so.
"""

from nacc.search.model import SearchModel
from nacc.search.run import Extract, search
from nacc.search.settings import SearchSettings

__all__ = ["Extract", "SearchModel", "SearchSettings", "search"]
