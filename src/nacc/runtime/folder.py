"""The models that come with the package, and how any model is named."""

from __future__ import annotations

from pathlib import Path

from nacc.errors import BadModel

PACKAGED = Path(__file__).parents[1] / "weights"


def packaged() -> list[Path]:
    """The folders of the models that come with the package."""
    return sorted(path for path in PACKAGED.iterdir() if path.is_dir())


def model_folder(model: str | Path | None) -> Path:
    """Where a model lies: a packaged one, by its name, or any by its path ("./name" if need be)."""
    names = [folder.name for folder in packaged()]
    if model is None or str(model) in names:
        return PACKAGED / str(model or "default")
    if not Path(model).is_dir():
        known = ", ".join(names)
        raise BadModel(f"there is no model folder at {model}; models by name: {known}")
    return Path(model)
