"""A visitor without a browser: speaks Streamlit's own protocol over a WebSocket, as the page does."""

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState, FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
_VALUES = {"slider": "double_array_value", "number_input": "double_value", "button": "trigger_value"}
_VALUES["file_uploader"] = "file_uploader_state_value"
#: Seconds a run may take before the visitor gives up, and of silence after which a request was part of an earlier run.
PATIENCE, SILENCE = 120.0, 10.0


@dataclass
class _Widget:
    id: str
    kind: str
    fragment: str
    label: str = ""
    choices: tuple[str, ...] = ()  # of a slider over a list, which reports the chosen word


@dataclass(eq=False)
class Visitor:
    """One session of the app.

    Attributes
    ----------
    address : str
        "127.0.0.1:8501".
    errors : list of str
        What went wrong, as the pages or the protocol say it.
    """

    address: str
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        origin = f"http://{self.address}"
        options: dict[str, Any] = {"origin": origin, "max_size": None, "subprotocols": ["streamlit"]}
        self._line = ExitStack()
        self._socket = self._line.enter_context(connect(f"ws://{self.address}/_stcore/stream", **options))
        self._widgets: dict[str, _Widget] = {}
        self._values: dict[str, tuple[str, Any]] = {}
        self._polls: dict[str, float] = {}
        self._where: tuple[str, str] = "", ""
        self._went = 0
        self._words: list[str] = []
        self._session, self._promised = "", list[FileURLs]()
        self._in_fragment = self._running = False
        self._heard = time.perf_counter()

    def open(self, page: str, **query: str) -> float:
        """Go to a page ("" is Start), as Back and Forward do, and wait until it rests; seconds."""
        self._went += 1  # history.js says so, too
        self._where = page, urlencode(query | {"went": self._went})
        self._widgets.clear()
        self._words.clear()
        self._values.clear()
        self._polls.clear()
        return self._run()

    def move(self, key: str, share: float, low: float = 0, high: float = 1) -> float:
        """Move a slider to a share of its way, or type a number between two; and wait until the page rests; seconds."""
        widget = self._widgets[key]
        kind, value = _VALUES[widget.kind], round(low + share * (high - low))
        if widget.choices:
            place = round(share * (len(widget.choices) - 1))
            self._values[widget.id] = "string_array_value", [widget.choices[place]]
        else:
            self._values[widget.id] = kind, [value] if kind == "double_array_value" else value
        return self._run(widget.fragment)

    def press(self, key: str, wait: bool = True) -> float:
        """Press a button; with `wait`, wait until the page rests."""
        widget = self._widgets[key]
        return self._run(widget.fragment, {widget.id: ("trigger_value", True)}, wait)

    def bring(self, key: str, filename: str, content: bytes, wait: bool = True) -> float:
        """Hand a file to an uploader; with `wait`, wait until the page rests."""
        begun, message = time.perf_counter(), BackMsg()
        message.file_urls_request.file_names.append(filename)
        message.file_urls_request.session_id = self._session
        self._socket.send(message.SerializeToString())
        while not self._promised:
            self._take(begun, SILENCE)
        there = self._promised.pop()
        self._put(there.upload_url, filename, content)
        state = FileUploaderState()
        info = state.uploaded_file_info.add(name=filename, size=len(content), file_id=there.file_id)
        info.file_urls.CopyFrom(there)
        widget = self._widgets[key]
        self._values[widget.id] = _VALUES[widget.kind], state
        return self._run(widget.fragment, wait=wait)

    def _put(self, path: str, filename: str, content: bytes) -> None:
        """Send the bytes, as a browser sends a form, with the server's token against forged requests."""
        with urlopen(f"http://{self.address}/_stcore/health") as answer:
            cookie = answer.headers["set-cookie"].split(";")[0]
        edge = "----concord"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'
        headers = {"Content-Type": f"multipart/form-data; boundary={edge}", "Cookie": cookie}
        headers["X-Xsrftoken"] = cookie.partition("=")[2].strip('"')
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        urlopen(Request(f"http://{self.address}{path}", body, headers, method="PUT")).close()

    def has(self, key: str) -> bool:
        """Whether the page has a widget under a key."""
        return key in self._widgets

    def says(self, words: str) -> bool:
        """Whether the page, since it was opened, has had these words in its text."""
        return any(words in text for text in self._words)

    def hear(self, seconds: float) -> None:
        """Take what comes in so many seconds."""
        self._hear(seconds, time.perf_counter())

    def label(self, key: str) -> str:
        """What stands on a widget."""
        return self._widgets[key].label

    def close(self) -> None:
        """Leave."""
        self._line.close()

    def _run(self, fragment: str = "", pressed: dict | None = None, wait: bool = True) -> float:
        begun = time.perf_counter()
        self._send(fragment, pressed or {})
        self._listen(begun)
        while wait and self._polls:
            name, interval = next(iter(self._polls.items()))
            self._hear(interval, begun)
            if name in self._polls:
                self._send(name, {}, is_auto=True)
                self._listen(begun)
        return self._heard - begun

    def _send(self, fragment: str, pressed: dict, is_auto: bool = False) -> None:
        message = BackMsg()
        self._in_fragment = bool(fragment)
        asked = message.rerun_script
        asked.page_name, asked.query_string = self._where
        asked.fragment_id, asked.is_auto_rerun = fragment, is_auto
        for widget, (kind, value) in {**self._values, **pressed}.items():
            state = asked.widget_states.widgets.add()
            state.id = widget
            if isinstance(value, list):
                getattr(state, kind).data.extend(value)
            elif isinstance(value, FileUploaderState):
                getattr(state, kind).CopyFrom(value)
            else:
                setattr(state, kind, value)
        self._socket.send(message.SerializeToString())

    def _listen(self, begun: float) -> None:
        """Take what comes until a run has ended; the server may have answered two requests by one run."""
        ended = False
        while not ended:
            try:
                ended = self._take(begun, SILENCE)
            except TimeoutError:
                ended = not self._running
                if time.perf_counter() - begun > PATIENCE:
                    raise

    def _hear(self, seconds: float, begun: float) -> None:
        """Take what comes in so many seconds: a page may run anew by itself."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            try:
                self._take(begun, left)
            except TimeoutError:
                return

    def _take(self, begun: float, patience: float) -> bool:
        """Take one message; whether it ends a run."""
        if time.perf_counter() - begun > PATIENCE:
            self.errors.append(f"no rest after {PATIENCE:.0f} s on {self._where[0] or 'start'}")
            self._polls.clear()
            return True
        message = ForwardMsg.FromString(self._socket.recv(timeout=patience))
        kind = message.WhichOneof("type")
        self._heard = time.perf_counter()
        if kind == "new_session":
            self._running = True
            self._session = message.new_session.initialize.session_id
            if not self._in_fragment:
                self._polls.clear()
            self._in_fragment = False  # what follows unasked is the whole page
        elif kind == "auto_rerun":
            self._polls[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            self._polls.clear()
        elif kind == "file_urls_response":
            self._promised += message.file_urls_response.file_urls
        elif kind == "delta":
            self._note(message.delta)
        elif kind == "session_event" and message.session_event.WhichOneof("type") == "script_compilation_exception":
            self.errors.append("the script does not compile")
        elif kind == "script_finished":
            self._running = False
            return message.script_finished in _ENDS
        return False

    def _note(self, delta: Any) -> None:
        """Remember widgets, and errors the page shows."""
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind in _VALUES:
            found = getattr(element, kind)
            choices = tuple(found.options) if kind == "slider" else ()
            self._widgets[found.id.split("-", 2)[-1]] = _Widget(found.id, kind, delta.fragment_id, found.label, choices)
        elif kind == "markdown":
            self._words.append(element.markdown.body)
        elif kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}"[:200])
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.errors.append(element.alert.body[:200])
