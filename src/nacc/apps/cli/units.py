"""`nacc units`: what a budget can be written in, and the budgets that have a name."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from nacc.apps.cli.columns import aligned
from nacc.length import PRESETS, UNITS


def units(
    *, as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False
) -> None:
    """List the units that budgets are written in, and the budgets that have a name.

    \b
    Examples:
      nacc units
      nacc fit "A long sentence ..." --max "12 words" --max 600px --for sms
    """
    if as_json:
        found = {
            "units": [
                {
                    "name": u.name,
                    "spellings": list(u.spellings),
                    "options": u.options,
                    "what": u.what,
                }
                for u in UNITS
            ],
            "presets": [
                {"name": p.name, "budget": p.budget, "what": p.what, "source": p.source}
                for p in PRESETS
            ],
        }
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return
    print('Units: --max "75 bytes", or --max 75 --unit bytes\n')
    print(aligned([(u.name, _also(u.spellings, u.name), u.what) for u in UNITS]))
    print("\nPresets: --for push, or --max push\n")
    print(aligned([(p.name, p.budget, p.what) for p in PRESETS]))


def _also(spellings: tuple[str, ...], name: str) -> str:
    return ", ".join(each for each in spellings if each and each != name)
