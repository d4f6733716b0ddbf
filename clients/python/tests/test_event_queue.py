from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from answers import refusal

from outcomes_client import EventQueue, OutcomeEvent, Rejection, UnavailableError, WaitTimeoutError
from outcomes_client.errors import refusal_of
from outcomes_client.ingest_api.models import EventsAnswer

#: As long as something that has to happen may take; what must not happen is not waited for.
LONG = 20.0


def event(step: int, **more: Any) -> OutcomeEvent:
    return {
        "channel": "email",
        "sequence_step": step,
        "recipient_id": "person",
        "fact": "sent",
        "sent_at": "2026-01-05",
        **more,  # type: ignore[typeddict-item]
    }


class Service:
    """Takes batches: `answers` says what becomes of each in turn."""

    def __init__(self, *answers: Callable[[], Sequence[dict[str, Any]]]) -> None:
        self.answers = answers
        self.batches: list[list[dict[str, Any]]] = []

    def post(self, body: bytes) -> EventsAnswer:
        events = json.loads(body)["events"]
        self.batches.append(events)
        at = len(self.batches) - 1
        errors = self.answers[at]() if at < len(self.answers) else []
        counts = {"accepted": len(events) - len(errors), "rejected": len(errors), "duplicates": 0}
        return EventsAnswer.from_dict({**counts, "errors": list(errors)})

    @property
    def steps(self) -> list[list[int]]:
        return [[one["sequence_step"] for one in batch] for batch in self.batches]


def failing(error: Exception) -> Callable[[], Sequence[dict[str, Any]]]:
    def fail() -> Sequence[dict[str, Any]]:
        raise error

    return fail


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_refuses_an_event_that_would_spoil_its_batch(number: float) -> None:
    service = Service()
    with EventQueue(service.post) as queue:
        queue.add(event(1))
        with pytest.raises(ValueError):
            queue.add(event(2, metadata={"score": number}))
        queue.add(event(3))
    assert service.steps == [[1, 3]]


def test_sends_in_batches_and_in_order() -> None:
    service = Service()
    with EventQueue(service.post, batch_size=2) as queue:
        for step in range(5):
            queue.add(event(step))
    assert [step for batch in service.steps for step in batch] == [0, 1, 2, 3, 4]
    assert max(len(batch) for batch in service.steps) == 2
    assert len(queue) == 0


def test_sends_the_rest_when_it_has_lingered() -> None:
    service = Service()
    queue = EventQueue(service.post, linger=0.01)
    queue.add(event(0))
    with queue._changed:
        assert queue._changed.wait_for(lambda: len(queue) == 0, LONG)
    assert service.steps == [[0]]
    queue.close()


def test_sends_again_with_the_same_ids() -> None:
    service = Service(failing(UnavailableError(5)))
    queue = EventQueue(service.post, linger=LONG)
    mine = event(0, metadata={"campaign_id": "before"})
    given = queue.add(mine)
    queue.add(event(1, event_id="my-own"))
    mine["metadata"] = {"campaign_id": "after"}
    with pytest.raises(UnavailableError):
        queue.flush()
    assert len(queue) == 2
    queue.close()
    assert service.batches[0] == service.batches[1]
    assert [one["event_id"] for one in service.batches[1]] == [given, "my-own"]
    assert service.batches[1][0]["metadata"] == {"campaign_id": "before"}


def test_holds_no_more_than_it_may() -> None:
    goes_on = threading.Event()

    def wait() -> Sequence[dict[str, Any]]:
        assert goes_on.wait(LONG)
        return []

    service = Service(wait)
    queue = EventQueue(service.post, batch_size=2, capacity=3, room_timeout=0.01)
    for step in range(3):
        queue.add(event(step))
    with pytest.raises(WaitTimeoutError):
        queue.add(event(3))
    assert len(queue) == 3
    with pytest.raises(WaitTimeoutError):
        queue.flush(timeout=0.01)
    goes_on.set()
    queue.close()
    assert [step for batch in service.steps for step in batch] == [0, 1, 2]


