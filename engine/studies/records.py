"""A record: what became of one task, as a plain row."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from .. import __version__
from ..confidence import INTERNAL
from ..metrics import MEASURES
from .study import Task

#: Columns of the exported table, in their order.
COLUMNS = (
    *("dataset", "method", "params", "repeat", "seed", "k", *MEASURES, "seconds", "error"),
    *("n_clusterings", "generator", "version", *INTERNAL),
)


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
    generator : str
        How the base clusterings were made, as in the task.
    version : str
        Of Concord, which found it; empty in records from before it was kept.
    margin, anmi : float or None
        Internal scores, which need no classes; None in records from before they were kept.
    stability : float or None
        Mean stability under draws of base clusterings; None where the study did not ask for it, or where hardly any
        draw tells k groups apart.
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
    generator: str = ""
    version: str = ""
    margin: float | None = None
    anmi: float | None = None
    stability: float | None = None

    def row(self) -> dict[str, Any]:
        """The columns of the exported table.

        Returns
        -------
        dict of str to value
            Keys are `COLUMNS`, in this order.
        """
        return {name: getattr(self, name) for name in COLUMNS}

    def as_dict(self) -> dict[str, Any]:
        """All fields.

        Returns
        -------
        dict of str to value
            What `Record(**...)` takes back.
        """
        return asdict(self)


_IDS = ("key", "dataset", "method", "params", "n_clusterings", "repeat", "seed", "generator")
FIELDS = tuple(one.name for one in fields(Record))


def record_of(task: Task, **found: Any) -> Record:
    """A record with the task's ids, what was found, and the version that found it.

    Parameters
    ----------
    task : Task
        What was run.
    found : value
        Fields of the record by name: scores, seconds, memory, error.

    Returns
    -------
    Record
        Complete.
    """
    return Record(**{name: getattr(task, name) for name in _IDS}, version=__version__, **found)
