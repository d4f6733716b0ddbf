from __future__ import annotations

import httpx
import pytest

from answers import InTurn

from outcomes_client import OutcomesClient
from outcomes_client.read_api.api.intelligence import contact


@pytest.mark.parametrize("url", ["localhost:3002", "ingest.example.com", "/ingest", "ftp://x", "http://", ""])
def test_is_not_made_for_an_address_at_which_no_request_would_arrive(url: str) -> None:
    with pytest.raises(ValueError, match="ingest_url must be"):
        OutcomesClient("svc_key", ingest_url=url)
    with pytest.raises(ValueError, match="read_url must be"):
        OutcomesClient("svc_key", read_url=url)


@pytest.mark.parametrize("key", ["svc_\u2026", "svc_a\nb", "svc_key\n", ""])
def test_is_not_made_with_a_key_that_no_header_can_hold_and_does_not_quote_it(key: str) -> None:
    with pytest.raises(ValueError, match="^api_key is empty, or has a character that no HTTP header can have.$"):
        OutcomesClient(key)


def test_is_made_for_addresses() -> None:
    with OutcomesClient("svc_key", read_url="HTTPS://x.example/v1", ingest_url="http://[::1]:3002/"):
        pass


@pytest.mark.parametrize("contact_id", [".", "..", ""])
def test_sends_no_request_that_a_part_of_its_path_would_lead_elsewhere(contact_id: str) -> None:
    service = InTurn(lambda: httpx.Response(200, json={}))
    with OutcomesClient("svc_key", transport=httpx.MockTransport(service)) as client:
        with pytest.raises(ValueError, match="cannot be a part of an address"):
            contact.sync_detailed(contact_id, client=client.reads)
    assert service.requests == []
