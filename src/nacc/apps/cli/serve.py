"""`nacc serve`: the service and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nacc.apps.server.settings import Settings

USUAL = Settings()


def serve(
    *,
    host: Annotated[
        str, typer.Option(envvar="NACC_HOST", help="Address to listen on; 0.0.0.0: all.")
    ] = USUAL.host,
    port: Annotated[
        int, typer.Option(envvar="NACC_PORT", help="Port to listen on; 0: any free one.")
    ] = USUAL.port,
    model: Annotated[
        Path | None,
        typer.Option(envvar="NACC_MODEL", help="A packaged model by name, or a model folder."),
    ] = None,
    max_body: Annotated[
        int, typer.Option(envvar="NACC_MAX_BODY", help="Bytes a request.")
    ] = USUAL.max_body,
    max_texts: Annotated[
        int, typer.Option(envvar="NACC_MAX_TEXTS", help="Texts a request.")
    ] = USUAL.max_texts,
    max_characters: Annotated[
        int, typer.Option(envvar="NACC_MAX_CHARACTERS", help="Characters a text.")
    ] = USUAL.max_characters,
    max_budgets: Annotated[
        int, typer.Option(envvar="NACC_MAX_BUDGETS", help="Budgets a request.")
    ] = USUAL.max_budgets,
    max_alternatives: Annotated[
        int, typer.Option(envvar="NACC_MAX_ALTERNATIVES", help="Alternatives a budget.")
    ] = USUAL.max_alternatives,
    queue: Annotated[
        int, typer.Option(envvar="NACC_QUEUE", help="Texts accepted and not yet answered.")
    ] = USUAL.queue,
    timeout: Annotated[
        float, typer.Option(envvar="NACC_TIMEOUT", help="Seconds a request may take.")
    ] = USUAL.timeout,
    drain: Annotated[
        float, typer.Option(envvar="NACC_DRAIN", help="Seconds to say 503 before stopping.")
    ] = USUAL.drain,
    threads: Annotated[
        int, typer.Option(envvar="NACC_THREADS", help="Forward passes at a time; 0: one a core.")
    ] = USUAL.threads,
    decoders: Annotated[
        int, typer.Option(envvar="NACC_DECODERS", help="Threads that decode.")
    ] = USUAL.decoders,
    batch: Annotated[
        int,
        typer.Option(
            envvar="NACC_BATCH", help="Texts a forward pass; 0: what the model gains from."
        ),
    ] = USUAL.batch,
    batch_wait: Annotated[
        float,
        typer.Option(envvar="NACC_BATCH_WAIT", help="Seconds a lone text waits for company."),
    ] = USUAL.batch_wait,
    readings: Annotated[
        int,
        typer.Option(
            envvar="NACC_READINGS", help="Texts kept in memory, so that a new budget is quick."
        ),
    ] = USUAL.readings,
    api_key: Annotated[
        str | None,
        typer.Option(envvar="NACC_API_KEY", help="Ask for this key: Authorization: Bearer …"),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            envvar="NACC_CORS", help="Origin whose pages may use the service. May be repeated."
        ),
    ] = None,
) -> None:
    """Answer over HTTP, and show a page to try it on, at http://127.0.0.1:8000.

    Every option is also an environment variable. The log goes to standard error, a JSON object a
    line, and holds nothing of the texts. SIGTERM or Ctrl-C: what was accepted is answered first.

    \b
    Examples:
      nacc serve
      nacc serve --host 0.0.0.0 --port 80 --queue 512 --timeout 10

    \b
    Exit codes:
      0    stopped, everything accepted was answered
      2    wrong usage, or there is no model
    """
    from nacc.apps.server.run import run

    run(
        Settings(
            host=host,
            port=port,
            model=model,
            max_body=max_body,
            max_texts=max_texts,
            max_characters=max_characters,
            max_budgets=max_budgets,
            max_alternatives=max_alternatives,
            queue=queue,
            timeout=timeout,
            drain=drain,
            threads=threads,
            decoders=decoders,
            batch=batch,
            batch_wait=batch_wait,
            readings=readings,
            api_key=api_key,
            cors=tuple(cors or ()),
        )
    )
