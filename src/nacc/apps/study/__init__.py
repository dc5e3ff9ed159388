"""The page of a study: which of two headlines is better, asked of people who cannot know whose.

Nothing that it serves names a system or tells a check from a pair; results are for the command
line (`nacc study FILE --results`). Needs the [serve] extra.
"""

from nacc.errors import requires

requires("a study", "serve", "starlette", "uvicorn")
