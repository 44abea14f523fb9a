"""How Sphinx builds the reference: sections of docstrings, equations as MathML, and nothing fetched from anywhere."""

import re
import sys
from pathlib import Path

from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))  # the package `concord`, as `build.py` lays it out beside this file

project = "Concord"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Ensemble clustering, as a library",
    "page_width": "1180px",
    "sidebar_width": "260px",
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_copy_source = False
html_math_renderer = "mathml"
add_module_names = False
smartquotes = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
suppress_warnings = ["ref.python"]  # words of a shape, "(N, p) float", are no names

#: A type that is more than the name of a class: words of it would be taken for names of ours.
_SHAPE = re.compile(r"^(:type [^:]+:) (?![A-Z]\w+(?:, optional)?$)([^*]+)$")


def _equation(translator, node) -> None:
    """Write an equation as MathML, which browsers draw without a script."""
    from docutils.nodes import SkipNode

    block = node.tagname == "math_block"
    made = tex2mathml(node.astext(), as_block=block)
    translator.body.append(f'<div class="math">{made}</div>' if block else made)
    raise SkipNode


def _as_written(app: Sphinx, what: str, name: str, item: object, options: object, lines: list[str]) -> None:
    """A bar in our docstrings is a bar (|C| is a size), a shape no link, and examples stay as they are."""
    in_example = False
    for place, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            lines[place] = _SHAPE.sub(r"\1 *\2*", line.replace("|", r"\|"))


def setup(app: Sphinx) -> None:
    """Register the renderer of equations, and what is done to docstrings once their sections were read."""
    app.connect("autodoc-process-docstring", _as_written, priority=900)
    app.add_html_math_renderer("mathml", (_equation, None), (_equation, None))