def test_cuts_batches_by_bytes() -> None:
    service = Service()
    with EventQueue(service.post, linger=LONG, capacity_bytes=30 * 1_048_576) as queue:
        for step in range(10):
            queue.add(event(step, body="é" * 1_048_576))
    assert service.steps == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "INVALID_JSON"),
        (400, "INVALID_REQUEST"),
        (400, "INVALID_ENCODING"),
        (413, "TOO_MANY_EVENTS"),
        (413, "PAYLOAD_TOO_LARGE"),
    ],
)
def test_tells_of_faults_and_goes_on(status: int, code: str) -> None:
    told: list[Rejection] = []
    fault = {"index": 1, "field": "tone", "code": "NOT_ALLOWED", "message": "No."}
    refused = refusal_of(refusal(status, code), 1)
    service = Service(lambda: [fault], failing(refused))
    queue = EventQueue(service.post, batch_size=2, linger=LONG, on_rejected=told.append)
    for step in range(5):
        queue.add(event(step))
    queue.close()
    assert [(one.event["sequence_step"], one.field) for one in told] == [(1, "tone"), (2, ""), (3, "")]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(404, text="404 page not found"),
        httpx.Response(404, json={"statusCode": 404, "error": "Not Found", "message": ["Cannot POST"]}),
        httpx.Response(404, json={"error": {"code": 404, "message": "No route."}}),
        httpx.Response(400, json={"error": "INVALID_REQUEST"}),
        refusal(400, "INVALID_ACTOR"),
        refusal(400, "TENANT_REQUIRED"),
        refusal(404, "NOT_FOUND"),
        refusal(405, "METHOD_NOT_ALLOWED"),
    ],
    ids=lambda answer: answer.text,
)
def test_keeps_what_was_refused_for_anything_but_the_events(answer: httpx.Response) -> None:
    told: list[Rejection] = []
    failures: list[Exception] = []
    refused = refusal_of(answer, 1)
    service = Service(failing(refused))
    queue = EventQueue(service.post, linger=0, on_rejected=told.append, on_failed=failures.append)
    queue.add(event(0))
    with queue._changed:
        assert queue._changed.wait_for(lambda: queue._failures == 1, LONG)
        assert len(queue._waiting) == 1
    queue.close()
    assert service.steps == [[0], [0]]
    assert (told, failures) == ([], [refused])


def test_waits_as_long_as_it_was_told_before_it_goes_on_by_itself() -> None:
    failures: list[Exception] = []
    limited = refusal_of(refusal(429, "RATE_LIMITED", {"Retry-After": "30"}), 1)
    queue = EventQueue(Service(failing(limited)).post, linger=0, on_failed=failures.append)
    queue.add(event(0))
    with queue._changed:
        assert queue._changed.wait_for(lambda: queue._failures == 1, LONG)
        assert 29 < (queue._seconds_until_due() or 0) <= 30
    queue.close()
    assert failures == [limited]


def test_goes_on_where_a_callback_raises(caplog: pytest.LogCaptureFixture) -> None:
    told: list[int] = []

    def on_rejected(rejection: Rejection) -> None:
        told.append(rejection.event["sequence_step"])
        raise KeyError("campaign_id")

    def on_failed(error: Exception) -> None:
        raise KeyError("of on_failed")

    faults = [{"index": at, "field": "tone", "code": "NOT_ALLOWED", "message": "No."} for at in (0, 1)]
    service = Service(lambda: faults, failing(UnavailableError(5)))
    queue = EventQueue(
        service.post, batch_size=2, linger=LONG, on_rejected=on_rejected, on_failed=on_failed
    )
    for step in range(4):
        queue.add(event(step))
    with queue._changed:
        assert queue._changed.wait_for(lambda: queue._failures == 1, LONG)
    queue.close(timeout=LONG)
    assert service.steps == [[0, 1], [2, 3], [2, 3]]
    assert (told, len(queue)) == ([0, 1], 0)
    assert [str(record.exc_info and record.exc_info[1]) for record in caplog.records] == [
        "'campaign_id'",
        "'campaign_id'",
        "'of on_failed'",
    ]


def test_takes_nothing_when_closed() -> None:
    queue = EventQueue(Service().post)
    queue.close()
    with pytest.raises(ValueError, match="closed"):
        queue.add(event(0))
    assert not queue._thread.is_alive()


def test_reads_an_answer_as_it_comes() -> None:
    response = httpx.Response(202, json={"accepted": 1, "rejected": 0, "duplicates": 0, "errors": []})
    assert EventsAnswer.from_dict(response.json()).accepted == 1
