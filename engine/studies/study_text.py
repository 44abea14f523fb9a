"""The text of a study file made plain data, after a look at what reading it would cost."""

import re
import tomllib
from typing import Any

from ..runtime.wording import shortened
from .study import InvalidStudyError

_MOST_CHARACTERS = 1_000_000
_MOST_NESTED = 16
#: Dots in a row of a key or a number; names with dots stand in quotes.
_MOST_DOTS = 8
_LONGEST_WORD = 200
#: Texts and comments count as one; whatever opens, closes or parts; words; the rest a character at a time.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?|#[^\n]*|\w+|.',
    re.DOTALL,
)


def plain_toml(text: str) -> dict[str, Any]:
    """What a TOML text says; one that would take unduly long or deep to read is refused before it is read.

    Parameters
    ----------
    text : str
        At most a million characters, brackets at most 16 deep, names of at most 9 parts, words of at most 200
        characters outside quotes.

    Returns
    -------
    dict
        Of strings, numbers, dates, lists and tables.

    Raises
    ------
    InvalidStudyError
        In one line.

    Examples
    --------
    >>> plain_toml('datasets = ["iris"]')
    {'datasets': ['iris']}
    """
    if len(text) > _MOST_CHARACTERS:
        raise InvalidStudyError(f"a study must have at most {_MOST_CHARACTERS:,} characters. Got {len(text):,}")
    _check_shape(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # its own, and those of numbers and dates that Python cannot hold
        raise InvalidStudyError(f"the study is not valid TOML: {shortened(str(error), 200)}") from None


def _check_shape(text: str) -> None:
    """Refuse what makes a reader of TOML slow or deep: reading costs the square of the dots in a name."""
    nested = dots = 0
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part in ("[", "{"):
            nested += 1
        elif part in ("]", "}"):
            nested -= 1
        dots = dots + 1 if part == "." else 0 if part in "[]{}=,\n" else dots
        if nested > _MOST_NESTED:
            raise _refused(text, token.start(), f"brackets nested more than {_MOST_NESTED} deep")
        if dots > _MOST_DOTS:
            raise _refused(text, token.start(), f"a name of more than {_MOST_DOTS + 1} parts")
        if len(part) > _LONGEST_WORD and (part[0].isalnum() or part[0] == "_"):
            raise _refused(text, token.start(), f"a word or number of more than {_LONGEST_WORD} characters")


def _refused(text: str, at: int, reason: str) -> InvalidStudyError:
    line = text.count("\n", 0, at) + 1
    return InvalidStudyError(f"the study is not valid TOML for a study: line {line:,} has {reason}")
