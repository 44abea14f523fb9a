"""What every answer of the server promises a browser: nothing foreign is fetched, nobody else's page holds this one.

Streamlit sets none of this. The guard stands before it (Starlette middleware, see `app.py`): Host names are on a list,
also for WebSockets; addresses are short; what arrives is counted; headers forbid what the app never does.
Sources: OWASP, "Content Security Policy Cheat Sheet" and "HTTP Headers Cheat Sheet".

Streamlit bounds one upload, not all of them together: whoever has a session could fill the memory of the server. So the
bytes of a body hold a share of the account while they come, beside what Streamlit keeps already. And any visitor may
tell it to clear the caches of everybody, jobs included (`BackMsg.clear_cache`).
"""

import base64
import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import streamlit
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.config import get_option
from streamlit.proto.BackMsg_pb2 import BackMsg

from engine import TooLargeError
from engine.runtime.memory import ACCOUNT, Share
from ui.frame.leaving import LEAVING
from ui.session.state import LONGEST_QUERY

#: Requests that bring a body.
METHODS = ("PUT", "POST", "PATCH")
#: Bytes for which the account is asked at a time.
STEP = 8 * 2**20
#: Bytes of a refused body that are taken all the same; after that the connection is cut.
MOST_LET_GO = 2**29
#: Messages that are for the server as a whole, which no visitor speaks for.
DROPPED = ("clear_cache",)


def kept_by_streamlit() -> int:
    """Bytes of all uploads of all sessions that Streamlit holds."""
    if not runtime.exists():
        return 0
    found = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(one.byte_length for stats in found.values() for one in stats)  # type: ignore[attr-defined]


class Body:
    """The body of one request; `refusal` is why the rest of it is not read."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive, self._shares = receive, list[Share]()
        self._seen, self._more = 0, True
        self.refusal = ""
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal():
            self._hold(int(declared[:18]))
            self.give_back()  # what was only promised keeps no room from others

    async def __call__(self) -> Message:
        """The next part, or the end of the connection once there is no room."""
        message = await self._next()
        held = sum(share.n_bytes for share in self._shares)
        if self._seen > held:
            self._hold(max(STEP, self._seen - held))
        return {"type": "http.disconnect"} if self.refusal else message

    async def _next(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        self._more = message.get("more_body", False)
        return message

    async def let_go(self) -> None:
        """Take the rest and keep none of it: who still sends does not hear an answer."""
        while self._more and self._seen < MOST_LET_GO:
            await self._next()

    def _hold(self, n_bytes: int) -> None:
        kept = kept_by_streamlit()
        try:
            share = ACCOUNT.ask("This upload, with those that are here", kept + n_bytes)
        except TooLargeError as error:
            self.refusal = f"{error}. Try again once others have closed their pages."
            return
        share.resize(n_bytes)
        self._shares.append(share)

    def give_back(self) -> None:
        """Give the share back: what has arrived is Streamlit's now, or gone."""
        for share in self._shares:
            share.give_back()
        self._shares.clear()


