"""What each column of a file is: feature or base clustering, class, own answer, identifier, or nothing that is used.

True labels stand in a column of a table or beside it, and become integers here.
"""

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .errors import DataError, NoColumnError, counted, shortened
from .faults import FAULTS, LARGEST_EXACT, faults_of, not_whole
from .readers.tables import SEVERAL, Table, are_names, as_numbers, is_number
from .records import Kind, Missing

LABEL_COLUMNS = ("label", "labels", "class", "target", "gt", "truth", "y")
_SHOWN_CLASSES = 5
_WAYS_OUT = " Complete the column, drop the row, or leave the column out."


def split_labels(table: Table, place: int) -> tuple[Table, np.ndarray, tuple[str, ...]]:
    """Return the table without its true labels, the labels (N,) as integers, and what they are called."""
    labels, names = integers(table, place), class_names(table.columns[place])
    return table.without(place, f"Labels are taken from {table.column(place)}{_classes(names)}."), labels, names


def class_names(column: np.ndarray) -> tuple[str, ...]:
    """Return the classes of a column of text, in the order of their codes; empty for numbers.

    >>> class_names(np.array(["b 10", "b 9", "a", "b 9"], dtype=object))
    ('a', 'b 9', 'b 10')
    """
    words = column.dtype.kind == "O" and (are_names(set(column)) or as_numbers(column).dtype.kind == "O")
    return tuple(sorted(set(column.tolist()), key=_in_order)) if words else ()


def _in_order(name: str) -> tuple[list[object], str]:
    """Sort words as a dictionary does, and numbers inside them by their value, however many digits they have."""
    pieces: list[object] = []
    for place, piece in enumerate(re.split("([0-9]+)", name)):
        digits = piece.lstrip("0")
        pieces.append((len(digits), digits) if place % 2 else piece.casefold())
    return pieces, name


def integers(table: Table, index: int) -> np.ndarray:
    """Return a column of labels as integers; a column wholly of text is coded in the order of its words.

    DataError names row and column of a cell that is empty, fractional, or text among numbers.

    >>> integers(Table((np.array(["b", "a", "b"], dtype=object),)), 0)
    array([1, 0, 1])
    """
    column = table.columns[index]
    if column.dtype.kind == "O" and not are_names(set(column)):
        column = as_numbers(column)  # names of digits may be asked for as labels
    if column.dtype.kind == "O":
        return _coded(table, index)
    if column.dtype.kind in "bi":
        return column.astype(np.int64)
    wrong = not_whole(column)
    if wrong.any():
        at = int(np.argmax(wrong))
        rule = f"Labels must be whole numbers.{_WAYS_OUT if np.isnan(column[at]) else ''}"
        raise DataError(f"Row {table.row(at)}, {table.column(index)}: {_shown(column[at])}. {rule}")
    return column.astype(np.int64)


def _shown(value: np.generic) -> str:
    """Say what is wrong with a label."""
    if np.isnan(value):
        return "the cell is empty or not a number"
    if np.abs(value) > LARGEST_EXACT:
        return f"{value} is too large"
    return f"{value} is not a whole number"


def _coded(table: Table, index: int) -> np.ndarray:
    """Return codes 0, 1, ... in the order of the words, for a column in which every cell is text."""
    cells = table.columns[index].tolist()
    held = Counter(cells)  # in the order of their first places
    numbers = sum(times for cell, times in held.items() if is_number(cell))
    words = 2 * numbers <= len(cells) - held[None]  # else it is the few words among numbers that do not belong
    for cell in held:
        if cell is None or is_number(cell) == words:
            mixed = "a number in a column of text" if words else "text in a column of numbers"
            what = f"the cell is empty.{_WAYS_OUT}"
            if cell is not None:
                what = f"{shortened(cell)!r} is {mixed}. Labels must be all numbers or all text."
            raise DataError(f"Row {table.row(cells.index(cell))}, {table.column(index)}: {what}")
    codes = {name: code for code, name in enumerate(class_names(table.columns[index]))}
    return np.array([codes[cell] for cell in cells], np.int64)


def own_array(table: Table) -> np.ndarray:
    """Return the labels that came as an array of their own as integers: (N,) int64."""
    truth = np.asarray(table.truth)
    if truth.size not in truth.shape[:2] or truth.ndim > 2:
        raise DataError(f"The true labels have shape {truth.shape}; they must be one column.")
    if truth.size != table.n_rows:
        hint = " The table may be transposed." if truth.size == len(table.columns) else ""
        raise DataError(f"There are {truth.size:,} true labels for {table.n_rows:,} rows.{hint}")
    cells = truth.ravel()
    if cells.dtype.kind not in "biufU":
        raise DataError(f"The true labels are {cells.dtype} values. Save them as whole numbers.")
    if cells.dtype.kind == "U":
        cells = as_numbers(cells.astype(object))
    return integers(Table((cells,), ("true labels",)), 0)


