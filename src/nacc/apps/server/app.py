"""The routes: HTTP in, HTTP out, and the OpenAPI page that promises no more than they keep."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Security
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from nacc import __version__
from nacc.apps.server import reference, schemas
from nacc.apps.server.guard import DEADLINE, GuardMiddleware
from nacc.apps.server.refusals import Refusal, draining, loading, two_lengths
from nacc.apps.server.request import parse_request
from nacc.apps.server.response import response
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings
from nacc.length import PRESETS, UNITS

PAGE = Path(__file__).parent / "page"
PAGE_FILES = {"/": PAGE / "index.html"} | {f"/{path.name}": path for path in PAGE.iterdir()}
REASONS = {
    401: "The API key is missing or wrong.",
    408: "The request did not arrive in time.",
    413: "The body, the texts, the budgets or the work they make exceed a limit (see `/info`).",
    415: "The body is not JSON in UTF-8, or is packed.",
    422: "Something in the request cannot be used; `field` says what. For a budget that is too "
    "small, `smallest` is one that would do.",
    429: "The queue is full; `Retry-After` says when to try again.",
    503: "The model is being loaded, the server is stopping, or too many are connected.",
    504: "No answer within the time-out.",
}


def refused(service: Service, *statuses: int) -> dict[int | str, dict[str, Any]]:
    """The ways a route says no, for OpenAPI; 401 is one of them only where a key is asked for."""
    key = (401,) if service.settings.api_key else ()
    return _documented(*key, *statuses)


def _documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {
        status: {"model": schemas.ErrorResponse, "description": REASONS[status]}
        for status in statuses
    }


def build(settings: Settings) -> tuple[ASGIApp, GuardMiddleware, Service]:
    """The app to run, and the two parts that a stopping server looks at."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.close()

    api = FastAPI(
        title="nacc",
        summary="Say it in the space there is.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # it would be written anew for everybody who asks
        redirect_slashes=False,  # to whatever host the request names
        lifespan=lifespan,
    )
    api.include_router(_summaries(service))
    api.include_router(_operation(service))
    api.include_router(_page(api.openapi()))
    api.add_exception_handler(Refusal, _refusal_response)
    api.add_exception_handler(HTTPException, _http_error_response)
    api.add_exception_handler(Exception, _left_to_the_guard)
    paths = frozenset(api.openapi()["paths"]) | set(PAGE_FILES) | {"/openapi.json", "/docs"}
    guard = GuardMiddleware(api, service, paths)
    app: ASGIApp = guard
    if settings.cors:
        app = Origins(
            guard,
            allow_origins=settings.cors,
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
            expose_headers=["Retry-After", "X-Request-Id"],
        )
    return app, guard, service


class Origins(CORSMiddleware):
    """Says which pages' scripts may ask, and no to others in the shape of every other error."""

    def preflight_response(self, request_headers: Headers) -> Response:
        if "content-length" in request_headers and "transfer-encoding" in request_headers:
            refusal = two_lengths()
            return JSONResponse(refusal.body(), refusal.status, headers=refusal.headers)
        answer = super().preflight_response(request_headers)
        if answer.status_code == 200:
            return answer
        refusal = Refusal(answer.status_code, "not_from_here", bytes(answer.body).decode())
        kept = {n: v for n, v in answer.headers.items() if not n.startswith("content-")}
        return JSONResponse(refusal.body(), refusal.status, headers=kept)


def _key(service: Service) -> list[Any]:
    """For OpenAPI only: the guard has looked at the key before any route is reached."""
    return [Security(HTTPBearer(auto_error=False))] if service.settings.api_key else []


