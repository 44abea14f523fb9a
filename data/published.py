"""Scores the papers print in their tables, to set beside one's own: data files, read and checked."""

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

from .errors import DataError

Measure = Literal["nmi_max", "nmi_arithmetic", "nmi_sqrt", "ari", "pairwise_f"]
KPolicy = Literal["true", "best"]

_FOLDER = Path(__file__).with_name("published")
_COLUMNS = (
    "paper",
    "table",
    "column",
    "row",
    "dataset",
    "method",
    "params",
    "measure",
    "k_policy",
    "n_clusterings",
    "draws",
    "mean",
    "sd",
)
_KMEANS_POOL = "a pool of 100 k-means clusterings with k drawn from 2 to √N"
_MIXED_POOL = (
    "a pool of 200 base clusterings, half k-means, half rival penalised competitive learning, begun with 2 to "
    "min(√N / 2, 50) clusters"
)
_WALKS = (
    f"NMI (max), means of 20 draws of M = 10 from {_MIXED_POOL}; K (T = 10) and T (K = 10) vary, K = ALL keeps every "
    "link. The paper does not name the k of this table; its values are within reach of the best k alone."
)
_ENHANCED = (
    f"means and standard deviations of 20 draws of M = 20 from {_KMEANS_POOL}, which the paper has published for "
    "Aggregation alone. The other methods' parameters are tuned for each data set, and so are those of the row "
    "Proposed. The paper does not name its k; the number of classes is assumed."
)
_RIVALS = "KCC and SEC make one start, as far as is known."
#: key: (title, protocol in words)
_TABLES = {
    "huang2018lwea-5": (
        "LWEA and LWGP: NMI",
        f"NMI (max), means and standard deviations of 100 draws of M = 10 from {_KMEANS_POOL}; θ = 0.4. {_RIVALS}",
    ),
    "huang2018lwea-7": (
        "LWEA and LWGP: ARI",
        f"ARI, means and standard deviations of 100 draws of M = 10 from {_KMEANS_POOL}; θ = 0.4. {_RIVALS}",
    ),
    "huang2016pta-7": ("PTA: neighbours K and steps T", _WALKS),
    "huang2016pta-8": ("PTGP: neighbours K and steps T", _WALKS),
    "huang2016pta-9": (
        "PTA and PTGP: NMI",
        f"NMI (max), means of 100 draws of M = 10 from {_MIXED_POOL}; K = T = √n / 2, rounded down. AL, CL and SL are "
        "average, complete and single link. SRW and ECMC are reconstructions.",
    ),
    "jia2023eccms-4": ("EC-CMS: ARI", f"ARI, {_ENHANCED}"),
    "surveydata2026-benchmark": (
        "A survey of ensemble clustering: NMI",
        "NMI (sqrt) at the number of classes, M = 20 drawn from the pools of LWEA; a second source for many methods. "
        "Parameters are tuned for each data set, here they are at their defaults (WCT: dc = 0.9; KCC: ten starts, SEC "
        'one). How many draws the numbers are means of is not said: ours are of 10. Of rows named "no. 1" and "no. '
        '2" it is not said which of two methods or variants they are.',
    ),
    "jia2023eccms-5": ("EC-CMS: two larger sets", f"ARI, NMI (arithmetic) and pairwise F, {_ENHANCED}"),
}


@dataclass(frozen=True)
class PublishedScore:
    """One printed number.

    Parameters
    ----------
    column, row : str
        Headings as printed, columns of two lines joined by a space.
    dataset : str
        Name as in the catalog when CONCORD_DATA holds the published sets; empty where it has none.
    method : str
        Key of the method; empty where there is none, or where its parameters are not printed.
    params : tuple of (str, int, float or str)
        The method's parameters that differ from its defaults, by name, sorted.
    measure : {"nmi_max", "nmi_arithmetic", "nmi_sqrt", "ari", "pairwise_f"}
        The paper's measure, in its own normalisation.
    k_policy : {"true", "best"}
        As many clusters as classes, or as many as score best.
    n_clusterings : int
        Base clusterings M of a draw.
    draws : int
        Number of draws.
    mean : float or None
        None where the table prints N/A.
    sd : float or None
        Standard deviation over the draws; None where none is printed, or none is legible.
    """

    column: str
    row: str
    dataset: str
    method: str
    params: tuple[tuple[str, Any], ...]
    measure: Measure
    k_policy: KPolicy
    n_clusterings: int
    draws: int
    mean: float | None
    sd: float | None