def asked_for(table: Table, label_column: str | int) -> int:
    """Return the position of a column that is named, or counted from 0 (negative: from the end), also by a word."""
    n_columns = len(table.columns)
    if isinstance(label_column, int):
        if not -n_columns <= label_column < n_columns:
            raise NoColumnError(f"There is no column {label_column}; the columns are 0 to {n_columns - 1}.")
        return label_column % n_columns
    if label_column in table.names:
        return table.names.index(label_column)
    if re.fullmatch(r"-?\d{1,18}", label_column):
        return asked_for(table, int(label_column))
    near = difflib.get_close_matches(label_column, table.names, n=3)
    shown = near or list(table.names[:_SHOWN])
    listed = ", ".join(map(shortened, shown)) or "without names"
    if len(shown) < len(table.names):
        listed += f", ... ({len(table.names):,} in all)"
    raise NoColumnError(f"There is no column {shortened(label_column)!r}; the columns are {listed}.")


def _classes(names: tuple[str, ...]) -> str:
    """Return, for text labels, which class got which code."""
    if not names:
        return ""
    shown = ", ".join(f"{code} = {shortened(name)}" for code, name in enumerate(names[:_SHOWN_CLASSES]))
    return f" ({shown}{', ...' if len(names) > _SHOWN_CLASSES else ''})"


Role = Literal["feature", "clustering", "class", "answer", "identifier", "ignore"]
#: What most columns of a file are, by what the file holds.
MAIN: dict[Kind, Role] = {"features": "feature", "labels": "clustering"}
#: What a column can be, by what the file holds.
ROLES: dict[Kind, tuple[Role, ...]] = {
    kind: (main, "class", "answer", "identifier", "ignore") for kind, main in MAIN.items()
}
#: What stands beside `object` and `label` in a file that pages and the command give away (`engine.tables.labels_csv`).
_BESIDE_LABELS = ("identifier", "support", "margin", "stability")
IDENTIFIERS = ("id", "identifier", "object", "name", "sample", "index", "barcode", "key")
#: Of these, what a column of numbers may as well be called that was measured.
_MEASURED = ("object", "sample", "index", "key")
#: How a first column is called that is the index of a data frame.
NAMELESS = ("", "unnamed: 0")
_SHOWN = 5


@dataclass(frozen=True)
class Column:
    """One column of a file: its role, its first cells, and how many of its cells cannot be used in that role.

    `place` counts from 0, `first` are at most five cells as text. `empty`, `text` (or a number where others are not),
    `infinite` and `fractional` cells are counted as a feature or a base clustering would where the column is ignored.
    """

    place: int
    name: str
    role: Role
    first: tuple[str, ...]
    empty: int = 0
    text: int = 0
    infinite: int = 0
    fractional: int = 0

    @property
    def faults(self) -> int:
        """Cells that something must be done about, none where the column is not used as numbers or labels."""
        return 0 if self.role in ("identifier", "ignore") else self.empty + self.text + self.infinite + self.fractional

    def outcome(self, missing: Missing) -> str:
        """Return in words what is done about the faults; "undecided ..." where a decision is missing.

        >>> Column(0, "width", "feature", ("1.5", ""), empty=1).outcome("drop")
        'rows are dropped'
        """
        if self.role == "ignore":
            return "left out"
        if not self.faults:
            return f"{counted(self.empty, 'name')} missing: their number" if self.empty else ""
        if missing == "drop":
            return "rows are dropped"
        if missing == "mean" and self.role == "feature":
            return "become the column mean"
        return "undecided: drop rows or ignore" if missing == "mean" else "undecided"


def columns_of(table: Table, kind: Kind, roles: Mapping[str | int, Role] | None = None) -> tuple[Column, ...]:
    """Return every column of a table with its role and its faults.

    Roles are given by name or position (negative from the end). The others are proposed from names and types: a class
    by its usual name, or the only column of text that repeats itself; an identifier by its usual name, or text that
    never repeats; columns of text, of nothing, and what stands beside the labels of our own files are ignored. What
    cannot be is refused with a DataError.

    >>> plants = Table((np.array(["a", "b"], object), np.array([1.5, np.nan])), ("plant", "width"))
    >>> [(column.name, column.role, column.empty) for column in columns_of(plants, "features")]
    [('plant', 'identifier', 0), ('width', 'feature', 1)]
    """
    given = _places(table, kind, roles or {})
    settled = _proposed(table, kind, given)
    return tuple(_column(table, place, role, kind) for place, role in enumerate(settled))


