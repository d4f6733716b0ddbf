"""Client of the Outbound Outcome Intelligence Service."""

from .client import OutcomesClient
from .errors import (
    AccessError,
    LimitError,
    OutcomesError,
    RefusedError,
    RequestError,
    UnavailableError,
    WaitTimeoutError,
)
from .event import OutcomeEvent
from .event_queue import EventQueue, Rejection

__all__ = [
    "AccessError",
    "EventQueue",
    "LimitError",
    "OutcomeEvent",
    "OutcomesClient",
    "OutcomesError",
    "RefusedError",
    "Rejection",
    "RequestError",
    "UnavailableError",
    "WaitTimeoutError",
]
