"""A service that answers in turn."""

from __future__ import annotations

from collections.abc import Callable

import httpx


def refusal(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    body = {"success": False, "error": code, "message": "No.", "requestId": "r-1"}
    return httpx.Response(status, json=body, headers=headers)


class InTurn:
    """Gives its answers one after the other, the last one for ever; an exception is raised."""

    def __init__(self, *answers: Callable[[], httpx.Response] | Exception) -> None:
        self.answers = answers
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer()
