"""Words that try to be markup, formula or code, data sets that consist of them, and where they must never come out."""

import json
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

#: What each piece would do where it was believed.
PIECES = (
    "![q](http:q)",
    "[q](http:q)",
    "<img src=q>",
    "<b>q</b>",
    "<script>q</script>",
    "$\\alpha$",
    ":red[q]",
    ":material/home:",
    ":smile:",
    "http&colon;//q",
    "**q**",
    "`q`",
    "\\input{q}",
    "|q|",
)
STARTS = ("=1+1", "+1+q", "-1+q", "@q", "# q", "q")
words = st.builds(
    lambda start, pieces: f"{start} {''.join(pieces)}",
    st.sampled_from(STARTS),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3, unique=True),
)
ALL = "=q " + "".join(PIECES)

#: Pieces as they are alive: in Markdown without a backslash before them, in HTML with true brackets.
LIVE_MARKDOWN = re.compile(
    r"(?<!\\)(!?\[q(?<!\\)\]\(http|<img src=q|<b>q|<script>q|\$\\alpha|:red\[q|:material/home:|:smile:|&colon;|"
    r"\*\*q\*\*|`q`)"
)
LIVE_HTML = re.compile(r"<img src=q|<b>q|<script>q")
#: Fields that the browser shows as plain text, or does not show.
PLAIN = {
    ("Selectbox", "options"), ("Selectbox", "raw_value"), ("MultiSelect", "options"), ("MultiSelect", "raw_values"),
    ("TextInput", "default"), ("TextInput", "value"), ("Code", "code_text"), ("PlotlyChart", "alt"),
    ("NumberInput", "value"),
}  # fmt: skip
#: Fields with the JSON of a figure, whose texts know a little HTML.
FIGURES = {("PlotlyChart", "spec"), ("PlotlyChart", "figure")}


def live(at: AppTest) -> list[str]:
    """What came out alive on a page: the element, the field and its beginning."""
    found = []
    for kind, name, text in _texts(at):
        if (kind, name) in FIGURES:
            bad = [one for one in _strings(json.loads(text)) if LIVE_HTML.search(one)]
        else:
            bad = [] if (kind, name) in PLAIN or name == "id" else [text] if LIVE_MARKDOWN.search(text) else []
        found += [f"{kind}.{name}: {one[:300]}" for one in bad]
    return found


def _texts(at: AppTest) -> Iterator[tuple[str, str, str]]:
    for node in _nodes(at._tree):
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield from _fields(proto)


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", {}).values():
        yield from _nodes(child)


def _fields(message: Message) -> Iterator[tuple[str, str, str]]:
    for field, value in message.ListFields():
        for one in value if field.is_repeated else [value]:
            if isinstance(one, Message):
                yield from _fields(one)
            elif isinstance(one, str):
                yield message.DESCRIPTOR.name, field.name, one


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in ("alt", "meta"):  # read aloud, not drawn
                yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def quoted(word: str) -> str:
    """A cell of a CSV file."""
    return '"' + word.replace('"', '""') + '"'


def features(word: str) -> tuple[str, bytes, str]:
    """A file of features whose name, columns, classes and objects are called so."""
    head = ",".join(quoted(name) for name in (f"{word} 1", f"{word} 2", "class", "id"))
    rows = [f"{i % 7 + 5 * (i // 15)},{i % 4 + 6 * (i // 15)},{quoted(f'{word} {i // 15}')},{quoted(f'{word} {i}')}"
            for i in range(30)]  # fmt: skip
    return f"{word.replace('/', ' ')}.csv", "\n".join([head, *rows]).encode(), "features"


def labels(word: str) -> tuple[str, bytes, str]:
    """A file of base clusterings whose name, columns, labels and objects are called so."""
    head = ",".join([*(quoted(f"{word} m{j}") for j in range(4)), "id"])
    rows = [
        ",".join([*(quoted(f"{word} {(i + j * (i == 3)) // 10}") for j in range(4)), quoted(f"{word} {i}")])
        for i in range(30)
    ]
    return f"{word.replace('/', ' ')}.csv", "\n".join([head, *rows]).encode(), "labels"
