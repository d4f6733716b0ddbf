from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest
from answers import InTurn, refusal

from outcomes_client import (
    AccessError,
    LimitError,
    RefusedError,
    RequestError,
    UnavailableError,
)
from outcomes_client.retrying import RetryingTransport

LOST = httpx.ConnectError("lost")


def ask(service: InTurn, **settings: int) -> tuple[httpx.Response, list[float]]:
    waits: list[float] = []
    transport = RetryingTransport(httpx.MockTransport(service), sleep=waits.append, **settings)
    with httpx.Client(transport=transport) as client:
        return client.get("http://x/"), waits


def done() -> httpx.Response:
    return httpx.Response(200, json="done")


def test_repeats_what_was_lost_and_what_passes() -> None:
    service = InTurn(
        LOST,
        lambda: refusal(503, "SERVICE_UNAVAILABLE"),
        lambda: refusal(408, "REQUEST_TIMEOUT"),
        lambda: refusal(429, "RATE_LIMITED", {"Retry-After": "7"}),
        done,
    )
    answer, waits = ask(service)
    assert answer.json() == "done"
    assert [low <= wait <= high for wait, (low, high) in zip(
        waits, [(0.1, 0.2), (0.2, 0.4), (0.4, 0.8), (7, 7.2)], strict=True
    )] == [True] * 4


def test_understands_a_time() -> None:
    later = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)
    _answer, [wait] = ask(InTurn(lambda: refusal(429, "RATE_LIMITED", {"Retry-After": later}), done))
    assert 15 < wait < 20.5


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "invalid_token", AccessError),
        (403, "Forbidden", AccessError),
        (400, "INVALID_REQUEST", RequestError),
        (404, "EVENT_NOT_FOUND", RequestError),
    ],
)
def test_does_not_repeat_what_would_be_refused_again(
    status: int, code: str, kind: type[RefusedError]
) -> None:
    service = InTurn(lambda: refusal(status, code))
    with pytest.raises(kind) as caught:
        ask(service)
    refused = caught.value
    assert (refused.status, refused.code, refused.request_id, refused.attempts) == (status, code, "r-1", 1)
    assert len(service.requests) == 1


def test_does_not_wait_for_longer_than_was_allowed() -> None:
    service = InTurn(lambda: refusal(429, "QUOTA_EXCEEDED", {"Retry-After": "86400"}))
    with pytest.raises(LimitError) as caught:
        ask(service)
    assert (caught.value.retry_after, len(service.requests)) == (86_400, 1)


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        (LOST, UnavailableError),
        (lambda: refusal(500, "INTERNAL_ERROR"), UnavailableError),
        (lambda: refusal(429, "RATE_LIMITED"), LimitError),
    ],
)
def test_ends(last: Exception | Callable[[], httpx.Response], kind: type[Exception]) -> None:
    service = InTurn(last)
    with pytest.raises(kind):
        ask(service, attempts=3)
    assert len(service.requests) == 3


def test_takes_a_page_for_what_it_is() -> None:
    service = InTurn(lambda: httpx.Response(200, html="<p>Welcome"))
    with pytest.raises(RequestError) as caught:
        ask(service)
    assert (caught.value.code, len(service.requests)) == ("UNKNOWN", 1)
