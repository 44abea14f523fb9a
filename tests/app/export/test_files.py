"""What the server makes of what a browser drew."""

import io
from base64 import b64encode

import numpy as np
import pytest
from PIL import Image

from engine import EngineError
from engine.runtime.errors import MissingExtraError
from ui.export import menu
from ui.figures.style import INKS

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 447 210" width="85mm" height="40mm">'
    '<text x="20" y="60" font-family="Helvetica, Arial, sans-serif" font-size="13">Hello \N{GREEK SMALL LETTER THETA}'
    "</text></svg>"
)


def frames(n: int = 3) -> list[bytes]:
    found = []
    for place in range(n):
        pixels = np.full((20, 30, 3), 255, np.uint8)
        pixels[:, 10 * place : 10 * place + 8] = (27, 105, 217)
        held = io.BytesIO()
        Image.fromarray(pixels).save(held, "PNG")
        found.append(held.getvalue())
    return found


def test_a_pdf_is_as_large_as_its_picture_and_holds_its_font():
    made = menu.as_pdf(SVG)
    assert made.startswith(b"%PDF")
    assert b"/FontFile" in made
    assert b"240.9" in made  # 85 mm in points


def test_what_is_no_picture_is_refused():
    with pytest.raises(EngineError, match="in mm"):
        menu.as_pdf("<svg></svg>")
    with pytest.raises(EngineError, match="could not be converted"):
        menu.as_pdf(SVG.replace("</svg>", ""))


def test_what_is_missing_is_named_with_the_line_that_installs_it(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("engine.runtime.errors.import_module", missing)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert menu.converted("pdf", SVG) == {
        "error": "A picture as PDF needs the package typst, which is not installed. Install it: pip install typst"
    }
    with pytest.raises(MissingExtraError, match="pip install imageio-ffmpeg"):
        menu.animated(frames(), "mp4")


def test_a_gif_has_every_frame_and_rests_on_its_last():
    with Image.open(io.BytesIO(menu.animated(frames(), "gif", 200))) as film:
        assert film.n_frames == 3
        stand = []
        for place in range(3):
            film.seek(place)
            stand.append(film.info["duration"])
            assert film.convert("RGB").getpixel((10 * place + 3, 5)) == (27, 105, 217)
    assert stand == [200, 200, 800]


def film(*frames):
    return {"frames": [b64encode(one).decode() for one in frames], "milliseconds": 450}


def png(width, height):
    held = io.BytesIO()
    Image.new("1", (width, height)).save(held, "PNG")
    return held.getvalue()


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        ("gif", film(png(8000, 8000)), "4,194,304 pixels at most"),
        ("gif", film(png(8, 8), png(8, 9)), "of one size"),
        ("gif", film(png(8, 8), b"junk"), "PNG pictures"),
        ("gif", film(*[png(8, 8)] * 1001), "up to 1,000"),
        ("gif", film(), "of one size"),
        ("gif", film(b"GIF89a" + bytes(40)), "PNG pictures"),
        ("gif", film(png(8, 8)[:40]), "could not be converted"),
        ("mp4", film(png(8, 8)) | {"milliseconds": 0}, "10 ms to a minute"),
        ("exe", film(png(8, 8)), "a GIF or an MP4"),
        ("gif", {"frames": ["a"], "milliseconds": 450}, "base64"),
        ("gif", {"frames": 5, "milliseconds": 450}, "base64"),
        ("gif", film(png(8, 8)) | {"milliseconds": "x"}, "base64"),
        ("gif", [], "base64"),
        ("gif", None, "base64"),
        ("pdf", None, "in mm"),
    ],
)
def test_a_browser_may_send_anything(kind, content, said):
    words = menu.converted(kind, content)["error"]
    assert said in words
    assert "Error" not in words  # of a library


def test_a_film_is_asked_for_before_it_is_made(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "20M")
    assert "20 MiB may be used" in menu.converted("gif", film(*[png(2000, 2000)] * 20))["error"]


def test_a_picture_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setitem(menu.SECONDS, "pdf", 1)
    noise = '<filter id="f"><feTurbulence baseFrequency="0.9" numOctaves="9999"/></filter>'
    slow = SVG.replace("<text", f'{noise}<rect width="447" height="210" filter="url(#f)"/><text')
    assert "took too long" in menu.converted("pdf", slow)["error"]
    assert "content" in menu.converted("pdf", SVG)


def test_an_mp4_is_one_whatever_the_size_of_its_frames():
    assert menu.animated([png(31, 21)] * 3, "mp4")[4:8] == b"ftyp"


def test_every_dark_ink_has_a_light_one():
    inks = menu.tones()["inks"]
    assert inks[INKS["dark"].muted] == INKS["light"].muted
    assert not set(inks) & set(inks.values())