@dataclass(frozen=True)
class PublishedTable:
    """One table of one paper.

    Parameters
    ----------
    key : str
        Such as "huang2018lwea-5": the paper and the table's number.
    title : str
        What it shows, for a menu.
    paper : str
        Key of the paper in docs/references.bib.
    table : str
        Number as printed.
    protocol : str
        How the numbers came about, in words.
    rows : tuple of PublishedScore
        Cells by rows as printed. Cells that are not legible in the copy at hand are left out (`left_out`).
    """

    key: str
    title: str
    paper: str
    table: str
    protocol: str
    rows: tuple[PublishedScore, ...]

    @property
    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Columns of which a row has no number here, by row.

        In the copies at hand cells of some tables were lost, and what stood behind them moved up: a number is taken
        where both its neighbours are there, so that none stands in a wrong column. Some were never printed.
        """
        here = {(score.row, score.column) for score in self.rows}
        rows, columns = (dict.fromkeys(part) for part in zip(*((s.row, s.column) for s in self.rows), strict=True))
        missing = {row: tuple(column for column in columns if (row, column) not in here) for row in rows}
        return {row: found for row, found in missing.items() if found}


def published_tables() -> dict[str, PublishedTable]:
    """Return the printed tables by key.

    Returns
    -------
    dict of str to PublishedTable
        By key, the paper's and the number of the table ("huang2018lwea-5").

    Raises
    ------
    DataError
        If a file is missing or damaged.

    Examples
    --------
    >>> table = published_tables()["huang2018lwea-5"]
    >>> table.paper, table.table, table.rows[0].mean, table.rows[0].sd
    ('huang2018lwea', 'V', 0.478, 0.011)
    """
    return {key: read_published(key, _FOLDER / f"{key}.csv") for key in _TABLES}


@cache
def read_published(key: str, path: Path) -> PublishedTable:
    """Return one table from its file, checked; DataError names file, line and column of what cannot be used.

    CSV with the columns paper, table, column, row, dataset, method, params (JSON), measure, k_policy, n_clusterings,
    draws, mean, sd.
    """
    if key not in _TABLES:
        raise DataError(f"There is no published table {key!r}. Known are: {', '.join(_TABLES)}.")
    title, protocol = _TABLES[key]
    records = _records(path)
    heads = {(record["paper"], record["table"]) for record in records}
    if len(heads) != 1:
        raise DataError(f"{path.name} must hold one table of one paper; it has {len(heads)}.")
    paper, table = heads.pop()
    if paper != key.rpartition("-")[0]:
        raise DataError(f"{path.name} is of the paper {paper!r}; its name says {key.rpartition('-')[0]!r}.")
    rows = tuple(_score(record, f"{path.name}, line {line}") for line, record in enumerate(records, 2))
    _check_unique(rows, path.name)
    return PublishedTable(key, title, paper, table, protocol, rows)


def _records(path: Path) -> list[dict[str, str]]:
    """Return the lines of a file as they stand."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            records = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as exc:
        raise DataError(f"{path.name} cannot be read ({exc}). Install the package again.") from exc
    if tuple(reader.fieldnames or ()) != _COLUMNS:
        raise DataError(f"{path.name} must have the columns {', '.join(_COLUMNS)}.")
    ragged = [i for i, record in enumerate(records, 2) if None in record or None in record.values()]
    if ragged:
        raise DataError(f"{path.name}, line {ragged[0]}: there must be {len(_COLUMNS)} values.")
    return records


def _score(record: dict[str, str], where: str) -> PublishedScore:
    """Return one line, each value checked."""
    for name in ("column", "row"):
        if not record[name]:
            raise DataError(f"{where}: {name} is empty.")
    for name, known in (("measure", get_args(Measure)), ("k_policy", get_args(KPolicy))):
        if record[name] not in known:
            raise DataError(f"{where}: {name} must be one of {', '.join(known)}, got {record[name]!r}.")
    return PublishedScore(
        column=record["column"],
        row=record["row"],
        dataset=record["dataset"],
        method=record["method"],
        params=_params(record["params"], where),
        measure=cast(Measure, record["measure"]),
        k_policy=cast(KPolicy, record["k_policy"]),
        n_clusterings=_whole(record["n_clusterings"], f"{where}: n_clusterings"),
        draws=_whole(record["draws"], f"{where}: draws"),
        mean=_share(record["mean"], f"{where}: mean"),
        sd=_share(record["sd"], f"{where}: sd"),
    )


def _params(text: str, where: str) -> tuple[tuple[str, Any], ...]:
    """Return parameters from JSON, sorted by name."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        values = None
    if not isinstance(values, dict):
        raise DataError(f"{where}: params must be a JSON object, got {text!r}.")
    return tuple(sorted(values.items()))


def _whole(text: str, what: str) -> int:
    """Return a whole number of at least 1."""
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise DataError(f"{what} must be a whole number of at least 1, got {text!r}.")
    return int(text)


def _share(text: str, what: str) -> float | None:
    """Return a number from 0 to 1, or None for an empty cell."""
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise DataError(f"{what} must be a number from 0 to 1, got {text!r}.")
    return value


def _check_unique(rows: tuple[PublishedScore, ...], name: str) -> None:
    """Refuse a table that has one cell twice."""
    seen: set[tuple[str, str]] = set()
    for score in rows:
        if (score.row, score.column) in seen:
            raise DataError(f"{name} has the cell {score.row}, {score.column} twice.")
        seen.add((score.row, score.column))
