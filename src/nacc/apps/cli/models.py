"""`nacc models`: the models there are, what they can read, and whether their files are intact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from nacc.apps.cli.columns import aligned
from nacc.runtime.folder import conditions, config, damaged, model_folder, packaged


def models(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MODEL",
            show_default=False,
            help="Models, by folder or packaged name. None: all packaged ones.",
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object for each model.")] = False,
) -> None:
    """Show models: their size, what they read and say, and whether their files are intact.

    \b
    Examples:
      nacc models
      nacc models runs/mine/onnx --json

    \b
    Exit codes:
      0    all are intact
      1    a file of a model is missing or not what it was
      2    a folder holds no model
    """
    shown = [model_folder(folder) for folder in folders or packaged()]
    found = [_described(folder) for folder in shown]
    for model in found:
        if as_json:
            print(json.dumps(model, ensure_ascii=False))
        else:
            print(f"{model['name']}\n{aligned(_lines(model))}")
    if any(model["damaged"] for model in found):
        raise typer.Exit(1)


def _described(folder: Path) -> dict[str, Any]:
    """What the folder's config.json says, and which of its files do not match their checksum."""
    said = config(folder)
    shape, known = said["shape"], conditions(folder)
    return {
        "name": folder.name,
        "path": str(folder.resolve()),
        "bytes": sum(path.stat().st_size for path in folder.iterdir() if path.is_file()),
        "format": said["format"],
        "precision": said.get("precision"),
        "max_words": said["max_words"],
        "vocabulary": shape["words"],
        "copies": shape.get("copy"),
        "extracts": shape.get("extract", False),
        "candidates": said.get("top_k"),
        "layers": shape.get("layers"),
        "width": shape.get("width"),
        "coherent": (folder / "bigrams.npz").exists(),
        "slots": shape.get("slots", 0),
        "reranks": (folder / "scorer.onnx").exists(),
        "styles": list(known.styles) if known else [],
        "damaged": damaged(folder, said.get("sha256", {})),
    }


def _lines(model: dict[str, Any]) -> list[tuple[str, str]]:
    says = f"{model['vocabulary']:,} words"
    if model["extracts"]:
        says = "the text's own words, in order"
    elif model["copies"]:
        says += ", and any word of the text"
    methods = "all but linked" if model["coherent"] else "all but linked and coherent"
    if model["slots"]:
        methods = "linked, re-ranked" if model["reranks"] else "linked"
    return [
        ("reads", f"{model['max_words']} words of a text"),
        ("says", says),
        ("network", f"{model['layers']} layers, width {model['width']}, {model['precision']}"),
        ("candidates", f"{model['candidates']} a slot"),
        ("methods", methods),
        *([("styles", ", ".join(model["styles"]))] if model["styles"] else []),
        ("size", f"{model['bytes'] / 1e6:.1f} MB"),
        ("files", "damaged: " + ", ".join(model["damaged"]) if model["damaged"] else "intact"),
        ("folder", model["path"]),
    ]
