"""The service: HTTP in front of the Summarizer, and the page that uses it.

A request comes by `connections` (how many, how slow), and passes through `guard` (size, time, key,
whether its client is still there), `app` (routes), `request` (what is asked for), `service` (its
`cost`, room, deadline), `queue` (one forward pass a text), `workers` (whose turn it is) and
`response`. Needs the [serve] extra.
"""

from nacc.errors import requires

requires("the service", "serve", "fastapi", "uvicorn", "prometheus_client")
