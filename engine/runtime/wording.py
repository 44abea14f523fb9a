"""Values from outside in messages: one line each, and short, however long they are."""

from collections.abc import Iterable
from typing import Any

#: Characters of a value that a message repeats.
MOST_SHOWN = 80
#: Names that a message lists.
_MOST_LISTED = 8
_LARGEST_SHOWN = 10**MOST_SHOWN


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    r"""Text in one line, cut so that a message stays readable.

    >>> shortened("abcdefgh", 5), shortened("two\nlines")
    ('ab...', 'two lines')
    """
    line = " ".join(text[: 4 * most].split()) if len(text) <= 4 * most else text[:most] + "..."
    return line if len(line) <= most else f"{line[: most - 3]}..."


def shown(value: Any) -> str:
    """A value as a message repeats it: as Python writes it, cut at 80 characters.

    >>> shown("lwea"), shown([1, 2]), shown(10**5000)
    ("'lwea'", '[1, 2]', 'an integer of more than 80 digits')
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LARGEST_SHOWN:
        return f"an integer of more than {MOST_SHOWN} digits"
    if isinstance(value, str):
        return shortened(repr(value[: 2 * MOST_SHOWN]))
    if isinstance(value, list | tuple) and value:
        inside = ", ".join(map(shown, value[:MOST_SHOWN]))
        return shortened(f"[{inside}]" if isinstance(value, list) else f"({inside})")
    if isinstance(value, dict) and value:
        first = list(value.items())[:MOST_SHOWN]
        return shortened("{" + ", ".join(f"{shown(name)}: {shown(one)}" for name, one in first) + "}")
    return shortened(repr(value))


def listed(names: Iterable[Any]) -> str:
    """Names in a row, each cut at 80 characters; of many only the first eight.

    >>> listed(["a", "b"]), listed(range(10))
    ('a, b', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    every = [shortened(str(name)) for name in names]
    more = len(every) - _MOST_LISTED
    return ", ".join(every[:_MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")
