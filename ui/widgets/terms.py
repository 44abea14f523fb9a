"""Terms of the glossary where they are first used on a page: what they mean stands there on hover."""

import re
from functools import cache

import streamlit as st

from ui.learn.terms import GLOSSARY
from ui.outside import html

_SEEN = "_explained"


def begin() -> None:
    """At the beginning of a run nothing is explained yet."""
    st.session_state[_SEEN] = set()


def say(words: str) -> None:
    """A sentence of a page (our own words: they are shown as HTML), its terms explained where they first occur."""
    seen = st.session_state.setdefault(_SEEN, set())
    st.markdown(explained(words, seen), unsafe_allow_html=True)


def explained(words: str, seen: set[str]) -> str:
    """The words with a tooltip at the first use of every term that is not in `seen`, which then holds it.

    Examples
    --------
    >>> explained("An NMI of 1, an NMI of 0", set()).count("<abbr")
    1
    """

    def mark(found: re.Match) -> str:
        term = _names()[_singular(found[0])]
        if term in seen:
            return found[0]
        seen.add(term)
        return f'<abbr tabindex="0" title="{html(GLOSSARY[term])}">{found[0]}</abbr>'

    return _pattern().sub(mark, words)


@cache
def _names() -> dict[str, str]:
    """Every way a term is written, in small letters and one of it, with the term."""
    names: dict[str, str] = {}
    for term in GLOSSARY:
        full, _, short = term.partition(" (")
        names |= {_singular(name): term for name in (full, short.rstrip(")")) if name}
    return names


@cache
def _pattern() -> re.Pattern:
    """Any of the terms, the longest first."""
    names = sorted(_names(), key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")s?\b", re.IGNORECASE)


def _singular(name: str) -> str:
    return name.casefold().removesuffix("s")
