"""The page at /docs: the OpenAPI description, as plain HTML. It needs no script, and nobody else's
server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{title}: the API</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <header><h1>{title}</h1><p>The API, version {version}.
    <a href="./">The page</a> · <a href="openapi.json">openapi.json</a></p></header>
  <main class="reference">
{routes}
    <h2 id="shapes">Shapes</h2>
{shapes}
  </main>
</body>
</html>
"""

Schema = Mapping[str, Any]


def page(described: Schema) -> str:
    """HTML from what /openapi.json says."""
    routes = [
        "\n".join(_route(method, path, route))
        for path, methods in described["paths"].items()
        for method, route in methods.items()
    ]
    shapes = [
        "\n".join(_shape(name, shape))
        for name, shape in described["components"]["schemas"].items()
        if "properties" in shape
    ]
    info = described["info"]
    return PAGE.format(
        title=escape(info["title"]),
        version=escape(info["version"]),
        routes="\n".join(routes),
        shapes="\n".join(shapes),
    )


def _route(method: str, path: str, route: Schema) -> Iterator[str]:
    yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{_prose(route.get('description') or route.get('summary', ''))}</p>"
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {})
    if schema := body.get("schema"):
        yield from _fields(schema)
        for example in schema.get("examples", []):
            yield f"<pre>{escape(json.dumps(example, indent=1, ensure_ascii=False))}</pre>"
    yield "<table><tr><th>status</th><th>answer</th><th></th></tr>"
    for status, answer in route.get("responses", {}).items():
        kinds = (_kind(each.get("schema", {})) for each in answer.get("content", {}).values())
        what = _prose(answer.get("description", ""))
        yield f"<tr><td>{status}</td><td>{' or '.join(kinds)}</td><td>{what}</td></tr>"
    yield "</table></section>"


def _shape(name: str, shape: Schema) -> Iterator[str]:
    yield f'<section id="{escape(name)}"><h3><code>{escape(name)}</code></h3>'
    yield f"<p>{_prose(shape.get('description', ''))}</p>"
    yield from _fields(shape)
    yield "</section>"


def _fields(shape: Schema) -> Iterator[str]:
    yield "<table><tr><th>field</th><th>is</th><th></th></tr>"
    needed = shape.get("required", [])
    for name, field in shape.get("properties", {}).items():
        kind = _kind(field) + (", needed" if name in needed else "")
        usual = field.get("default")
        what = _prose(field.get("description", ""))
        if usual is not None:
            what += f" Default: <code>{escape(json.dumps(usual))}</code>."
        yield f"<tr><td><code>{escape(name)}</code></td><td>{kind}</td><td>{what}</td></tr>"
    yield "</table>"


def _kind(schema: Schema) -> str:
    """What a value may be, in a few words."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f'<a href="#{name}">{name}</a>'
    if several := schema.get("anyOf"):
        return " or ".join(dict.fromkeys(map(_kind, several)))
    if "enum" in schema:
        return ", ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    kind = escape(str(schema.get("type", "anything")))
    signs = {"minimum": "≥", "maximum": "≤"}
    limits = (f"{sign} {schema[name]:,g}" for name, sign in signs.items() if name in schema)
    return " ".join([kind, *limits])


def _prose(text: str) -> str:
    """Plain words; `code` is set as such."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
