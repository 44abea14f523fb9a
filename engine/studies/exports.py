"""Records as tables for other programs."""

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..confidence import INTERNAL
from ..metrics import MEASURES
from ..runtime.extras import imported
from ..tables import harmless
from .records import COLUMNS, FIELDS, Record
from .rows import WHOLE

if TYPE_CHECKING:
    import pandas as pd


def to_csv(records: Iterable[Record]) -> str:
    """Records as CSV, columns as in `COLUMNS`; none at all gives the header alone.

    Parameters
    ----------
    records : iterable of Record
        In the order of the rows.

    Returns
    -------
    str
        With a header, lines end in a newline.
    """
    frame = _frame(records)
    words = frame.select_dtypes(exclude="number").map(harmless)  # data sets are called as their files are
    return frame.assign(**words).to_csv(columns=COLUMNS, index=False, lineterminator="\n")


def to_parquet(records: Iterable[Record]) -> bytes:
    """Records as Parquet, all fields.

    Parameters
    ----------
    records : iterable of Record
        In the order of the rows.

    Returns
    -------
    bytes
        The content of the file.
    """
    out = io.BytesIO()
    imported("pyarrow", "Exporting Parquet")
    _frame(records).to_parquet(out, index=False)
    return out.getvalue()


def _frame(records: Iterable[Record]) -> "pd.DataFrame":
    """All fields of records; whole numbers stay whole where some are missing."""
    pd = imported("pandas", "Exporting results")  # running a study does without
    frame = pd.DataFrame([record.as_dict() for record in records], columns=list(FIELDS))
    return frame.astype(dict.fromkeys(WHOLE, "Int64") | dict.fromkeys((*MEASURES, *INTERNAL), "float64"))
