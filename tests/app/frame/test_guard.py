"""What stands before Streamlit's server: hosts on a list, short addresses, headers that forbid what nobody needs."""

import asyncio
import base64
import hashlib
import re
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ui.frame import guard

PAGE = "<html><head><script>\n window.first = 1\n</script></head><body>" + "x" * 100_000 + "</body></html>"
WANTS_PAGE = {"accept": "text/html,*/*", "accept-encoding": "gzip", "if-none-match": '"1"'}


async def _page(request):
    seen = {name: request.headers.get(name, "") for name in ("accept-encoding", "if-none-match")}
    return HTMLResponse(PAGE, headers={"etag": '"1"', "x-seen": str(seen)})


async def _data(request):
    return JSONResponse({"ok": True})


async def _talk(websocket):
    await websocket.accept()
    await websocket.send_text("hello")
    await websocket.close()


@pytest.fixture
def client():
    routes = [Route("/", _page), Route("/data", _data), WebSocketRoute("/stream", _talk)]
    app = Starlette(routes=routes, middleware=[Middleware(guard.Guard)])
    return TestClient(app, base_url="http://127.0.0.1:8501")


def rules(response):
    return dict(rule.split(" ", 1) for rule in response.headers["content-security-policy"].split("; "))


def test_nothing_foreign_may_be_fetched_and_nobody_may_frame_it(client):
    for path in ("/", "/data"):
        found = client.get(path)
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["x-frame-options"] == "DENY"
        policy = rules(found)
        assert policy["img-src"] == "'self' data: blob:"
        assert policy["connect-src"] == "'self' data: blob:"
        assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
        assert "unsafe-inline" not in policy["script-src"]
        assert "http" not in found.headers["content-security-policy"]


def test_the_page_has_the_library_of_pictures_fetched_at_once(client):
    found = client.get("/", headers=WANTS_PAGE).text
    (name,) = re.findall(r'<link rel="modulepreload" crossorigin href="./static/js/(PlotlyChart[^"]*)"></head>', found)
    assert f'import("./static/js/{name}")' in found
    assert (Path(streamlit.__file__).parent / "static" / "static" / "js" / name).stat().st_size > 10**6


def test_the_page_knows_its_server_and_its_scripts_alone_may_run(client):
    found = client.get("/", headers=WANTS_PAGE)
    (script,) = re.findall(r"<script>(.*?)</script>", found.text, re.DOTALL)
    assert script.startswith(guard.whereabouts())
    assert "window.first = 1" in script
    added = len(guard.whereabouts()) + 1 + len("".join(guard.drawing()))
    assert len(found.content) == int(found.headers["content-length"]) == len(PAGE) + added
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in rules(found)["script-src"]
    assert found.headers["x-seen"] == str({"accept-encoding": "", "if-none-match": ""})


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "localhost", "LOCALHOST:80", "[::1]:8501", "lab.example.org:8501"])
def test_hosts_on_the_list_are_answered(client, host, monkeypatch):
    monkeypatch.setenv("CONCORD_HOSTS", "other.org, Lab.example.org")
    assert client.get("/data", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.", "", "[::1", "a b"])
def test_other_hosts_are_refused_also_for_websockets(client, host):
    found = client.get("/data", headers={"host": host})
    assert found.status_code == 400
    assert "CONCORD_HOSTS" in found.text
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("/stream", headers={"host": host, "origin": f"http://{host}"}),
    ):
        pass
    assert refused.value.code == 1008


def test_websockets_of_this_machine_talk(client):
    with client.websocket_connect("ws://127.0.0.1:8501/stream") as socket:
        assert socket.receive_text() == "hello"


@pytest.mark.parametrize("origin", ["http://127.0.0.1:3000", "http://localhost:8501", "https://127.0.0.1:8501x"])
def test_pages_of_other_programs_on_this_machine_may_not_talk(client, origin, monkeypatch):
    for _ in range(2):
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(
                "ws://127.0.0.1:8501/stream", headers={"host": "127.0.0.1:8501", "origin": origin}
            ),
        ):
            pass
        assert closed.value.code == 1008
        monkeypatch.setenv("CONCORD_HOSTS", "lab.example.org")


def test_a_proxy_on_this_machine_may_have_a_port_of_its_own(client, monkeypatch):
    monkeypatch.setenv("CONCORD_HOSTS", "localhost")
    given = {"host": "127.0.0.1:8501", "origin": "http://localhost:8080"}
    with client.websocket_connect("ws://127.0.0.1:8501/stream", headers=given) as socket:
        socket.close()
    given = {"host": "localhost", "origin": "http://localhost:80"}
    monkeypatch.setenv("CONCORD_HOSTS", "")
    with client.websocket_connect("ws://localhost/stream", headers=given) as socket:
        socket.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1.evil.example", ""])
def test_foreign_pages_are_refused_before_streamlit_asks_elsewhere_who_they_are(client, origin):
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("ws://127.0.0.1:8501/stream", headers={"origin": origin}),
    ):
        pass
    assert refused.value.code == 1008


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8501", "https://Lab.example.org"])
def test_pages_under_names_on_the_list_may_talk(client, origin, monkeypatch):
    monkeypatch.setenv("CONCORD_HOSTS", "lab.example.org")
    with client.websocket_connect("ws://127.0.0.1:8501/stream", headers={"origin": origin}) as socket:
        assert socket.receive_text() == "hello"


def test_long_addresses_are_refused_shortly(client):
    assert client.get("/data?" + "a" * guard.LONGEST_QUERY).status_code == 200
    found = client.get("/data?" + "a" * (guard.LONGEST_QUERY + 1))
    assert found.status_code == 400
    assert len(found.content) < 200


def test_what_is_neither_request_nor_websocket_passes():
    passed = []

    async def inner(scope, receive, send):
        passed.append(scope["type"])

    asyncio.run(guard.Guard(inner)({"type": "lifespan"}, None, None))
    assert passed == ["lifespan"]
