r"""Words from outside, made harmless for the language they go into: the one home of all escaping.

Whatever a link, a file or a study says (values, names of files, columns, classes, objects and studies) is words, never
markup. Nothing here knows of pages, so that figures may use it too.
"""

import html as _html
import re

from data.errors import shortened
from engine.tables import harmless

#: Characters of a name that a message shows.
LONGEST = 80
# of brackets the square ones alone make links and images; a colon begins colours and icons before a letter only
_MARKUP = re.compile(r"([\\`*_\[\]<>#$~|&]|:(?=[A-Za-z]))")
# addresses become links, and names between colons emoji and icons, once everything escaped is read: a word joiner,
# which nobody sees, keeps their parts asunder
_JOINED = re.compile(r"(?<=https:)(?=//)|(?<=http:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=:)(?=[\w+/\\-]+:)", re.IGNORECASE)
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}
_QUIET = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def markdown(words: object) -> str:
    r"""Words inside a Markdown text of Streamlit: no emphasis, link, image, formula, colour, icon or tag in them.

    >>> markdown("![x](y) *new*")
    '!\\[x\\](y) \\*new\\*'
    """
    return _JOINED.sub("\u2060", _MARKUP.sub(r"\\\1", _one_line(words)))


def name(words: object) -> str:
    """A name inside a Markdown message, cut at `LONGEST` characters.

    >>> len(name("a" * 500))
    80
    """
    return markdown(shortened(_one_line(words), LONGEST))


def html(words: object) -> str:
    """Words inside HTML, SVG, or the little HTML of Plotly's texts.

    >>> html('<img src="x">')
    '&lt;img src=&#34;x&#34;&gt;'
    """
    return _html.escape(str(words)).replace("&quot;", "&#34;")  # plotly shows the name of this sign as it is written


def latex(words: object) -> str:
    r"""Words inside LaTeX.

    >>> latex("50% of a_b\\input{x}")
    '50\\% of a\\_b\\textbackslash{}input\\{x\\}'
    """
    return "".join(_LATEX.get(letter, letter) for letter in _one_line(words))


def cell(words: object) -> object:
    """A cell of a table for spreadsheets: words that would be a formula begin with an apostrophe; numbers stay.

    >>> cell("=1+1"), cell(-2), cell("-2")
    ("'=1+1", -2, '-2')
    """
    return harmless(words)


def _one_line(words: object) -> str:
    """Words without line breaks and other marks that steer: a paragraph cannot be ended from inside."""
    return _QUIET.sub(" ", str(words))
