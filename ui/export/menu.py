"""The menu at every picture: drawn in the browser, and answered here where a format needs the server.

One component of our own watches the page and hangs a button on every chart, so that no picture costs a run of the page
anything. SVG, PNG and tables are made in the visitor's browser, by the plotly library that the Python package brings; a
click on PDF or on a film runs one fragment, which converts what the browser drew.
"""

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from engine import EngineError
from ui.export.films import animated
from ui.export.pdf import as_pdf
from ui.figures.style import DIFFERENCE_SCALES, GLOW_SCALES, INKS, SHARE_SCALES
from ui.session.state import config

_HERE, _MADE = Path(__file__).parent, "_export_made"
_SCRIPTS = ("files.js", "data.js", "paper.js", "pictures.js", "menu.js")
#: The folder that holds plotly's own library, served as the files of a component are.
_library = declare_component("plotly_library", path=Path(plotly.__file__).parent / "package_data")


def tones() -> dict[str, Any]:
    """Colours of the dark theme and whole scales, each with that of the light one."""
    dark, light = INKS["dark"], INKS["light"]
    inks = {getattr(dark, name): getattr(light, name) for name in vars(dark)}
    scales = [{name: one[name] for name in ("dark", "light")} for one in (DIFFERENCE_SCALES, GLOW_SCALES, SHARE_SCALES)]
    return {"inks": inks, "scales": scales}


def _script() -> str:
    constants = {"TONES": tones(), "LOOK": (_HERE / "menu.css").read_text()}
    lines = [f"const {name} = {json.dumps(value)}" for name, value in constants.items()]
    return "\n".join(lines + [(_HERE / name).read_text() for name in _SCRIPTS])


_menu = st.components.v2.component("concord_export", js=_script())


@st.fragment
def arm() -> None:
    """Hang the menu on every picture; a fragment, so that what it asks for runs nothing else."""
    base = st.get_option("server.baseUrlPath").strip("/")
    data = {
        "name": config().data,
        "library": f"{'/' + base if base else ''}/component/{_library.name}/plotly.min.js",
        "made": st.session_state.pop(_MADE, None),
    }
    _menu(key="export_menu", data=data, on_wanted_change=_answer)


def _answer() -> None:
    """Make what the browser asked for, or say why it cannot be made."""
    wanted = st.session_state["export_menu"].wanted
    if wanted:
        st.session_state[_MADE] = {"id": wanted["id"]} | converted(wanted["kind"], wanted["content"])


def converted(kind: str, content: Any) -> dict[str, str]:
    """A PDF of an SVG, or a film of `frames` (PNG in base64) that stand so many `milliseconds` each.

    Its `content` in base64, or an `error` in words.
    """
    try:
        if kind == "pdf":
            made = as_pdf(content)
        else:
            made = animated([b64decode(frame) for frame in content["frames"]], kind, int(content["milliseconds"]))
    except EngineError as error:
        return {"error": str(error)}
    return {"content": b64encode(made).decode("ascii")}
