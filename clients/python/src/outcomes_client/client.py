"""Everything that the two APIs of the service take, of one company and its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs

import httpx

from .event_queue import EventQueue, Rejection
from .ingest_api.client import AuthenticatedClient as IngestApi
from .ingest_api.models import CsvAnswer, EventsAnswer
from .read_api.client import AuthenticatedClient as ReadApi
from .retrying import RetryingTransport

Answer = TypeVar("Answer", covariant=True)


class Response(Protocol[Answer]):
    """What `sync_detailed` of a generated operation returns."""

    @property
    def parsed(self) -> Answer | None: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


class _HttpClient(httpx.Client):
    """Refuses parts of a path that addresses have another meaning for, escaped or not: the request would go elsewhere."""

    def build_request(self, method: str, url: httpx.URL | str, **settings: Any) -> httpx.Request:
        for part in str(url).split("?")[0].split("/")[1:]:
            if part in ("", ".", ".."):
                raise ValueError(f'"{part}" cannot be a part of an address: the request would go elsewhere.')
        return super().build_request(method, url, **settings)


class OutcomesClient:
    """Gives the generated operations a way that repeats what is lost, and sends single events in batches."""

    def __init__(
        self,
        api_key: str,
        *,
        read_url: str = "http://localhost:3001/v1",
        ingest_url: str = "http://localhost:3002",
        attempts: int = 5,
        timeout: float = 30.0,
        longest_wait: float = 60.0,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """
        :param read_url: base address of the read API, `/v1` included
        :param ingest_url: base address of ingest-api
        :param attempts: at one request, the first included
        :param timeout: seconds that connecting, sending and each wait for bytes of an answer may take
        :param longest_wait: seconds of `Retry-After` that are waited for; a longer one is raised
        :param headers: of every request, such as X-Actor-Type and X-Actor-Id
        :param transport: what requests go through; httpx's own unless given
        :raises ValueError: where an address or the key cannot be one: no request would ever be sent
        """
        for setting, url in (("read_url", read_url), ("ingest_url", ingest_url)):
            if not re.match(r"https?://[^/?#]", url, re.IGNORECASE):
                raise ValueError(f"{setting} must be an http or https address, such as http://localhost:3002.")
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("api_key is empty, or has a character that no HTTP header can have.")

        def settings() -> dict[str, Any]:
            inner = transport or httpx.HTTPTransport()
            retrying = RetryingTransport(inner, attempts=attempts, longest_wait=longest_wait)
            return {
                "timeout": httpx.Timeout(timeout),
                "headers": {**(headers or {}), "Authorization": f"Bearer {api_key}"},
                "transport": retrying,
            }

        #: To hand to the operations in `outcomes_client.read_api.api` as `client`.
        self.reads = ReadApi(base_url=read_url.rstrip("/"), token=api_key)
        self.reads.set_httpx_client(_HttpClient(base_url=read_url.rstrip("/"), **settings()))
        #: To hand to the operations in `outcomes_client.ingest_api.api` as `client`.
        self.ingestion = IngestApi(base_url=ingest_url.rstrip("/"), token=api_key)
        self.ingestion.set_httpx_client(_HttpClient(base_url=ingest_url.rstrip("/"), **settings()))

    def __enter__(self) -> OutcomesClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections."""
        self.reads.get_httpx_client().close()
        self.ingestion.get_httpx_client().close()

    def events(
        self,
        *,
        batch_size: int = 500,
        capacity: int = 5_000,
        linger: float = 1.0,
        room_timeout: float = 60.0,
        on_rejected: Callable[[Rejection], None] | None = None,
        on_failed: Callable[[Exception], None] | None = None,
    ) -> EventQueue:
        """Collects single events and sends them in batches. Use it in a `with` block."""
        return EventQueue(
            self._post_events,
            batch_size=batch_size,
            capacity=capacity,
            linger=linger,
            room_timeout=room_timeout,
            on_rejected=on_rejected,
            on_failed=on_failed,
        )

    def post_csv(self, csv: str) -> CsvAnswer:
        """Sends up to 500 rows of CSV with their header; those without event_id are known by what they say."""
        return CsvAnswer.from_dict(self._post("/ingest/csv", "text/csv; charset=utf-8", csv.encode()))

    def pages(
        self, operation: Callable[..., Response[Answer]], **arguments: Any
    ) -> Iterator[Answer]:
        """Every page of a list, as it is wanted: `client.pages(campaigns.sync_detailed, limit=100)`."""
        while True:
            response = operation(client=self.reads, **arguments)
            if response.parsed is None:
                return
            yield response.parsed
            cursor = _next_cursor(response)
            if cursor is None:
                return
            arguments["cursor"] = cursor

    def _post_events(self, body: bytes) -> EventsAnswer:
        return EventsAnswer.from_dict(self._post("/ingest/events", "application/json", body))

    def _post(self, path: str, content_type: str, body: bytes) -> dict[str, Any]:
        client = self.ingestion.get_httpx_client()
        answer: dict[str, Any] = client.post(
            path, content=body, headers={"Content-Type": content_type}
        ).json()
        return answer


def _next_cursor(response: Response[Any]) -> str | None:
    """A list whose data is nothing but its items says in a link (RFC 8288) where it goes on; others in a field."""
    data = getattr(response.parsed, "data", None)
    if not isinstance(data, list):
        # A list that grows has a cursor to come back with, too.
        has_more = getattr(data, "has_more", True)
        cursor = getattr(data, "next_cursor", None)
        return cursor if isinstance(cursor, str) and has_more else None
    link = re.search(r'<[^>]*\?([^>]*)>;\s*rel="next"', response.headers.get("link", ""))
    return parse_qs(link.group(1)).get("cursor", [None])[0] if link else None
