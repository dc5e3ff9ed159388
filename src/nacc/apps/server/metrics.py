"""What the service counts and times, for Prometheus. One registry an app."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TEXTS = (1, 2, 4, 8, 16, 32, 64)


class ServiceMetrics:
    """Times of the four stages a text goes through, sizes, and what was answered."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def histogram(name: str, what: str) -> Histogram:
            return Histogram(name, what, buckets=SECONDS, registry=self.registry)

        self.queue = histogram("nacc_queue_seconds", "a text waiting for its forward pass")
        self.stages = {
            "tokenising": histogram(
                "nacc_tokenising_seconds", "a batch's texts into words, or its words into pieces"
            ),
            "inference": histogram("nacc_inference_seconds", "one forward pass"),
        }
        self.decoding = histogram("nacc_decoding_seconds", "one summary, alternatives included")
        self.request = histogram("nacc_request_seconds", "a request, all in all")
        self.batch = Histogram(
            "nacc_batch_texts", "texts a forward pass", buckets=TEXTS, registry=self.registry
        )
        self.accepted = Gauge(
            "nacc_work_accepted", "work accepted and not yet done, in ordinary summaries",
            registry=self.registry,
        )  # fmt: skip
        self.connections = Gauge(
            "nacc_connections", "connections that are open", registry=self.registry
        )
        self.connections_lost = Counter(
            "nacc_connections_lost", "connections dropped or not had, by why", ["why"],
            registry=self.registry,
        )  # fmt: skip
        self.readings = Counter(
            "nacc_readings", "texts asked for, by whether their forward pass was there already",
            ["found"], registry=self.registry,
        )  # fmt: skip
        self.responses = Counter(
            "nacc_responses", "answers by path and status", ["path", "status"],
            registry=self.registry,
        )  # fmt: skip

    def observe_stage(self, stage: str, seconds: float) -> None:
        """What an engine tells: how long one of its stages took."""
        self.stages[stage].observe(seconds)

    def page(self) -> bytes:
        return generate_latest(self.registry)
