"""Against running services, behind a proxy that drops, delays and refuses: see tools/clients/python.ts."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator

import httpx
import pytest

from outcomes_client import AccessError, OutcomeEvent, OutcomesClient
from outcomes_client.ingest_api.api.processing import status
from outcomes_client.read_api.api.intelligence import campaigns, contact
from outcomes_client.read_api.api.patterns import profiles
from outcomes_client.retrying import RetryingTransport

SETTINGS = os.environ.get("OUTCOMES_TEST")
pytestmark = pytest.mark.skipif(SETTINGS is None, reason="no services are running")
SERVICE = json.loads(SETTINGS or "{}")
EVENTS = 2_000


def event(number: int) -> OutcomeEvent:
    return {
        "channel": "email",
        "sequence_step": 0,
        "recipient_id": f"person-{number}",
        "sent_at": "2026-01-05T09:30:00Z",
        "outcome": "responded" if number % 200 == 0 else "no_response",
        "outcome_at": "2026-01-08T09:30:00Z",
        "metadata": {"campaign_id": f"campaign-{number % 7}"},
    }


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are not waited out."""
    begin = RetryingTransport.__init__

    def without_waits(self: RetryingTransport, inner: httpx.BaseTransport, **settings: int) -> None:
        begin(self, inner, attempts=settings["attempts"], longest_wait=60, sleep=lambda _seconds: None)

    monkeypatch.setattr(RetryingTransport, "__init__", without_waits)


def client(
    key: str, ingest_url: str = "", transport: httpx.BaseTransport | None = None
) -> OutcomesClient:
    return OutcomesClient(
        key,
        ingest_url=ingest_url or SERVICE["proxy"],
        read_url=SERVICE["read"],
        attempts=20,
        timeout=1.5,
        transport=transport,
    )


def send_all(key: str, transport: httpx.BaseTransport | None = None) -> None:
    rejected: list[object] = []
    with client(key, transport=transport) as outcomes:
        with outcomes.events(batch_size=50, capacity=200, on_rejected=rejected.append) as queue:
            for number in range(EVENTS):
                queue.add(event(number))
    assert rejected == []


def test_has_every_event_stored() -> None:
    send_all(SERVICE["keys"]["unlucky"])


class Renaming(httpx.HTTPTransport):
    """Names events anew for each attempt: what a client must not do."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            events = [{**one, "event_id": str(uuid.uuid4())} for one in json.loads(request.content)["events"]]
            content = json.dumps({"events": events}).encode()
            headers = {**request.headers, "content-length": str(len(content))}
            request = httpx.Request(
                "POST", request.url, headers=headers, content=content, extensions=request.extensions
            )
        return super().handle_request(request)


def test_would_have_some_stored_twice() -> None:
    send_all(SERVICE["keys"]["mutant"], Renaming())


@pytest.fixture(name="reader")
def _reader() -> Iterator[OutcomesClient]:
    with client(SERVICE["keys"]["analysed"], SERVICE["ingest"]) as outcomes:
        yield outcomes


def test_reads_every_page_once(reader: OutcomesClient) -> None:
    names = [
        campaign.campaign_id
        for page in reader.pages(campaigns.sync_detailed, window_days=365, limit=2)
        for campaign in page.data.campaigns
    ]
    assert names == [f"campaign-{number}" for number in range(7)]
    sizes = [len(page.data) for page in reader.pages(profiles.sync_detailed, limit=3)]
    assert sizes == [3, 3, 3, 1]


def test_reads_one_answer(reader: OutcomesClient) -> None:
    answer = contact.sync("person-0", client=reader.reads)
    assert answer is not None
    assert (answer.data.known, answer.data.history.outcomes.responded) == (True, 1)


def test_asks_how_far_everything_is_and_sends_csv(reader: OutcomesClient) -> None:
    said = status.sync(client=reader.ingestion)
    assert said is not None
    assert said.batches_pending == 0
    header = "channel,sequence_step,recipient_id,sent_at,outcome_at,outcome"
    row = "email,0,person-x,2026-01-05T09:30:00Z,2026-01-08T09:30:00Z,no_response"
    assert reader.post_csv(f"{header}\n{row}\n").accepted == 1


def test_raises_refusals() -> None:
    with client("svc_wrong", SERVICE["ingest"]) as nobody, pytest.raises(AccessError):
        status.sync(client=nobody.ingestion)
