"""Kind that people write (a recipe, a model's shape), checked by the types they are given.

pydantic checks; what is wrong is said in the user's words: which setting, what it must be and what
it is. A type of setting brings those words with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import (
    BeforeValidator,
    Field,
    Strict,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

Kind = TypeVar("Kind")


def wanted(words: str) -> WrapValidator:
    """Whatever is wrong with a value, these words say what it must be."""

    def check(value: object, inner: ValidatorFunctionWrapHandler) -> object:
        try:
            return inner(value)
        except ValidationError:
            raise PydanticCustomError("wanted", "{words}", {"words": words}) from None

    return WrapValidator(check)


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, Strict(), wanted("a string")]
Flag = Annotated[bool, Strict(), wanted("true or false")]
Whole = Annotated[int, Strict(), wanted("a whole number")]
Count = Annotated[Whole, Field(ge=0)]
Size = Annotated[Whole, Field(ge=1)]
Number = Annotated[float, Strict(), wanted("a number")]
Amount = Annotated[Number, Field(ge=0)]
Rate = Annotated[Number, Field(ge=1e-12)]
_Share = Annotated[float, Strict(), Field(ge=0, lt=1)]
Share = Annotated[_Share, wanted("a number, at least 0 and below 1")]
TwoShares = Annotated[tuple[_Share, _Share], wanted("two numbers, at least 0 and below 1")]
Files = Annotated[
    tuple[Text, ...], BeforeValidator(_listed), wanted("a file name or a list of them")
]
Parts = Annotated[tuple[Text, ...], wanted("a list of strings")]
Names = Annotated[dict[str, Text], wanted("a table of strings")]
Counts = Annotated[dict[str, Whole], wanted("a table of whole numbers")]
Nested = Annotated[dict[str, Any], wanted("a table")]


def checked(
    kind: type[Kind],
    values: object,
    error: Callable[[str], Exception],
    where: str = "",
    worded: str = "{name} must be {wanted}, got {value!r}",
) -> Kind:
    """The values as this kind of settings; or an error that says the first thing wrong."""
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as found:
        raise error(_sentence(found.errors(include_url=False)[0], kind, where, worded)) from None


def _sentence(found: ErrorDetails, kind: type, where: str, worded: str) -> str:
    *tables, name = found["loc"] or (kind.__name__.lower(),)
    if found["type"] == "dataclass_type":
        place = f"{where} [{name}]" if found["loc"] else where or str(name)
        return f"{place} must be a table of settings, got {found['input']!r}"
    for table in tables:
        kind = get_type_hints(kind)[str(table)]
        where += f" [{table}]"
    return (where and f"{where}: ") + _fault(found, kind, str(name), worded)


def _fault(found: ErrorDetails, kind: Any, name: str, worded: str) -> str:
    if found["type"] == "missing":
        return f"no {name} is given; write {name} = ..."
    if found["type"] == "unexpected_keyword_argument":
        known = ", ".join(field.name for field in fields(kind))
        return f"unknown setting {name!r}; known: {known}"
    about = found.get("ctx", {})
    words = found["msg"]
    if found["type"] == "greater_than_equal":
        words = f"at least {about['ge']:g}"
    elif found["type"] == "literal_error":
        words = str(about["expected"]).replace("'", "")
    return worded.format(name=name, wanted=words, value=found["input"])
