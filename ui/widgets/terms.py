"""Terms of the glossary where they are first used on a page: what they mean stands there on hover."""

import re
from functools import cache
from typing import Any

import streamlit as st

from ui.learn.terms import GLOSSARY
from ui.outside import html

_SEEN = "_explained"
_DIGITS = re.compile(r"\d+")


def begin() -> None:
    """At the beginning of a run nothing is explained yet."""
    st.session_state[_SEEN] = {}


def say(words: str, **options: Any) -> None:
    """A sentence of a page, its terms explained where they first occur; `options` are Streamlit's."""
    st.markdown(explained(words, _seen()), unsafe_allow_html=True, **options)


def note(words: str, **options: Any) -> None:
    """The same in small letters."""
    st.caption(explained(words, _seen()), unsafe_allow_html=True, **options)


def _seen() -> dict[str, str]:
    return st.session_state.setdefault(_SEEN, {})


def explained(words: str, seen: dict[str, str]) -> str:
    """The words with a tooltip at the first use of every term, and nothing else in them read as HTML.

    `seen` then holds where each was explained: a fragment that draws the same words again, but for their numbers,
    explains them again. Code, formulas and addresses stay as they are.

    >>> explained("An NMI of 1, an NMI of 0", {}).count("<abbr")
    1
    """
    place = _DIGITS.sub("", words)
    here: set[str] = set()

    def mark(found: re.Match) -> str:
        if found["term"] is None:
            return "&lt;" if found[0] == "<" else found[0]
        term = _names()[_singular(found["term"])]
        if term in here or seen.setdefault(term, place) != place:
            return found[0]
        here.add(term)
        return f'<abbr tabindex="0" title="{html(GLOSSARY[term])}">{found[0]}</abbr>'

    return _pattern().sub(mark, words)


@cache
def _names() -> dict[str, str]:
    """Every way a term is written, in small letters and one of it, with the term."""
    return {_singular(name): term for term in GLOSSARY for name in _written(term)}


def _written(term: str) -> list[str]:
    """Its names: "(ECI)" is one of its own, "(max)" is not."""
    full, _, short = term.partition(" (")
    return [full, short.removesuffix(")")] if short[:-1].isupper() else [term]


@cache
def _pattern() -> re.Pattern:
    """Any of the terms, the longest first; before them what is no prose, and what would begin a tag."""
    names = sorted((name for term in GLOSSARY for name in _written(term)), key=len, reverse=True)
    terms = "|".join(re.escape(name) if name.islower() else _as_written(name) for name in names)
    prose = rf"(?<![\w-])(?P<term>(?:{terms})s?)(?![\w-])"
    return re.compile(rf"\\.|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|:material/\w+:|<(?=[A-Za-z/!?])|{prose}", re.IGNORECASE)


def _as_written(name: str) -> str:
    """A name with capitals only as it is written: GoT is no verb."""
    return f"(?-i:{re.escape(name)})"


def _singular(name: str) -> str:
    return name.casefold().removesuffix("s")
