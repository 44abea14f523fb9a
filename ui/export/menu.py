"""The menu at every picture: drawn in the browser, and answered here where a format needs the server.

One component of our own watches the page and hangs a button on every chart, so that no picture costs a run of the page
anything. SVG, PNG and tables are made in the visitor's browser, by the plotly library that the Python package brings; a
click on PDF or on a film runs one fragment, which converts what the browser drew: a PDF whose words are text in fonts
that it holds, an animated GIF, or an MP4 where there is an ffmpeg.
"""

import io
import json
import re
import shutil
import subprocess
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from PIL import Image
from streamlit.components.v1 import declare_component

from engine import EngineError
from engine.runtime.errors import imported
from ui.export.script import file_name
from ui.figures.style import DIFFERENCE_SCALES, GLOW_SCALES, INKS, SHARE_SCALES
from ui.session.state import config

#: A frame stands as many times longer where a film ends.
_AT_THE_END = 4


def animated(frames: Sequence[bytes], kind: str, milliseconds: int = 450) -> bytes:
    """A film of PNG pictures of one size, as GIF or MP4; MissingExtraError for an MP4 without an ffmpeg."""
    return _gif(frames, milliseconds) if kind == "gif" else _mp4(frames, milliseconds)


def _gif(frames: Sequence[bytes], milliseconds: int) -> bytes:
    """All frames with one palette, so that what does not move does not flicker."""
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    palette = _side_by_side([pictures[0], pictures[len(pictures) // 2], pictures[-1]]).quantize(255)
    drawn = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
    held = io.BytesIO()
    stand = [milliseconds] * (len(drawn) - 1) + [_AT_THE_END * milliseconds]
    drawn[0].save(held, "GIF", save_all=True, append_images=drawn[1:], duration=stand, loop=0, optimize=False)
    return held.getvalue()


def _side_by_side(pictures: Sequence[Image.Image]) -> Image.Image:
    """One picture of several: what a palette must serve."""
    width, height = pictures[0].size
    whole = Image.new("RGB", (width * len(pictures), height))
    for place, one in enumerate(pictures):
        whole.paste(one, (place * width, 0))
    return whole


def _mp4(frames: Sequence[bytes], milliseconds: int) -> bytes:
    """Written to a file aside: the format needs to go back to its beginning."""
    with tempfile.TemporaryDirectory(prefix="concord-") as aside:
        out = Path(aside) / "film.mp4"
        command = [ffmpeg(), "-loglevel", "error", "-f", "image2pipe", "-framerate", f"1000/{milliseconds}", "-i", "-"]
        command += ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-r", "25", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        still = b"".join([*frames, *[frames[-1]] * (_AT_THE_END - 1)])
        done = subprocess.run([*command, str(out)], input=still, capture_output=True, check=False)
        if done.returncode != 0 or not out.is_file():
            raise EngineError(f"ffmpeg could not make the film: {done.stderr.decode(errors='replace').strip()}")
        return out.read_bytes()


def ffmpeg() -> str:
    """Where ffmpeg is: on the path, or inside the package that brings one; else MissingExtraError."""
    found = shutil.which("ffmpeg")
    return found or imported("imageio_ffmpeg", "A film as MP4", "imageio-ffmpeg").get_ffmpeg_exe()


#: A page as large as its picture.
_PAGE = '#set page(width: {0}mm, height: {1}mm, margin: 0pt, fill: none)\n#image("picture.svg", width: 100%)'
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)mm"[^>]*?\bheight="([\d.]+)mm"')


def as_pdf(svg: str) -> bytes:
    """A PDF of one page from an SVG whose width and height are in millimetres, in this order."""
    typst = imported("typst", "A picture as PDF")
    size = _SIZE.search(svg)
    if size is None:
        raise EngineError("a picture must be an SVG with its width and height in mm")
    files = {"main": _PAGE.format(*size.groups()).encode(), "picture.svg": svg.encode()}
    try:
        return typst.compile(files, format="pdf")
    except typst.TypstError as error:
        raise EngineError(f"the picture could not be converted: {error}") from error


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
        "name": re.sub(r"[^\w.-]+", "-", file_name(config())),
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


_MIME = {"csv": "text/csv", "py": "text/x-python", "html": "text/html", "pdf": "application/pdf"}


def download(
    words: str, content: str | bytes | Callable[[], bytes], name: str, key: str, icon: str = ":material/download:"
) -> None:
    """Offer a file; a callable `content`, which knows nothing of the session, is called when the button is pressed."""
    mime = _MIME.get(name.rpartition(".")[2], "application/octet-stream")
    st.download_button(words, content, name, mime, key=key, icon=icon, on_click="ignore")
