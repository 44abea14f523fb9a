"""What arrives is counted against the account, and nobody clears what is everybody's."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg

from engine.runtime.memory import Account
from ui.frame import guard

MB = 2**20


@pytest.fixture
def client(monkeypatch):
    """A server that keeps what it is sent, as Streamlit does, in front of an account of 40 MB."""
    kept, seen, shares = [], [], []
    account = Account()  # that of the process holds what other tests have left
    monkeypatch.setattr(guard, "ACCOUNT", account)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", str(40 * MB))
    monkeypatch.setattr(guard, "kept_by_streamlit", lambda: sum(map(len, kept)))

    async def put(request):
        body = b""
        async for part in request.stream():
            body += part
            shares.append(account.held)
        kept.append(body)
        return PlainTextResponse("kept", 204)

    async def talk(websocket):
        await websocket.accept()
        while (told := await websocket.receive_bytes()) != b"end":
            seen.append(told)
        await websocket.close()

    routes = [Route("/{path:path}", put, methods=["PUT"]), WebSocketRoute("/stream", talk)]
    app = Starlette(routes=routes, middleware=[Middleware(guard.Guard)])
    found = TestClient(app, base_url="http://127.0.0.1:8501")
    found.kept, found.seen, found.shares, found.account = kept, seen, shares, account
    yield found
    assert account.held == 0


def parts(n_bytes, size=MB):
    """A body of unknown length."""
    for _ in range(n_bytes // size):
        yield b"x" * size


@pytest.mark.parametrize("content", [lambda n: b"x" * n, parts], ids=["declared", "in parts"])
def test_uploads_of_a_session_end_where_the_account_does(client, content):
    answers = [client.put("/_stcore/upload_file/s/f", content=content(12 * MB)).status_code for _ in range(20)]
    assert answers == [204] * 3 + [413] * 17
    assert sum(map(len, client.kept)) == 36 * MB
    refused = client.put("/_stcore/upload_file/s/f", content=content(12 * MB))
    assert refused.text.startswith("This upload, with those that are here needs")
    assert refused.headers["x-content-type-options"] == "nosniff"


def test_what_is_under_way_holds_its_share_and_gives_it_back(client):
    assert client.put("/_stcore/upload_file/s/f", content=parts(20 * MB)).status_code == 204
    assert max(client.shares) >= 20 * MB
    assert len(client.kept[0]) == 20 * MB


def test_a_length_that_is_none_and_small_bodies_pass(client):
    assert client.put("/a", content=b"x", headers={"content-length": "1"}).status_code == 204
    assert client.put("/a", content=parts(0)).status_code == 204
    with client.account.hold(40 * MB):
        assert client.put("/a", content=b"x" * 8 * MB).status_code == 413
        assert client.get("/a").status_code == 405


def test_nobody_clears_the_caches_of_everybody(client):
    heartbeat, both = BackMsg(app_heartbeat=True).SerializeToString(), BackMsg(stop_script=True).SerializeToString()
    clear = BackMsg(clear_cache=True).SerializeToString()
    with client.websocket_connect("ws://127.0.0.1:8501/stream") as socket:
        for told in (clear, heartbeat, clear, both + clear, clear + both, b"\xff no message", b"end"):
            socket.send_bytes(told)
        assert socket.receive()["type"] == "websocket.close"
    assert client.seen == [heartbeat, clear + both, b"\xff no message"]


def test_the_rest_of_a_refused_body_is_taken_and_not_kept(client):
    left, answers = [{"type": "http.request", "body": b"x" * MB, "more_body": n > 0} for n in range(60)], []

    async def receive():
        return left.pop()

    async def send(message):
        answers.append((message["type"], message.get("status"), len(left)))

    async def app(scope, receive, send):
        while (await receive())["type"] != "http.disconnect":
            pass
        raise ClientDisconnect

    scope = {"type": "http", "method": "PUT", "headers": []}
    asyncio.run(guard.counted(app, scope, receive, send))
    assert answers[0] == ("http.response.start", 413, 0)
