"""References in words, from docs/references.bib."""

import re
from functools import cache
from pathlib import Path

BIB = Path(__file__).parents[2] / "docs" / "references.bib"


@cache
def entries() -> dict[str, dict[str, str]]:
    """Every entry by key, each with its fields in plain text."""
    found = {}
    for entry in re.split(r"\n(?=@)", BIB.read_text()):
        key = re.match(r"@\w+\{(\w+),", entry)
        if key:
            fields = re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", entry)
            found[key[1]] = {name: _plain(value) for name, value in fields}
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
    for command, mark in (("'", "\u0301"), ('"', "\u0308"), ("v", "\u030c"), ("`", "\u0300"), ("~", "\u0303")):
        value = re.sub(rf"\{{?\\{re.escape(command)}\s*\{{?(\w)\}}?\}}?", rf"\1{mark}", value)
    return re.sub(r"\s+", " ", value.replace("{", "").replace("}", "").replace("--", "–")).strip()
