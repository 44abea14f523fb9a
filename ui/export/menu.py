"""The menu at every picture: drawn in the browser, and answered here where a format needs the server.

One component of our own watches the page and hangs a button on every chart, so that no picture costs a run of the page
anything. SVG, PNG and tables are made in the visitor's browser, by the plotly library that the Python package brings; a
click on PDF or on a film runs one fragment, which has what the browser drew converted aside: a PDF whose words are text
in fonts that it holds, an animated GIF, or an MP4 where there is an ffmpeg.
"""

import json
import math
import re
import shutil
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from engine import EngineError
from engine.runtime.errors import imported
from engine.runtime.memory import require_memory, working
from engine.runtime.monitor import SILENT
from engine.runtime.side_process import SideProcessError, solve_aside
from ui.figures.style import DIFFERENCE_SCALES, GLOW_SCALES, INKS, SHARE_SCALES

#: Frames of a film, and pixels of each, at most: those of a picture 180 mm wide and as tall as a page are 3 million.
MOST_FRAMES, MOST_PIXELS = 1_000, 4_194_304
#: Bytes that a pixel of a film takes while it is made, and those that an SVG takes for each of its own.
_BYTES_A_PIXEL, _BYTES_A_BYTE = 2, 50
#: Seconds that a PDF may take, and a film: what the app draws takes a tenth of it.
SECONDS = {"pdf": 30, "gif": 90, "mp4": 180}
_CONVERTER = Path(__file__).with_name("convert_aside.py")
_PNG = b"\x89PNG\r\n\x1a\n"


def animated(frames: Sequence[bytes], kind: str, milliseconds: int = 450) -> bytes:
    """A film of PNG pictures of one size, as GIF or MP4; MissingExtraError for an MP4 without an ffmpeg."""
    sizes = {struct.unpack(">II", frame[16:24]) for frame in frames if frame[:8] == _PNG and len(frame) > 24}
    whole = all(frame[:8] == _PNG and len(frame) > 24 for frame in frames)
    if not whole or len(sizes) != 1 or len(frames) > MOST_FRAMES or math.prod(*sizes) > MOST_PIXELS:
        raise EngineError(
            f"a film is of up to {MOST_FRAMES:,} PNG pictures of one size, {MOST_PIXELS:,} pixels at most"
        )
    if kind not in ("gif", "mp4") or not 10 <= milliseconds <= 60_000:
        raise EngineError("a film is a GIF or an MP4, of frames that stand for 10 ms to a minute")
    given = {
        "frames": np.frombuffer(b"".join(frames), np.uint8),
        "stops": np.cumsum([len(frame) for frame in frames]),
        "milliseconds": np.array(milliseconds),
        "ffmpeg": np.array(ffmpeg() if kind == "mp4" else ""),
    }
    return _made(kind, given, _BYTES_A_PIXEL * math.prod(*sizes) * (len(frames) + 12))


def ffmpeg() -> str:
    """Where ffmpeg is: on the path, or inside the package that brings one; else MissingExtraError."""
    found = shutil.which("ffmpeg")
    return found or imported("imageio_ffmpeg", "A film as MP4", "imageio-ffmpeg").get_ffmpeg_exe()


#: A page as large as its picture.
_PAGE = '#set page(width: {0}mm, height: {1}mm, margin: 0pt, fill: none)\n#image("picture.svg", width: 100%)'
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)mm"[^>]*?\bheight="([\d.]+)mm"')


def as_pdf(svg: str) -> bytes:
    """A PDF of one page from an SVG whose width and height are in millimetres, in this order."""
    imported("typst", "A picture as PDF")
    size = _SIZE.search(svg)
    if size is None:
        raise EngineError("a picture must be an SVG with its width and height in mm")
    given = {"svg": np.frombuffer(svg.encode(), np.uint8), "page": np.array(_PAGE.format(*size.groups()))}
    return _made("pdf", given, _BYTES_A_BYTE * len(svg))


def _made(kind: str, given: dict[str, np.ndarray], needed: int) -> bytes:
    """What the converter makes, in a process of its own: what a browser sends may be anything."""
    with working():
        require_memory("converting a picture", needed)
        try:
            given |= {"memory": np.array(needed), "seconds": np.array(SECONDS[kind])}
            return solve_aside(_CONVERTER, given, "converting", SILENT).tobytes()
        except SideProcessError as error:
            raise EngineError(f"the picture could not be converted: {error}") from error


_HERE, _MADE = Path(__file__).parent, "_export_made"  # what was made, until the browser has it
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
    constants = {"TONES": tones(), "LOOK": (_HERE / "menu.css").read_text(), "SECONDS": SECONDS}
    lines = [f"const {name} = {json.dumps(value)}" for name, value in constants.items()]
    return "\n".join(lines + [(_HERE / name).read_text() for name in _SCRIPTS])


_menu = st.components.v2.component("concord_export", js=_script())


@st.fragment
def arm(name: str) -> None:
    """Hang the menu on every picture, with files of this name; a fragment: what it asks for runs nothing else."""
    base = st.get_option("server.baseUrlPath").strip("/")
    data = {
        "name": re.sub(r"[^\w.-]+", "-", name),
        "library": f"{'/' + base if base else ''}/component/{_library.name}/plotly.min.js",
        "made": _box().get("made"),
    }
    _menu(key="export_menu", data=data, on_wanted_change=_answer, on_had_change=_forget)


def _box() -> dict[str, Any]:
    """Where an answer lies: a run that others cut short must not touch the session on its way there, nor lose it."""
    return st.session_state.setdefault(_MADE, {})


def _answer() -> None:
    """Make what the browser asked for, or say why it cannot be made."""
    wanted, box = st.session_state["export_menu"].wanted, _box()
    if wanted and box.get("made", {}).get("id") != wanted["id"]:  # asked once more where the answer was long
        box["made"] = {"id": wanted["id"]} | converted(wanted["kind"], wanted["content"])


def _forget() -> None:
    """Let go of what the browser has; it is sent no more."""
    had, box = st.session_state["export_menu"].had, _box()
    if box.get("made", {}).get("id") == had:
        del box["made"]


def converted(kind: str, content: Any) -> dict[str, str]:
    """A PDF of an SVG, or a film of `frames` (PNG in base64) that stand so many `milliseconds` each.

    Its `content` in base64, or an `error` in words.
    """
    try:
        if kind == "pdf":
            made = as_pdf(str(content))
        else:
            made = animated([b64decode(frame) for frame in content["frames"]], kind, int(content["milliseconds"]))
    except EngineError as error:
        return {"error": str(error)}
    except (TypeError, KeyError, ValueError):
        return {"error": "a film is of pictures in base64, and of how long each stands"}
    return {"content": b64encode(made).decode("ascii")}


_MIME = {"csv": "text/csv", "py": "text/x-python", "html": "text/html", "pdf": "application/pdf"}


def download(
    words: str, content: str | bytes | Callable[[], bytes], name: str, key: str, icon: str = ":material/download:"
) -> None:
    """Offer a file; a callable `content`, which knows nothing of the session, is called when the button is pressed."""
    mime = _MIME.get(name.rpartition(".")[2], "application/octet-stream")
    st.download_button(words, content, name, mime, key=key, icon=icon, on_click="ignore")