async def counted(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Hand a request with a body on, and answer 413 where there is no room for it."""
    body = Body(scope, receive)

    async def answer(message: Message) -> None:
        if not body.refusal:
            await send(message)

    try:
        if not body.refusal:
            await app(scope, body, answer)
    except ClientDisconnect:
        if not body.refusal:
            raise
    finally:
        body.give_back()
    if body.refusal:
        await body.let_go()
        await PlainTextResponse(body.refusal, 413)(scope, receive, send)


def heard(receive: Receive) -> Receive:
    """What comes over a WebSocket, without messages that are not a visitor's to send."""

    async def next_one() -> Message:
        while is_dropped(message := await receive()):
            pass
        return message

    return next_one


def is_dropped(message: Message) -> bool:
    """Whether a message is one that Streamlit is not to hear."""
    told = BackMsg()
    try:
        told.ParseFromString(message.get("bytes") or b"")
    except DecodeError:  # Streamlit says so and closes the connection
        return False
    return told.WhichOneof("type") in DROPPED


#: Hosts that may always be asked for: this machine by its own names.
LOOPBACK = ("localhost", "127.0.0.1", "::1")
#: What draws pictures, and is fetched and read while the first of them is still computed: it takes a second.
DRAWING = "PlotlyChart.*.js"
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_FIXED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Middleware around Streamlit's server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is foreign, and add headers to the rest."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif (reason := refusal(scope)) is None and scope["type"] == "websocket":
            try:
                await self._app(scope, heard(receive), send)
            finally:
                LEAVING.connection_ended()
        elif reason is None and scope["method"] in METHODS:
            await counted(self._app, scope, receive, _Answer(send))
        elif reason is None:
            await self._app(_plainly(scope), receive, _Answer(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
        else:
            await PlainTextResponse(reason, 400)(scope, receive, send)


def refusal(scope: Scope) -> str | None:
    """Why a request is not answered; None if it is."""
    if len(scope["query_string"]) > LONGEST_QUERY:
        return f"The address is too long: at most {LONGEST_QUERY:,} characters after the question mark"
    headers = Headers(scope=scope)
    names = [_name(headers.get("host", ""))]
    if scope["type"] == "websocket" and "origin" in headers:  # Streamlit would ask a server far away for our address
        names.append(_name(headers["origin"].partition("//")[2]))
        if names[1] in LOOPBACK and names[1] not in further_hosts() and not _own_page(headers):
            return "This page is of another program on this machine, and may not talk to this one"
    if not set(names) <= set(allowed_hosts()):
        return "This host name is not on the list. The variable CONCORD_HOSTS names further ones, separated by commas"
    return None


def _plainly(scope: Scope) -> Scope:
    """A request for the page itself, without what would bring it packed, or not at all: a script is added to it."""
    if b"text/html" not in dict(scope["headers"]).get(b"accept", b""):
        return scope
    dropped = (b"accept-encoding", b"if-none-match", b"if-modified-since")
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in dropped]}


def allowed_hosts() -> tuple[str, ...]:
    """Names under which the app may be asked for: loopback, and those in CONCORD_HOSTS."""
    return (*LOOPBACK, *further_hosts())


def further_hosts() -> tuple[str, ...]:
    """Names in CONCORD_HOSTS, whose pages may come by any port: proxies have their own."""
    further = os.environ.get("CONCORD_HOSTS", "").split(",")
    return tuple(name.strip().lower() for name in further if name.strip())


def _own_page(headers: Headers) -> bool:
    """Whether the page that asks came from the address it asks, its port included."""
    scheme, _, origin = headers["origin"].partition("//")
    port = {"http:": ":80", "https:": ":443"}.get(scheme, "")
    own = headers.get("host", "").lower()
    return own in (origin.lower(), f"{origin.lower()}{port}", origin.lower().removesuffix(port or "-"))


def _name(host: str) -> str:
    """The host of a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


class _Answer:
    """The way back: headers for everything, and for the page itself its script and their hashes."""

    def __init__(self, send: Send) -> None:
        self._send, self._body = send, b""
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _FIXED.items():
                headers[name] = value
            if headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers:
                self._start = message  # its body is needed first
                return
            headers["content-security-policy"] = policy(())
        elif self._start is not None:
            self._body += message.get("body", b"")
            if message.get("more_body"):
                return
            message = await self._page()
        await self._send(message)

    async def _page(self) -> Message:
        """Send the head of the page, and hand back its body."""
        assert self._start is not None
        link, begin = drawing()
        body = self._body.replace(b"<script>", f"<script>{whereabouts()};{begin}".encode(), 1)
        body = body.replace(b"</head>", f"{link}</head>".encode(), 1)
        headers = MutableHeaders(scope=self._start)
        headers["content-security-policy"] = policy(_INLINE.findall(body))
        headers["content-length"] = str(len(body))
        start, self._start = self._start, None
        await self._send(start)
        return {"type": "http.response.body", "body": body}


def whereabouts() -> str:
    """Tells Streamlit's page where its server is: it would try every part of a deep link, and find nothing."""
    path = f"{get_option('server.baseUrlPath').strip('/')}/".lstrip("/")
    return f"window.__streamlit = {{BACKEND_BASE_URL: window.location.origin + {json.dumps('/' + path)}}}"


@cache
def drawing() -> tuple[str, str]:
    """What has a browser fetch the library of pictures at once, and run it; nothing where it is kept elsewhere."""
    scripts = Path(streamlit.__file__).parent / "static" / "static" / "js"
    for one in scripts.glob(DRAWING):
        link = f'<link rel="modulepreload" crossorigin href="./static/js/{one.name}">'
        return link, f'addEventListener("load", () => import("./static/js/{one.name}").catch(() => {{}}));'
    return "", ""


def policy(scripts: tuple[bytes, ...] | list[bytes]) -> str:
    """The Content-Security-Policy; of scripts inside a page only these run.

    Plotly's WebGL traces compile their loops (`unsafe-eval`), Streamlit styles elements one by one.
    """
    hashes = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' 'unsafe-eval' blob: {allowed}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "connect-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
