"""What the package raises: one base class, and one case a caller can offer a remedy for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

#: Names that a message lists at most.
_LISTED = 8


class DataError(ValueError):
    """A file or a name that cannot be used; the message says what, where and what to do."""


class NoRoomError(DataError):
    """Others hold the memory that a file needs: it may be there a little later."""


class NoColumnError(DataError):
    """A column was asked for that a file does not have."""


class MissingValuesError(DataError):
    """Features have cells that are empty, NaN or infinite.

    Parameters
    ----------
    count : int
        Number of such cells.
    rows : sequence of int
        The first rows concerned (at most five), counted from 1 as in the file.
    columns : sequence of str
        The first columns concerned (at most five), by name or by number.
    """

    def __init__(self, count: int, rows: Sequence[int], columns: Sequence[str]) -> None:
        super().__init__(count, rows, columns)
        self.count = count
        self.rows = tuple(rows)
        self.columns = tuple(columns)

    def __str__(self) -> str:
        rows = ", ".join(str(row) for row in self.rows)
        many = "1 value is" if self.count == 1 else f"{self.count} values are"
        return (
            f"{many} missing or not finite, first in row {rows} ({', '.join(self.columns)}). "
            "Drop those rows, put in the column means, or complete the file."
        )


class FaultyCellsError(MissingValuesError):
    """Features have cells that are text, and perhaps others that are empty or infinite; `first` names one of text."""

    def __init__(self, count: int, rows: Sequence[int], columns: Sequence[str], first: str) -> None:
        super().__init__(count, rows, columns)
        self.args = (count, rows, columns, first)
        self.first = first

    def __str__(self) -> str:
        many = "1 cell" if self.count == 1 else f"{self.count} cells"
        return (
            f"{self.first} is text where a number belongs; {many} in all cannot be used ({', '.join(self.columns)}). "
            "Drop those rows, put in the column means, or ignore the columns."
        )


@contextmanager
def refusing(what: str, *errors: type[BaseException]) -> Iterator[None]:
    """Turn a reader's own `errors` into a DataError about a damaged file."""
    try:
        yield
    except DataError:
        raise
    except errors as exc:
        detail = str(exc).strip() or type(exc).__name__
        raise DataError(
            f"The file is not {what}, or it is damaged or incomplete ({detail[:160]}). Save it again."
        ) from exc


def files_of(ending: str) -> str:
    """Return how files of an ending are called at the beginning of a sentence.

    >>> files_of(".xlsx"), files_of("")
    ('Files ending in .xlsx', 'Files whose name has no ending')
    """
    return f"Files ending in {ending}" if ending else "Files whose name has no ending"


def begun(words: str) -> str:
    """Return words as the beginning of a sentence, names in them as they are written.

    >>> begun("column 'petalWidth'")
    "Column 'petalWidth'"
    """
    return words[:1].upper() + words[1:]


def counted(count: int, noun: str) -> str:
    """Return a count with its noun in the right number.

    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(items: Sequence[str]) -> str:
    """Return the first few of some names as a list in words.

    >>> listed(["a", "b"]), listed([*"abcdefghij"])
    ('a, b', 'a, b, c, d, e, f, g, h, ...')
    """
    return ", ".join([shortened(item, 60) for item in items[:_LISTED]] + ["..."] * (len(items) > _LISTED))


def shortened(text: str, limit: int = 40) -> str:
    """Return text cut to `limit` characters, so that a message stays readable.

    >>> shortened("abcdefgh", limit=5)
    'ab...'
    """
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
