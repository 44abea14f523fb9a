"""Terms of the glossary where they are first used on a page: what they mean stands there on hover.

All texts pass through here: sentences, notes, titles, and boxes, which hold no tooltip and have a link with a title.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import streamlit as st

from ui.learn import GLOSSARY
from ui.outside import html

_SEEN = "_explained"
_DIGITS = re.compile(r"\d+")


def begin(above: Mapping[str, str] | None = None) -> None:
    """At the beginning of a run nothing is explained yet, at that of a part of a page what stands `above` it."""
    st.session_state[_SEEN] = dict(above or {})


def explained_above() -> dict[str, str]:
    """What the page explained so far, and where."""
    return dict(_seen())


def say(words: str, **options: Any) -> None:
    """A sentence of a page, its terms explained where they first occur; `options` are Streamlit's."""
    st.markdown(explained(words, _seen()), unsafe_allow_html=True, **options)


def note(words: str, **options: Any) -> None:
    """The same in small letters."""
    st.caption(explained(words, _seen()), unsafe_allow_html=True, **options)


def page_title(words: str) -> None:
    """What a page asks."""
    st.title(linked(words, _seen()))


def question(words: str) -> None:
    """What a lesson asks, in large letters."""
    st.header(linked(words, _seen()), anchor=False)


def subtitle(words: str) -> None:
    """What a part of a page asks."""
    st.subheader(linked(words, _seen()))


def inform(words: str, icon: str | None = None) -> None:
    """A box that says why something is not here, or what to do."""
    st.info(linked(words, _seen()), icon=icon)


def warn(words: str, icon: str | None = None) -> None:
    """A box for what went otherwise than somebody meant."""
    st.warning(linked(words, _seen()), icon=icon)


def refuse(words: str, icon: str | None = None) -> None:
    """A box for what failed, and the way out."""
    st.error(linked(words, _seen()), icon=icon)


def _seen() -> dict[str, str]:
    return st.session_state.setdefault(_SEEN, {})


def meanings(*texts: str) -> str | None:
    """What the terms in texts mean, for the help of a widget; None where there is none."""
    return _listed(dict.fromkeys(term for text in texts for term in terms_in(text)))


def helped(words: str, *texts: str) -> str:
    """The help of a widget: its words, then what the terms mean that stand in them, and in texts it is the help of."""
    return "\n\n".join(filter(None, (words, meanings(words, *texts))))


def new_meanings(words: str, texts: Iterable[str]) -> str | None:
    """What terms in the texts below a heading mean, but for those in its own words and those explained before."""
    place, seen, own = _DIGITS.sub("", words), _seen(), terms_in(words)
    found = dict.fromkeys(term for text in texts for term in terms_in(text) if term not in own)
    return _listed(term for term in found if seen.setdefault(term, place) == place)


def _listed(terms: Iterable[str]) -> str | None:
    return "\n\n".join(f"*{term}*: {GLOSSARY[term]}" for term in terms) or None


def terms_in(text: str) -> tuple[str, ...]:
    """The terms that stand in a text, in its order."""
    return _terms_in(_DIGITS.sub("", text))


@lru_cache(maxsize=4096)
def _terms_in(text: str) -> tuple[str, ...]:
    found = (_names()[_singular(one["term"])] for one in _pattern().finditer(text) if one["term"])
    return tuple(dict.fromkeys(found))


def explained(words: str, seen: dict[str, str]) -> str:
    """The words with a tooltip at the first use of every term, and nothing else in them read as HTML.

    `seen` then holds where each was explained: a fragment that draws the same words again, but for their numbers,
    explains them again. Code, formulas and addresses stay as they are.

    >>> explained("An NMI of 1, an NMI of 0", {}).count("<abbr")
    1
    """
    tip = '<abbr tabindex="0" title="{}">{}</abbr>'.format
    return _marked(words, seen, lambda term, word: tip(html(GLOSSARY[term]), word), "&lt;")


def linked(words: str, seen: dict[str, str]) -> str:
    """The same in Markdown alone, for what reads no HTML: a link to the glossary that has the meaning as its title.

    >>> linked("An NMI of 1, an NMI of 0", {}).count("](glossary ")
    1
    """
    return _marked(words, seen, lambda term, word: f'[{word}](glossary "{GLOSSARY[term]}")', "<")


def _marked(words: str, seen: dict[str, str], mark: Callable[[str, str], str], less: str) -> str:
    place = _DIGITS.sub("", words)
    here: set[str] = set()

    def put(found: re.Match) -> str:
        if found["term"] is None:
            return less if found[0] == "<" else found[0]
        term = _names()[_singular(found["term"])]
        if term in here or seen.setdefault(term, place) != place:
            return found[0]
        here.add(term)
        return mark(term, found[0])

    return _pattern().sub(put, words)


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
