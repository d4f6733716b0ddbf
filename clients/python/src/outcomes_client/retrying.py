"""Sends requests until they are answered."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable

import httpx

from .errors import LimitError, RefusedError, UnavailableError, refusal_of

FIRST_WAIT = 0.2
LONGEST_BACK_OFF = 10.0


class RetryingTransport(httpx.BaseTransport):
    """Repeats what was lost and what passes, and raises every refusal.

    All requests may be sent again: reads change nothing, deletions delete once, and events are known by their ids.
    """

    def __init__(
        self,
        inner: httpx.BaseTransport,
        *,
        attempts: int = 5,
        longest_wait: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._inner = inner
        self._attempts = attempts
        self._longest_wait = longest_wait
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for attempts in itertools.count(1):
            fault: Exception
            asked: float | None = None
            try:
                response = self._inner.handle_request(request)
                # Read here: an answer that breaks off is a lost one.
                response.read()
            except httpx.TransportError as error:
                fault = error
            else:
                if response.status_code < 300 and "json" in response.headers.get("content-type", ""):
                    return response
                refusal = refusal_of(response, attempts)
                asked = refusal.retry_after
                if not _is_passing(refusal) or (asked is not None and asked > self._longest_wait):
                    raise refusal
                fault = refusal
            if attempts >= self._attempts:
                if isinstance(fault, LimitError):
                    raise fault
                raise UnavailableError(attempts) from fault
            self._sleep(_back_off(attempts) if asked is None else asked + _back_off(1))
        raise AssertionError("counting does not end")

    def close(self) -> None:
        self._inner.close()


def _is_passing(refusal: RefusedError) -> bool:
    return refusal.status in (408, 429) or refusal.status >= 500


def _back_off(attempts: int) -> float:
    """Half of it by chance, so that clients that failed together do not come back together."""
    most: float = min(FIRST_WAIT * 2 ** min(attempts - 1, 30), LONGEST_BACK_OFF)
    return most / 2 + most / 2 * random.random()
