"""What the process that converts pictures does for `ui.export.menu` (see `engine/runtime/side_worker.py`).

What it is given comes from a browser, and may be anything: memory and time are limited here, and only here.
"""

import io
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

typst: Any
try:
    import typst
except ImportError:  # it is optional: whoever needs it says so
    typst = None

#: A frame stands as many times longer where a film ends.
_AT_THE_END = 4
#: Bytes beside what was asked for: programs, fonts, and what libraries keep.
_SLACK = 2 * 2**30


def solve(given: dict[str, np.ndarray]) -> np.ndarray:
    """The bytes of a PDF of `svg`, or of a film of `frames`, cut at `stops`, of so many `milliseconds` each.

    A film is an MP4 where `ffmpeg` says which program makes one, else a GIF. `memory` is what was asked for, and
    `seconds` what it may take.
    """
    _limit(int(given["memory"]), int(given["seconds"]))
    try:
        made = _film(given) if "frames" in given else _pdf(given["svg"].tobytes(), str(given["page"]))
    except MemoryError as error:
        raise SystemExit("it takes more memory than a picture may") from error
    except (OSError, ValueError, SyntaxError, RuntimeError, subprocess.SubprocessError) as error:
        raise SystemExit(" ".join(str(error).split()) or type(error).__name__) from error
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    return np.frombuffer(made, np.uint8)


def _limit(n_bytes: int, seconds: int) -> None:
    """So much memory and time, behind whoever shows pages, where the system can say so."""
    try:
        import resource
    except ImportError:
        return
    os.setpriority(os.PRIO_PROCESS, 0, 10)
    own = Path("/proc/self/statm")
    held = int(own.read_text(encoding="ascii").split()[0]) * resource.getpagesize() if own.exists() else 0
    most = resource.getrlimit(resource.RLIMIT_AS)[1]  # stays: the next picture may need more
    wanted = held + n_bytes + _SLACK
    if held:
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))
    signal.alarm(seconds)


def _pdf(svg: bytes, page: str) -> bytes:
    """A page as large as its picture."""
    return typst.compile({"main": page.encode(), "picture.svg": svg}, format="pdf")


def _film(given: dict[str, np.ndarray]) -> bytes:
    frames = [part.tobytes() for part in np.split(given["frames"], given["stops"][:-1])]
    milliseconds, ffmpeg = int(given["milliseconds"]), str(given["ffmpeg"])
    return _mp4(frames, milliseconds, ffmpeg, int(given["seconds"])) if ffmpeg else _gif(frames, milliseconds)


def _opened(frame: bytes) -> Image.Image:
    return Image.open(io.BytesIO(frame), formats=["PNG"]).convert("RGB")


def _gif(frames: list[bytes], milliseconds: int) -> bytes:
    """All frames with one palette, so that what does not move does not flicker."""
    palette = _side_by_side([_opened(frames[at]) for at in (0, len(frames) // 2, -1)]).quantize(255)

    def drawn() -> Iterator[Image.Image]:
        for frame in frames:
            yield _opened(frame).quantize(palette=palette, dither=Image.Dither.NONE)

    held, (first, *others) = io.BytesIO(), drawn()
    stand = [milliseconds] * len(others) + [_AT_THE_END * milliseconds]
    first.save(held, "GIF", save_all=True, append_images=others, duration=stand, loop=0, optimize=False)
    return held.getvalue()


def _side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """One picture of several: what a palette must serve."""
    width, height = pictures[0].size
    whole = Image.new("RGB", (width * len(pictures), height))
    for place, one in enumerate(pictures):
        whole.paste(one, (place * width, 0))
    return whole


def _mp4(frames: list[bytes], milliseconds: int, ffmpeg: str, seconds: int) -> bytes:
    """Written to a file aside: the format needs to go back to its beginning."""
    with tempfile.TemporaryDirectory(prefix="concord-") as aside:
        out = Path(aside) / "film.mp4"
        read = f"-loglevel error -f image2pipe -c:v png -framerate 1000/{milliseconds} -i -"
        written = "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -r 25 -threads 2 -c:v libx264 -pix_fmt yuv420p"  # even sizes
        command = [ffmpeg, *read.split(), *written.split(), str(out)]
        still = b"".join([*frames, *[frames[-1]] * (_AT_THE_END - 1)])
        done = subprocess.run(command, input=still, capture_output=True, check=False, timeout=0.9 * seconds)
        if done.returncode != 0 or not out.is_file():
            raise RuntimeError(f"ffmpeg could not make the film: {done.stderr.decode(errors='replace').strip()}")
        return out.read_bytes()
