"""The service: HTTP in front of the Summarizer, and the page that uses it.

A request passes through `gate` (size, time, key), `app` (routes), `asked` (what is wanted),
`service` (room, deadline), `queue` (one forward pass a text) and back. Needs the [serve] extra.
"""
