"""Films of pictures: an animated GIF, or an MP4 where there is an ffmpeg."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from engine.runtime.errors import EngineError
from engine.runtime.extras import imported

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
