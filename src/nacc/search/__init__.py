"""The unsupervised teacher: search for the words of a sentence that make its best headline."""

from nacc.search.run import Extract, search
from nacc.search.teacher import Teacher

__all__ = ["Extract", "Teacher", "search"]
