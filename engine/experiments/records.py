"""A record: what became of one task, as a plain row."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from engine.experiments.studies import Task

#: Measures of every result, in the order of the table.
MEASURES = ("nmi_max", "nmi_arithmetic", "nmi_sqrt", "ari", "pairwise_f", "accuracy", "purity")
#: Columns of the exported table, in their order.
COLUMNS = ("dataset", "method", "params", "repeat", "seed", "k", *MEASURES, "seconds", "error")


@dataclass(frozen=True)
class Record:
    """One row of results.

    Attributes
    ----------
    key : str
        Content hash of the task.
    dataset, method, params, repeat, seed
        As in the task.
    n_clusterings : int
        M of the ensemble.
    k : int or None
        The number of clusters: the one asked for, the true one, or the best; None where none was found.
    nmi_max .. purity : float or None
        Scores against the classes; None without classes or after an error.
    seconds : float
        Wall-clock time. What tasks share (a walk, a tree) counts to the one that came first; making the ensemble
        counts to none.
    peak_mb : float
        Peak memory of the process while the task ran, MB: with what other tasks held beside it, and the ensemble.
    error : str
        Empty, or what the method raised.
    """

    key: str
    dataset: str
    method: str
    params: str
    n_clusterings: int
    repeat: int
    seed: int
    k: int | None = None
    nmi_max: float | None = None
    nmi_arithmetic: float | None = None
    nmi_sqrt: float | None = None
    ari: float | None = None
    pairwise_f: float | None = None
    accuracy: float | None = None
    purity: float | None = None
    seconds: float = 0.0
    peak_mb: float = 0.0
    error: str = ""

    def row(self) -> dict[str, Any]:
        """The columns of the exported table."""
        return {name: getattr(self, name) for name in COLUMNS}

    def as_dict(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


FIELDS = tuple(one.name for one in fields(Record))


def record_of(task: Task, **found: Any) -> Record:
    """A record with the task's ids, and what was found."""
    ids = {name: getattr(task, name) for name in ("key", "dataset", "method", "params", "n_clusterings", "repeat",
                                                  "seed")}  # fmt: skip
    return Record(**ids, **found)
