"""What can go wrong, by what to do about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


#: Code of an answer whose body is not the service's: a proxy's, say.
UNKNOWN_CODE = "UNKNOWN"


class OutcomesError(Exception):
    """Anything that this package raises."""


class RefusedError(OutcomesError):
    """The service answered, and refused."""

    def __init__(self, response: httpx.Response, attempts: int) -> None:
        self.status = response.status_code
        self.body: Mapping[str, Any] = _body_of(response)
        #: Code of the service's catalogue, such as QUOTA_EXCEEDED; UNKNOWN where the body was not the service's.
        self.code = _code_of(self.body)
        #: To quote to whoever runs the service.
        self.request_id: str | None = self.body.get("requestId", response.headers.get("x-request-id"))
        #: Seconds after which the service says that another try makes sense.
        self.retry_after = _retry_after(response)
        #: A deletion that finds nothing in its second attempt may have been done by the first.
        self.attempts = attempts
        super().__init__(self.body.get("message", f"Answered {self.status} without an explanation."))


class AccessError(RefusedError):
    """No key, a wrong one, one that has expired (401), or one that may not do this (403)."""


class LimitError(RefusedError):
    """More requests than a window or a month has (429), for longer than was to be waited."""


class RequestError(RefusedError):
    """The request is wrong (any other 4xx), or its address (no JSON): sending it again changes nothing."""


class UnavailableError(OutcomesError):
    """No answer after every try: the network, a time-out, or 5xx. `__cause__` is the last fault."""

    def __init__(self, attempts: int) -> None:
        self.attempts = attempts
        super().__init__(f"The service could not be reached in {attempts} attempts.")


class WaitTimeoutError(OutcomesError):
    """A wait was over before what it was for: nothing is lost, and the events stay queued."""


def refusal_of(response: httpx.Response, attempts: int) -> RefusedError:
    """The error that stands for an answer that is no success."""
    status = response.status_code
    if status in (401, 403):
        return AccessError(response, attempts)
    if status == 429:
        return LimitError(response, attempts)
    kind = RequestError if status < 500 and status != 408 else RefusedError
    return kind(response, attempts)


def _body_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _code_of(body: Mapping[str, Any]) -> str:
    """Gateways have an `error` too, a text or an object."""
    code = body.get("error")
    return code if body.get("success") is False and isinstance(code, str) else UNKNOWN_CODE


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after")
    if value is None:
        return None
    if value.isdecimal():
        return float(value)
    try:
        seconds: float = (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, seconds)
