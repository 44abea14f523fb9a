"""Sessions that have left are forgotten soon, with the bytes of their uploads.

Streamlit keeps a session whose browser has gone for two minutes and longer: until the next one leaves. Here it is
kept for `GRACE` seconds, in which a lost connection may come back, and then closed. The guard says when a connection
ends, on the server's event loop, where sessions may be closed.
"""

import asyncio
import time
from collections.abc import Callable

from streamlit import runtime

#: Seconds in which a browser may come back to its session.
GRACE = 30.0


class Leaving:
    """Sessions by their names, and since when nobody is connected to them.

    `alive` says whether anybody is; `close` ends a session.
    """

    def __init__(self, alive: Callable[[str], bool], close: Callable[[str], None], grace: float = GRACE):
        self._gone_since: dict[str, float | None] = {}
        self._alive, self._close, self._grace = alive, close, grace

    def arrive(self, session: str) -> None:
        """A session runs: it is here."""
        self._gone_since[session] = None

    @property
    def anybody(self) -> bool:
        """Whether a session is here, or may come back."""
        return bool(self._gone_since)

    def connection_ended(self) -> None:
        """Note who is gone, and look again when their time is over; on the event loop."""
        for session, since in list(self._gone_since.items()):
            if since is None and not self._alive(session):
                self._gone_since[session] = time.monotonic()
        asyncio.get_running_loop().call_later(self._grace + 1, self.forget)

    def forget(self) -> None:
        """Close the sessions whose time is over and who did not come back."""
        for session, since in list(self._gone_since.items()):
            if since is None or time.monotonic() - since < self._grace:
                continue
            if self._alive(session):
                self._gone_since[session] = None
            else:
                del self._gone_since[session]
                self._close(session)


def _alive(session: str) -> bool:
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def _close(session: str) -> None:
    runtime.get_instance().close_session(session)


#: Those of this server.
LEAVING = Leaving(_alive, _close)