def beside_labels(table: Table) -> list[int]:
    """Return the columns beside `label` and `object` in a file as pages and the command give labels away, else none.

    >>> columns = np.arange(3), np.array([0, 1, 1]), np.array([0.5, 0.7, 1])
    >>> beside_labels(Table(columns, ("object", "label", "support")))
    [2]
    """
    return [
        place for place, role in _of_our_own(table).items() if role != "clustering" and table.names[place] != "object"
    ]


def _of_our_own(table: Table) -> dict[int, Role]:
    """Return the roles of columns in a file as pages and the command give labels or base clusterings away."""
    names = list(table.names)
    if "object" not in names:
        return {}
    ours: dict[str, Role] = {"object": "identifier"}
    if "identifier" in names:  # what the file of the objects calls them
        ours = {"object": "ignore", "identifier": "identifier"}
    if set(names) - set(_BESIDE_LABELS) == {"object", "label"}:
        ours["label"] = "clustering"
        for name in _BESIDE_LABELS[1:]:
            ours[name] = "ignore"
    elif "identifier" not in names:
        return {}
    return {place: ours[name] for place, name in enumerate(names) if name in ours}


def place_of(columns: Sequence[Column], role: Role) -> int | None:
    """Return the position of the only column with a role (class or identifier), or None."""
    return next((column.place for column in columns if column.role == role), None)


def _column(table: Table, place: int, role: Role, kind: Kind) -> Column:
    cells, name = table.columns[place], table.names[place] if table.names else ""
    first = tuple(_as_text(cell) for cell in cells[:_SHOWN])
    found = faults_of(cells, MAIN[kind] if role == "ignore" else role)
    counts = {fault: int(found[fault].sum()) for fault in FAULTS}
    return Column(place, name or str(place + 1), role, first, **counts)


def _as_text(cell: object) -> str:
    """Return a cell as a person wrote it, "" where it is empty."""
    if cell is None or cell != cell:
        return ""
    return shortened(f"{cell:g}" if isinstance(cell, float | np.floating) else str(cell))


def _places(table: Table, kind: Kind, roles: Mapping[str | int, Role]) -> dict[int, Role]:
    """Return the roles that are given, by position, once they make sense."""
    given: dict[int, Role] = {}
    for column, role in roles.items():
        if role not in ROLES[kind]:
            raise DataError(f"The role of a column is one of {', '.join(ROLES[kind])}, got {role!r}.")
        given[asked_for(table, column)] = role
    for role in ("class", "identifier"):
        several = [table.column(place) for place, one in given.items() if one == role]
        if len(several) > 1:
            raise DataError(f"Only one column can be the {role}; {' and '.join(several[:2])} were chosen.")
    return given


def _proposed(table: Table, kind: Kind, given: Mapping[int, Role]) -> list[Role]:
    """Return a role for every column: the given one, that of its reader, or one by name and type."""
    free = [place for place in range(len(table.columns)) if place not in given]
    found: dict[int, Role] = dict(given)
    known = table.proposed or [""] * len(table.columns)
    taken = {role for role in given.values() if role in ("class", "identifier")}  # one column a role: the given one
    found |= {place: "ignore" if known[place] in taken else known[place] for place in free if known[place]}  # type: ignore[misc]
    ours = _of_our_own(table) if kind == "labels" else {}
    found |= {place: "ignore" if role in taken else role for place, role in ours.items() if place in free}
    texts = {place: _is_text(table.columns[place]) for place in free if place not in found}
    for role, choose in (("class", _class), ("identifier", _identifier)):
        left = {place: text for place, text in texts.items() if place not in found}
        if role not in found.values() and not (role == "class" and table.truth is not None):
            place = choose(table, kind, left)
            found |= {} if place is None else {place: role}  # type: ignore[dict-item]
    unused = {place for place, text in texts.items() if place not in found and _is_no_use(table, kind, place, text)}
    if all(place in unused or found.get(place, MAIN[kind]) != MAIN[kind] for place in range(len(table.columns))):
        unused = set()  # then it is said what is wrong with them
    settled = [found.get(place, "ignore" if place in unused else MAIN[kind]) for place in range(len(table.columns))]
    if kind == "labels" and MAIN[kind] not in settled and "class" not in given.values() and not table.proposed:
        settled = [MAIN[kind] if role == "class" else role for role in settled]  # labels alone: nothing else to cluster
    return settled


def _class(table: Table, kind: Kind, texts: Mapping[int, bool]) -> int | None:
    """Return the column that is labels by its name and its values; else, of features, the only text that repeats."""
    names = [name.casefold() for name in table.names]
    if kind == "labels" and len(table.columns) < 2:
        return None
    for wanted in LABEL_COLUMNS:
        if not is_called_labels(wanted, names) or (wanted == "y" and (kind == "labels" or len(names) < 2)):
            continue
        for place in texts:
            if names and names[place] == wanted and (kind == "labels" or not is_fractional(table.columns[place])):
                return place
    named = {place for place in texts if names and _as_identifier(names[place], place) is not None}
    repeating = [place for place, text in texts.items() if text and _is_repeating(table.columns[place])]
    repeating = [place for place in repeating if place not in named or not _names_nearly_all(table, kind, place)]
    return repeating[0] if kind == "features" and len(repeating) == 1 else None


