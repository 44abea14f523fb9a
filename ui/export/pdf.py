"""Pictures as PDF, their words as text in fonts that the file holds."""

import re

from engine.runtime.errors import EngineError
from engine.runtime.extras import imported

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
