"""Painting: points of a few classes drawn by hand, and the data set of this session that they become."""

import math
from pathlib import Path
from typing import Any

import streamlit as st

from data import DataError
from ui.compute import uploads
from ui.figures.style import PALETTE
from ui.saying import counted
from ui.session.state import change
from ui.widgets.progress import explain

#: Points of a painting: fewer make no clusters, more no longer follow the hand.
LEAST, MOST = 10, 2_000
#: Classes, in the colours that truth has on all pages; how wide the paper is for a height of 1.
N_CLASSES, WIDTH = 6, 1.5
FILE = "painted.csv"

_PAINTED, _REFUSED = "_painted", "_paint_refused"
_parts = {part: Path(__file__).with_name(f"paint.{part}").read_text() for part in ("html", "css", "js")}
_paper = st.components.v2.component("concord_paint", **_parts)


def paint() -> None:
    """The paper, and what was painted on it as a file."""
    with st.expander("Paint points", icon=":material/brush:"):
        data = {"colours": PALETTE[:N_CLASSES], "least": LEAST, "most": MOST}
        _paper(key="paint", data=data, on_painted_change=_take)
        if (refused := st.session_state.get(_REFUSED)) is not None:
            explain(refused)
        if _PAINTED in st.session_state:
            _, content = st.session_state[_PAINTED]
            st.download_button(
                "What was used (CSV)", content, FILE, "text/csv", key="get_painted", icon=":material/download:",
                on_click="ignore",
            )  # fmt: skip


def _take() -> None:
    """Make what the browser sent the data set of all pages, in place of an earlier painting; or keep why not."""
    sent = st.session_state["paint"].painted
    st.session_state.pop(_REFUSED, None)
    if sent is None:
        return
    try:
        content = as_csv(points(sent))
        made = uploads.keep_file(FILE, content, "features")
    except DataError as error:
        st.session_state[_REFUSED] = error
        return
    before, _ = st.session_state.get(_PAINTED, ("", b""))
    known = st.session_state.setdefault("uploads", [])
    known[:] = [one for one in known if one not in (before, made.id)] + [made.id]
    st.session_state[_PAINTED] = made.id, content
    change(data=made.id)


def points(sent: Any) -> list[tuple[float, float, int]]:
    """What the browser sent as points: x from 0 to `WIDTH`, y from 0 to 1, number of a class; DataError otherwise."""
    if not isinstance(sent, list):
        raise DataError("What was painted did not arrive whole. Press Use these points again.")
    if not LEAST <= len(sent) <= MOST:
        raise DataError(f"A painting has {LEAST} to {MOST:,} points, and this one {counted(len(sent), 'point')}.")
    if not all(map(_is_point, sent)):
        raise DataError("What was painted holds something that is no point. Press Clear, and paint again.")
    return [(float(x), float(y), int(label)) for x, y, label in sent]


def _is_point(one: Any) -> bool:
    """Whether this is a place on the paper with a class."""
    if not isinstance(one, list | tuple) or len(one) != 3 or not all(type(value) in (int, float) for value in one):
        return False
    x, y, label = one
    return (
        all(map(math.isfinite, one))
        and 0 <= x <= WIDTH
        and 0 <= y <= 1
        and label == int(label)
        and 0 <= label < N_CLASSES
    )


def as_csv(found: list[tuple[float, float, int]]) -> bytes:
    r"""Points as a file: x, y and, where there are several, the class, numbered from 1 as on the paper.

    >>> as_csv([(0.5, 0.25, 0), (1.5, 1.0, 2)])
    b'x,y,class\n0.5,0.25,1\n1.5,1.0,3\n'
    """
    if len({label for _, _, label in found}) == 1:
        rows = ["x,y"] + [f"{x},{y}" for x, y, _ in found]
    else:
        rows = ["x,y,class"] + [f"{x},{y},{label + 1}" for x, y, label in found]
    return ("\n".join(rows) + "\n").encode()
