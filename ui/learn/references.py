"""References in words, from docs/references.bib."""

import re
from functools import cache
from pathlib import Path

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
