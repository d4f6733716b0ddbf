"""Collects single events and sends them in batches."""

from __future__ import annotations

import json
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar, cast

from .errors import RefusedError, RequestError, WaitTimeoutError
from .event import OutcomeEvent
from .ingest_api.models import EventsAnswer

logger = logging.getLogger(__name__)

Told = TypeVar("Told")

MAX_EVENTS = 500
#: The service takes 8 MiB; what stands around the events needs a little of it.
MAX_BYTES = 8 * 1_048_576 - 1_024
#: Refusals of what a batch holds. Any other is about the key, a header or the address, or comes from a proxy.
OF_THE_EVENTS = frozenset(
    ("INVALID_JSON", "INVALID_REQUEST", "INVALID_ENCODING", "TOO_MANY_EVENTS", "PAYLOAD_TOO_LARGE")
)
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0


@dataclass(frozen=True)
class Rejection:
    """A fault of an event that the service would not take; `field` is empty where it is the event as a whole."""

    event: OutcomeEvent
    field: str
    code: str
    message: str


class EventQueue:
    """Sends batches from a thread of its own, one at a time and in order.

    Every event has an id from the moment it is added, so that a batch whose answer was lost may go again: the service
    counts each event once. Use it in a `with` block, or close it.
    """

    def __init__(
        self,
        post: Callable[[bytes], EventsAnswer],
        *,
        batch_size: int = MAX_EVENTS,
        capacity: int = 5_000,
        capacity_bytes: int = 16 * 1_048_576,
        linger: float = 1.0,
        room_timeout: float = 60.0,
        on_rejected: Callable[[Rejection], None] | None = None,
        on_failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """
        :param post: sends the JSON of a batch until it is answered, or raises
        :param capacity: events that may wait; beyond, `add` waits for room, `room_timeout` seconds at most
        :param linger: seconds after which an incomplete batch goes out
        :param on_rejected: told of every fault of an event that was refused, from the thread; what it raises is logged
        :param on_failed: told of a batch that could not be sent; it stays queued, and goes again by itself. Errors alike
        """
        self._post = post
        self._batch_size = min(batch_size, MAX_EVENTS)
        self._capacity = capacity
        self._capacity_bytes = capacity_bytes
        self._linger = linger
        self._room_timeout = room_timeout
        self._on_rejected = on_rejected
        self._on_failed = on_failed
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._added = 0
        self._settled = 0
        self._wanted = 0
        self._for_room = 0
        self._failures = 0
        self._failure: Exception | None = None
        self._faults = 0
        self._not_before = 0.0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="outcomes-events", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        """Events that are not known to be stored."""
        return len(self._waiting)

    def __enter__(self) -> EventQueue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, event: OutcomeEvent) -> str:
        """Takes one event as it is now, and returns its id.

        :raises ValueError: where a number is none that JSON has, as NaN is; it would spoil the whole batch
        :raises WaitTimeoutError: where there was no room in time: the event was not taken
        """
        event_id = event.get("event_id") or str(uuid.uuid4())
        named = {**event, "event_id": event_id}
        text = json.dumps(named, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        with self._changed:
            self._for_room += 1
            self._changed.notify_all()
            try:
                has_room = self._changed.wait_for(
                    lambda: self._closed or self._has_room_for(len(text)), self._room_timeout
                )
            finally:
                self._for_room -= 1
            if self._closed:
                raise ValueError("The queue is closed.")
            if not has_room:
                raise WaitTimeoutError("The queue is full.")
            if not self._waiting and self._failures == 0:
                self._not_before = time.monotonic() + self._linger
            self._waiting.append(text)
            self._bytes += len(text)
            self._added += 1
            self._changed.notify_all()
        return event_id

    def flush(self, timeout: float = 60.0) -> None:
        """Returns when everything that was added before is stored or refused.

        :raises WaitTimeoutError: where it took longer; or what sending failed by. What is left stays queued
        """
        with self._changed:
            last, faults = self._added, self._faults
            self._wanted = max(self._wanted, last)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._settled >= last or self._faults > faults, timeout)
            if self._settled >= last:
                return
            if self._faults > faults and self._failure:
                raise self._failure
            raise WaitTimeoutError(f"{len(self)} events are not stored yet.")

    def close(self, timeout: float = 60.0) -> None:
        """Takes no more, and sends what is left, as `flush` does. Where that fails, it may be called again."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.flush(timeout)
        self._thread.join(timeout)

    def _has_room_for(self, size: int) -> bool:
        """An empty queue takes any event, however long."""
        if not self._waiting:
            return True
        return len(self._waiting) < self._capacity and self._bytes + size <= self._capacity_bytes

    def _seconds_until_due(self) -> float | None:
        """Until the next batch is to go; None where there is none to send."""
        if not self._waiting:
            return None
        if self._wanted > self._settled:
            return 0.0
        is_full = len(self._waiting) >= self._batch_size or (
            self._for_room > 0 and not self._has_room_for(1)
        )
        if is_full and self._failures == 0:
            return 0.0
        return max(0.0, self._not_before - time.monotonic())

    def _run(self) -> None:
        while True:
            with self._changed:
                while (seconds := self._seconds_until_due()) != 0.0:
                    if self._closed and not self._waiting:
                        return
                    self._changed.wait(seconds)
                batch = self._next_batch()
            self._send(batch)

    def _next_batch(self) -> list[bytes]:
        batch: list[bytes] = []
        size = 0
        for text in self._waiting:
            size += len(text) + 1
            if batch and (len(batch) >= self._batch_size or size > MAX_BYTES):
                break
            batch.append(text)
        return batch

    def _send(self, batch: Sequence[bytes]) -> None:
        try:
            rejections = self._rejections_of(batch)
        except Exception as error:
            self._fail(error)
            return
        with self._changed:
            # Only now: until the service has said 202, they are ours to keep.
            for text in batch:
                self._waiting.popleft()
                self._bytes -= len(text)
            self._settled += len(batch)
            self._failures = 0
            self._not_before = time.monotonic() + self._linger
            self._changed.notify_all()
        for rejection in rejections:
            _tell(self._on_rejected, rejection)

    def _rejections_of(self, batch: Sequence[bytes]) -> list[Rejection]:
        def event(index: int) -> OutcomeEvent:
            return cast(OutcomeEvent, json.loads(batch[index]))

        try:
            answer = self._post(b'{"events":[' + b",".join(batch) + b"]}")
        except RequestError as error:
            if error.code not in OF_THE_EVENTS:
                raise
            # The service refused what the batch holds: sent again it would be again, and hold up everything behind it.
            return [Rejection(event(n), "", error.code, str(error)) for n in range(len(batch))]
        return [Rejection(event(one.index), one.field, one.code, one.message) for one in answer.errors]

    def _fail(self, error: Exception) -> None:
        with self._changed:
            self._failures += 1
            self._faults += 1
            self._failure = error
            asked = (error.retry_after or 0.0) if isinstance(error, RefusedError) else 0.0
            back_off = FIRST_PAUSE * 2 ** min(self._failures - 1, 30)
            self._not_before = time.monotonic() + min(max(asked, back_off), LONGEST_PAUSE)
            # Whoever flushes is told, and asks again when they like.
            self._wanted = 0
            self._changed.notify_all()
        _tell(self._on_failed, error)


def _tell(callback: Callable[[Told], None] | None, what: Told) -> None:
    """Never raises: the thread would end, and with it everything that waits."""
    try:
        if callback:
            callback(what)
    except Exception:
        logger.exception("A callback of the queue of events raised.")