def _summaries(service: Service) -> APIRouter:
    routes = APIRouter(tags=["summaries"], dependencies=_key(service))

    @routes.post(
        "/v1/summarize",
        response_model=schemas.SummarizeResponse,
        responses=refused(service, 408, 413, 415, 422, 429, 503, 504),
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _request_schema()}},
            }
        },
    )
    async def summarize(request: Request) -> Response:
        """Summaries of one or many texts within one or many budgets."""
        summarizer = service.summarizer  # says 503 before anything else while it is loaded
        asked = parse_request(
            request.headers.get("content-type", ""),
            await request.body(),
            service.settings,
            summarizer.settled,
        )
        served = await service.answer(asked, request.scope[DEADLINE])
        answer = response(asked, served, summarizer.engine.folder.name)
        return Response(answer.model_dump_json(), media_type="application/json")

    @routes.get("/v1/units", responses=refused(service, 503))
    async def known_units() -> schemas.UnitsResponse:
        """The units and presets that budgets are written in."""
        return schemas.UnitsResponse(
            units=[
                schemas.UnitInfo(name=u.name, spellings=list(u.spellings), options=u.options,
                                 what=u.what)
                for u in UNITS
            ],
            presets=[schemas.PresetInfo(**asdict(preset)) for preset in PRESETS],
        )  # fmt: skip

    @routes.get("/v1/models", responses=refused(service, 503))
    async def models() -> schemas.ModelsResponse:
        """The model in use, with its configuration and the sums of its files."""
        engine = service.summarizer.engine
        model = schemas.ModelInfo(
            name=engine.folder.name,
            precision=str(engine.config.get("precision", "fp32")),
            max_words=engine.encoder.max_words,
            styles=list(engine.conditions.styles) if engine.conditions else [],
            config=engine.config,
        )
        return schemas.ModelsResponse(models=[model])

    return routes


def _operation(service: Service) -> APIRouter:
    routes = APIRouter(tags=["operation"])

    @routes.get("/info", responses=refused(service, 503), dependencies=_key(service))
    async def info() -> schemas.InfoResponse:
        """The version, the model and the limits."""
        folder = service.settings.model
        return schemas.InfoResponse(
            name="nacc",
            version=__version__,
            ready=service.ready,
            model=folder.name if folder else "default",
            limits=service.settings.limits(),
        )

    @routes.get("/health/live")
    async def live() -> schemas.StatusResponse:
        """The process is alive."""
        return schemas.StatusResponse(status="alive")

    @routes.get("/health/ready", responses=_documented(503))
    async def ready() -> schemas.StatusResponse:
        """The model is loaded and requests are taken."""
        if not service.ready:
            raise draining() if service.draining else loading()
        return schemas.StatusResponse(status="ready")

    @routes.get(
        "/metrics",
        dependencies=_key(service),
        response_class=Response,
        responses={
            **refused(service),
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        },
    )
    async def metrics() -> Response:
        """Counters and histograms for Prometheus."""
        return Response(service.metrics.page(), media_type=CONTENT_TYPE_LATEST)

    return routes


def _page(described: dict[str, Any]) -> APIRouter:
    """The page and the reference, for people and for programs; kept in memory, so that showing
    them opens no file and writes nothing anew."""
    shown = {
        path: (file.read_bytes(), mimetypes.guess_type(file)[0] or "text/plain")
        for path, file in PAGE_FILES.items()
    }
    shown["/docs"] = reference.page(described).encode(), "text/html"
    shown["/openapi.json"] = json.dumps(described).encode(), "application/json"
    routes = APIRouter(include_in_schema=False)
    for path, (content, kind) in shown.items():
        routes.add_api_route(path, _shown(content, kind), methods=["GET", "HEAD"])
    return routes


def _shown(content: bytes, kind: str) -> Any:
    async def shown() -> Response:
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return shown


def _request_schema() -> dict[str, Any]:
    return schemas.SummarizeRequest.model_json_schema()


async def _refusal_response(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse(error.body(), error.status, headers=error.headers)


async def _http_error_response(_: Request, error: Exception) -> Response:
    """Unknown paths and methods, in the shape of every other error."""
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "bad_request")
    refusal = Refusal(error.status_code, code, str(error.detail))
    return JSONResponse(refusal.body(), refusal.status, headers=dict(error.headers or {}))


async def _left_to_the_guard(_: Request, error: Exception) -> Response:
    """What nobody foresaw: else Starlette answers, in a shape of its own."""
    raise error