def is_called_labels(name: str, names: Sequence[str]) -> bool:
    """Return whether a column is called as labels are, among the names of all: y beside x is a coordinate.

    >>> is_called_labels("y", ("a", "y")), is_called_labels("y", ("X", "y"))
    (True, False)
    """
    return name.casefold() in LABEL_COLUMNS and not (name.casefold() == "y" and "x" in map(str.casefold, names))


def _identifier(table: Table, kind: Kind, texts: Mapping[int, bool]) -> int | None:
    """Return the column that names every object: by its usual name, else text whose cells are all different."""
    names = [name.casefold() for name in table.names] or ["-"] * len(table.columns)
    if len(texts) < 2 and len(table.columns) < 2:
        return None
    ranks = {place: rank for place in texts if (rank := _as_identifier(names[place], place)) is not None}
    named = set(ranks)
    if kind == "labels" and table.names and table.n_rows > SEVERAL and 0 in texts:
        ranks.setdefault(0, len(IDENTIFIERS) + 2)
    spelt = {place for place in texts if are_spelt(table.columns[place])}
    usual = [
        place
        for place in sorted(ranks, key=ranks.__getitem__)
        if place in spelt or not is_fractional(table.columns[place])
    ]
    for place in [*usual, *(place for place in texts if texts[place] or place in spelt)]:
        if _names_nearly_all(table, kind, place) if place in named else _differs_everywhere(table, place):
            return place
    return None


def _differs_everywhere(table: Table, place: int) -> bool:
    held = _held(table.columns[place])
    return len(set(held)) == len(held) > table.n_rows / 2


def _names_nearly_all(table: Table, kind: Kind, place: int) -> bool:
    """Return whether a column that is called as names are may be that: files were joined, and some stand twice.

    An index begins anew in every part; of what has a name of its own, as many groups of two would be no clustering.
    Numbers under a name that a measurement may have (index, sample) differ everywhere, or are a feature.
    """
    cells, name = table.columns[place], table.names[place].casefold()
    measured = kind == "features" and cells.dtype.kind != "O" and name in _MEASURED
    if measured or table.n_rows <= SEVERAL:
        return _differs_everywhere(table, place)
    held = _held(cells)
    different = len(set(held))
    several = different**2 > len(held) if name in NAMELESS else 2 * different >= len(held)
    return several and len(held) > table.n_rows / 2


def _as_identifier(name: str, place: int) -> int | None:
    """Return how early a name in lower case is taken for that of identifiers; None where it is none.

    A first column without a name is the index of a data frame, whose rows may have been chosen.
    """
    if name in IDENTIFIERS:
        return IDENTIFIERS.index(name)
    if name.endswith("_id"):
        return len(IDENTIFIERS)
    return len(IDENTIFIERS) + 1 if place == 0 and name in NAMELESS else None


def _is_no_use(table: Table, kind: Kind, place: int, text: bool) -> bool:
    """Return whether a column has nothing that could be a feature, or nothing at all."""
    empty = faults_of(table.columns[place], "feature")["empty"]
    return bool(empty.all()) or (text and kind == "features")


def _is_text(cells: np.ndarray) -> bool:
    """Return whether more than half of the cells that hold anything are text."""
    if cells.dtype.kind != "O":
        return False
    held = Counter(cell for cell in cells if cell is not None)
    return 2 * sum(times for cell, times in held.items() if not is_number(cell)) > held.total()


def are_spelt(cells: np.ndarray) -> bool:
    """Return whether numbers were kept as they are written: as names they count by their digits (`readers.text`)."""
    return cells.dtype.kind == "O" and all(cell is None or cell.isdecimal() for cell in cells)


def _is_repeating(cells: np.ndarray) -> bool:
    """Return whether there are several values, two for three cells at most: dates and shares hardly come again."""
    held = _held(cells)
    return 1 < len(set(held)) <= 2 * len(held) / 3


def _held(cells: np.ndarray) -> list:
    """Return the cells that are not empty."""
    if cells.dtype.kind == "O":
        return [cell for cell in cells if cell is not None]
    return (cells[~np.isnan(cells)] if cells.dtype.kind == "f" else cells).tolist()


def is_fractional(cells: np.ndarray) -> bool:
    """Return whether a column holds finite values that are not whole: a measurement, no label."""
    return bool(faults_of(cells, "class")["fractional"].any())
