"""A model server on this machine that says what a test scripts, well-behaved or not."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Act = Callable[["Handler", dict[str, Any]], None]


def says(
    text: str | None,
    *,
    finish: str | None = "stop",
    usage: tuple[int, int] | None = (100, 20),
    **fields: Any,
) -> Act:
    """Answer with these words, streamed in pieces where that is asked for."""

    def act(handler: Handler, body: dict[str, Any]) -> None:
        if body.get("stream"):
            words = text or ""
            events = [chunk(words[i : i + 5]) for i in range(0, len(words), 5)]
            handler.stream([*events, chunk("", finish), *([counts(usage)] if usage else [])])
            return
        message = {"role": "assistant", "content": text} | fields
        made: dict[str, Any] = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        }
        handler.send(200, made | ({"usage": counts(usage)["usage"]} if usage else {}))

    return act


def refuses(
    status: int, message: str, *, headers: Mapping[str, str] | None = None, **fields: Any
) -> Act:
    """Answer with an error as OpenAI writes it."""
    return lambda handler, _: handler.send(
        status, {"error": {"message": message} | fields}, headers or {}
    )


def sends(content: bytes, *, kind: str = "application/json", status: int = 200) -> Act:
    """Answer with these bytes."""
    return lambda handler, _: handler.send_bytes(status, content, kind, {})


def hangs(seconds: float) -> Act:
    """Take the request and say nothing for a while."""

    def act(handler: Handler, _: dict[str, Any]) -> None:
        handler.server.quit.wait(seconds)
        handler.close_connection = True

    return act


def breaks_off(pieces: Sequence[str]) -> Act:
    """Stream these pieces, then drop the connection without an end."""

    def act(handler: Handler, _: dict[str, Any]) -> None:
        handler.stream([chunk(piece) for piece in pieces], ended=False)

    return act


def slowly(act: Act, seconds: float) -> Act:
    """Do something after a while."""

    def later(handler: Handler, body: dict[str, Any]) -> None:
        time.sleep(seconds)
        act(handler, body)

    return later


def chunk(text: str, finish: str | None = None) -> dict[str, Any]:
    """Return one event of a stream."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "choices": [choice]}


def counts(usage: tuple[int, int]) -> dict[str, Any]:
    """Return token counts as the last event of a stream."""
    prompt, completion = usage
    told = {"prompt_tokens": prompt, "completion_tokens": completion}
    return {"choices": [], "usage": told | {"total_tokens": prompt + completion}}


@dataclass
class Asked:
    """A request as it came in."""

    path: str
    authorization: str
    body: dict[str, Any]


@dataclass
class ModelServer:
    """A running server: its address, and what it was asked."""

    base_url: str
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [asked.body for asked in self.asked]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    state: ModelServer
    answer: Callable[[dict[str, Any]], Act]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.quit = threading.Event()
        self.lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        known = self.path.endswith("/models")
        self.send(200 if known else 404, {"object": "list", "data": [{"id": "small"}]})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        state = self.server.state
        with self.server.lock:
            state.asked.append(Asked(self.path, self.headers.get("Authorization", ""), body))
            state.at_once += 1
            state.most_at_once = max(state.most_at_once, state.at_once)
            act = self.server.answer(body)
        try:
            if self.path.endswith(("/v1/chat/completions", "/v1/embeddings")):
                act(self, body)
            else:
                self.send(404, {"error": {"message": "404 page not found"}})
        finally:
            with self.server.lock:
                state.at_once -= 1

    def send(self, status: int, made: Any, headers: Mapping[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(made).encode(), "application/json", headers or {})

    def send_bytes(
        self, status: int, content: bytes, kind: str, headers: Mapping[str, str]
    ) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(content)))):
            self.send_header(name, value)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def stream(self, events: Sequence[Any], *, ended: bool = True) -> None:
        self.begin_stream()
        for event in events:
            self.piece(event)
        if ended:
            self.end_stream()
        self.close_connection = not ended

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, event: Any) -> None:
        self._write(f"data: {json.dumps(event)}\n\n".encode())

    def end_stream(self) -> None:
        self._write(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _write(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        self.wfile.flush()


@contextmanager
def serving(*acts: Act, by: Callable[[dict[str, Any]], Act] | None = None) -> Iterator[ModelServer]:
    """Run a server that does these in turn, the last one ever after, or what `by` says."""
    server = Server()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.state = ModelServer(address)
    left = list(acts)
    server.answer = by or (lambda _: left.pop(0) if len(left) > 1 else left[0])
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.state
    finally:
        server.quit.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def only_this_machine() -> Iterator[list[str]]:
    """Refuse every connection to another host, and every look-up of one; yield who was called."""
    called: list[str] = []
    plain_connect, plain_look_up = socket.socket.connect, socket.getaddrinfo

    def checked(host: object) -> None:
        called.append(str(host))
        if host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a connection to {host!r}")

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            checked(address[0])
        plain_connect(self, address)

    def look_up(host: Any, *more: Any, **named: Any) -> Any:
        checked(host)
        return plain_look_up(host, *more, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket.socket, "connect", connect)
        patched.setattr(socket, "getaddrinfo", look_up)
        yield called
