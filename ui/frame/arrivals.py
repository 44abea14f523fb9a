"""What arrives from a browser, before Streamlit sees it: bodies are counted, and what would touch others is dropped.

Streamlit bounds one upload, not all of them together: whoever has a session could fill the memory of the server. So the
bytes of a body hold a share of the account while they come, beside what Streamlit keeps already. And any visitor may
tell it to clear the caches of everybody, jobs included (`BackMsg.clear_cache`).
"""

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg

from engine import TooLargeError
from engine.runtime.memory import ACCOUNT, Share

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
