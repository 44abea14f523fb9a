"""Nothing outside is fetched, whatever a link says, and no foreign name reaches the app."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote

import pytest

from bench.serving import Server
from tests.browser.conftest import ROOT, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def listener():
    """Address of a server that notes what it is asked for."""
    heard = []

    class Note(BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            heard.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Note)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", heard
    server.shutdown()


def test_a_link_with_markup_fetches_nothing(visitor, listener):
    address, heard = listener
    picture = quote(f"![x]({address}/picture)")
    visitor.open(f"/consensus?data=iris&m=6&zzz={picture}&theta={picture}&{picture}=1").sees("In the link")
    assert heard == []
    assert visitor.page.locator(f'img[src*="{address}"]').count() == 0


def test_an_address_in_a_link_is_no_link(visitor):
    visitor.open("/consensus?data=iris&m=6&zzz=" + quote("see http://a.example/b, www.a.example or me@a.example"))
    visitor.sees("In the link")
    assert visitor.page.locator('a[href*="a.example"]').count() == 0


@pytest.mark.parametrize(
    "words",
    ["http&colon;//a.example/x", "www&period;a.example", "me&commat;a.example", "&copy; f", "&lt;b&gt;g"]
    + [":material/home: b", ":smile: a", ":+1: e", ":heart_eyes: c"],
)
def test_words_in_a_link_stay_words(visitor, words):
    visitor.open("/consensus?data=iris&m=6&zzz=" + quote(words)).sees("In the link")
    said = visitor.page.get_by_text("In the link").first.inner_text()
    assert words in said.replace("\N{WORD JOINER}", "")
    assert visitor.page.locator('a[href*="a.example"]').count() == 0


def test_the_page_itself_may_not_fetch_from_elsewhere(chromium, server, listener):
    address, heard = listener
    page = chromium.new_page()
    page.goto(f"{server}/?data=iris&m=6")
    page.wait_for_load_state()
    page.evaluate(
        """async (address) => {
            const image = new Image()
            image.src = address + '/image'
            document.body.append(image)
            await fetch(address + '/fetch', {mode: 'no-cors'}).catch(() => {})
            await new Promise((done) => setTimeout(done, 500))
        }""",
        address,
    )
    page.close()
    assert heard == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80"])
def test_a_websocket_for_a_foreign_host_is_refused(server, host):
    name, port = server.removeprefix("http://").split(":")
    with socket.create_connection((name, int(port)), 10) as line:
        wish = f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
        wish += (
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        line.sendall(wish.encode())
        assert b" 403 " in line.recv(1000).split(b"\r\n")[0]


def test_below_a_path_of_a_server_all_pages_answer(chromium, tmp_path):
    """A deep link, a click, Back, and an old address of a page, which is brought into its present form."""
    served = Server(ROOT, tmp_path, path="/teaching/concord")
    try:
        page = chromium.new_page()
        visitor = Visitor(page, served.address)
        visitor.open("/consensus?data=iris&m=6").sees("Which partition settles it?")
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        visitor.goes_to("Lessons").url_says("/teaching/concord/lessons")
        page.go_back()
        visitor.url_says("/teaching/concord/consensus")
        visitor.open("/tuning?data=iris&m=6").sees("which setting, would you bet on?")
        page.close()
    finally:
        served.stop()
