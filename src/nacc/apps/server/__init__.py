"""The service: HTTP in front of the Summarizer, and the page that uses it.

A request passes through `guard` (size, time, key), `app` (routes), `request` (what is asked for),
`service` (room, deadline), `queue` (one forward pass a text) and `response`. Needs the [serve]
extra.
"""

from nacc.errors import requires

requires("the service", "serve", "fastapi", "uvicorn", "prometheus_client")
