"""What is known of methods, in words: what they will take on the present ensemble, and the papers they come from."""

import re
from functools import cache
from pathlib import Path

import numpy as np

from engine import Ensemble
from engine.consensus.costs import TIME, expected, law_of, size_of, term_values
from ui.saying import bytes_words, roughly

#: LaTeX's commands, and the marks that combine with a letter.
_ACCENTS = {"'": "\u0301", '"': "\u0308", "`": "\u0300", "~": "\u0303", "v": "\u030c", "c": "\u0327", "u": "\u0306"}
BIB = Path(__file__).parents[2] / "docs" / "references.bib"


@cache
def sources() -> dict[str, str]:
    """Every entry by key, as it stands in the file."""
    found = re.split(r"\n(?=@)", BIB.read_text(encoding="utf-8"))
    return {key[1]: entry.strip() for entry in found if (key := re.match(r"@\w+\{(\w+),", entry))}


def bibtex(key: str) -> str:
    """A reference as BibTeX."""
    return sources()[key]


@cache
def entries() -> dict[str, dict[str, str]]:
    """Every entry by key, each with its fields in plain text."""
    found = {}
    for key, entry in sources().items():
        fields = re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", entry)
        found[key] = {name: _plain(value) for name, value in fields}
    return found


def cited(key: str) -> str:
    """Authors, title, where and when: a reference as it stands under a text."""
    entry = entries()[key]
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher", "")
    volume = f" {entry['volume']}" if "volume" in entry else ""
    return f"{_authors(entry['author'])}: {entry['title']}. *{where}*{volume}, {entry['year']}."


def _authors(text: str) -> str:
    """Family names, the last one after an "and"."""
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in text.split(" and ")]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _plain(value: str) -> str:
    """Without braces, and with the accents that LaTeX writes as commands."""
    for command, mark in _ACCENTS.items():
        apart = r"(?:\s+|(?=\{))" if command.isalpha() else r"\s*"
        value = re.sub(rf"\{{?\\{re.escape(command)}{apart}\{{?(\w)\}}?\}}?", rf"\1{mark}", value)
    return re.sub(r"\s+", " ", value.replace("{", "").replace("}", "").replace("---", "—").replace("--", "–")).strip()


#: A law that is off by more is told with its span.
VAGUE = 3.0


def words(key: str, made: Ensemble) -> str:
    """The same in words: "about 12 s and 90 MB"; empty if it was not measured."""
    law, told = law_of(key, made), expected(key, made)
    if law is None or told is None:
        return ""
    seconds, megabytes = told
    low, high = roughly(seconds / law.off), roughly(seconds * law.off)
    span = f" ({low} to {high}, as the data have it)" if law.off > VAGUE else ""
    beyond = ", by the law of much smaller sets" if len(made.microclusters) > 4 * law.largest_n else ""
    return f"about {roughly(seconds)}{span} and {bytes_words(float(f'{megabytes * 1e6:.2g}'))}{beyond}"


def growth(key: str, made: Ensemble) -> str:
    """What its time grows with here, the largest term first: "n², nM"; empty if nothing but a fixed part counts."""
    law = law_of(key, made)
    if law is None:
        return ""
    parts = term_values(TIME, size_of(made)) * law.seconds
    order = np.argsort(-parts[1:], kind="stable") + 1
    words = ", ".join(_raised(TIME[i]) for i in order if parts[i] > 0.05 * parts.sum())
    meant = {"C": "all clusters together", "E": "edges of the graph", "N": "all objects"}
    said = ", ".join(f"{letter}: {meaning}" for letter, meaning in meant.items() if letter in words)
    return words + (f" ({said})" if said else "")


def _raised(term: str) -> str:
    """As people write it; the number of clusters is C for them, since K counts neighbours."""
    return term.replace("^2", "²").replace("^3", "³").replace("K", "C")
