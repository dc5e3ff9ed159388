"""The routes of a study: the page, and the four things it asks for."""

from __future__ import annotations

import hmac
import json
import mimetypes
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nacc.apps.server.connections import listening
from nacc.apps.server.guard import HEADERS
from nacc.errors import InvalidInput
from nacc.evaluation.study import CRITERIA, Study

PAGE = Path(__file__).parent / "page"
LARGEST_BODY = 4096
Asked = Callable[[dict[str, Any]], dict[str, Any]]


class StudyRoutes:
    """What the page asks for; each takes what was sent and gives what is sent back."""

    def __init__(self, study: Study, invitation: str | None = None) -> None:
        self._study = study
        self._invitation = invitation

    def about(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The questions, and whether an invitation is needed."""
        return {"criteria": CRITERIA, "invitation": self._invitation is not None}

    def enrol(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A new judge."""
        if self._invitation is not None and not hmac.compare_digest(
            _text(asked, "invitation").encode(), self._invitation.encode()
        ):
            raise InvalidInput("this is not the word of the invitation")
        return {"judge": self._study.enrol(_text(asked, "name"))}

    def turn(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The judge's next turn, or one that she has had."""
        judge = _text(asked, "judge")
        place = _place(asked) if "place" in asked else None
        turn = self._study.turn(judge, place)
        of = {"of": self._study.turns(judge)}
        return {"done": True, **of} if turn is None else {**asdict(turn), **of}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Keep an answer; it is in the file before this says so."""
        judge, place = _text(asked, "judge"), _place(asked)
        self._study.answer(judge, place, _text(asked, "criterion"), _text(asked, "choice"))
        return {"kept": True}


def build(study: Study, invitation: str | None = None) -> Starlette:
    """The app of a study."""
    routes = StudyRoutes(study, invitation)
    files = {"/": PAGE / "index.html"} | {f"/{path.name}": path for path in PAGE.iterdir()}
    return Starlette(
        routes=[
            *(Route(path, _shown(file)) for path, file in files.items()),
            *(
                Route(f"/api/{work.__name__}", _answering(work), methods=["POST"])
                for work in (routes.about, routes.enrol, routes.turn, routes.answer)
            ),
        ]
    )


def run(
    study: Study, host: str, port: int, invitation: str | None, told: Callable[[str], None]
) -> None:
    """Serve until interrupted; `told` hears where."""
    sockets = listening(host, port)
    at, bound = sockets[0].getsockname()[:2]
    told(f"http://[{at}]:{bound}" if ":" in at else f"http://{at}:{bound}")
    config = uvicorn.Config(
        build(study, invitation), log_level="warning", access_log=False, server_header=False
    )
    uvicorn.Server(config).run(sockets)


def _answering(work: Asked) -> Callable[[Request], Any]:
    async def answered(request: Request) -> Response:
        try:
            body = json.loads(await _body(request) or b"{}")
            if not isinstance(body, dict):
                raise InvalidInput("send an object")
            found = await run_in_threadpool(work, body)
        except ClientDisconnect:
            return Response(status_code=400)
        except (InvalidInput, ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)}, 422, headers=HEADERS)
        return JSONResponse(found, headers=HEADERS)

    return answered


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise InvalidInput("too much was sent")
    return body


def _shown(file: Path) -> Callable[[Request], Any]:
    content, kind = file.read_bytes(), mimetypes.guess_type(file)[0] or "text/plain"

    async def shown(request: Request) -> Response:
        return Response(content, media_type=kind, headers=HEADERS)

    return shown


def _text(asked: dict[str, Any], name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text")
    return value


def _place(asked: dict[str, Any]) -> int:
    value = asked.get("place")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        raise InvalidInput("place must be a number of one of your turns")
    return value
