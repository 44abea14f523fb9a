"""How much a file may hold, and the refusals that go with it."""

import math
import zlib

from .errors import DataError
from .reading.progress import goes_on
from .records import Kind

MAX_FEATURE_ROWS = 200_000
MAX_LABEL_ROWS = 2_000_000
MAX_FEATURE_COLUMNS = 10_000
MAX_CLUSTERINGS = 1_000
MAX_BYTES = 1 << 29  # 512 MiB, after decompression
#: What a file may come to in memory: rows x columns x bytes a value, so often as they are there at the same time.
MAX_MADE = 1 << 30
COPIES = 2
#: Parts of a file (elements, groups, chunks) that are looked at, whatever their size.
MAX_PARTS = 10_000
#: Bytes that chunks must have on average, beyond the first thousand: smaller ones cost more than they hold.
MEAN_CHUNK = 1024

MAX_ROWS: dict[Kind, int] = {"features": MAX_FEATURE_ROWS, "labels": MAX_LABEL_ROWS}
MAX_COLUMNS: dict[Kind, int] = {"features": MAX_FEATURE_COLUMNS, "labels": MAX_CLUSTERINGS}
_VALUE_BYTES: dict[Kind, int] = {"features": 8, "labels": 4}
_COLUMN_WORD: dict[Kind, str] = {"features": "columns", "labels": "base clusterings"}
_INFLATE_STEP = 1 << 20


def check_size(n_rows: int, n_columns: int, kind: Kind) -> None:
    """Refuse a table with more rows or columns than the limits allow, or that takes too much memory once it is read.

    What counts is what reading makes of it, however small the values are in the file.

    >>> check_size(150, 4, "features")
    >>> check_size(150, 2000, "labels")
    Traceback (most recent call last):
        ...
    data.errors.DataError: The file has 2,000 base clusterings; the limit is 1,000. Bring a smaller part.
    """
    for count, limit, word in (
        (n_rows, MAX_ROWS[kind], "rows"),
        (n_columns, MAX_COLUMNS[kind], _COLUMN_WORD[kind]),
    ):
        if count > limit:
            other = "; longer ones, as Parquet or NPY: docs/scale.md" if (kind, word) == ("labels", "rows") else ""
            raise DataError(f"The file has {count:,} {word}; the limit is {limit:,}. Bring a smaller part{other}.")
    made = n_rows * n_columns * _VALUE_BYTES[kind] * COPIES
    if made > MAX_MADE:
        raise DataError(
            f"The file has {n_rows * n_columns:,} values; reading it takes {made / 2**30:.1f} GiB, and the limit is "
            f"{MAX_MADE / 2**30:.0f} GiB. Bring a smaller part."
        )


def check_array(shape: tuple[int, ...], itemsize: int, name: str, kind: Kind) -> None:
    """Refuse an array whose shape is no table, or too large a one, before it is read."""
    shown = f"The array {name!r}" if name else "The array"
    if len(shape) not in (1, 2):
        raise DataError(
            f"{shown} has {len(shape)} dimensions {shape}; a table has 2, objects by "
            f"{_COLUMN_WORD[kind]}. Reshape it and save it again."
        )
    if min(shape) < 0:
        raise DataError(f"{shown} declares an impossible shape {shape}: the file is damaged. Save it again.")
    check_bytes(math.prod(shape) * itemsize)
    check_size(shape[0], shape[1] if len(shape) == 2 else 1, kind)


def check_content(n_bytes: int) -> None:
    """Refuse a file of no bytes."""
    if not n_bytes:
        raise DataError("The file is empty (0 bytes). Check that it was saved completely.")


def check_bytes(n_bytes: int) -> None:
    """Refuse contents that take more than `MAX_BYTES` of memory once unpacked."""
    if n_bytes > MAX_BYTES:
        raise DataError(
            f"The file unpacks to {n_bytes / 2**30:.1f} GiB or more; the limit is "
            f"{MAX_BYTES / 2**30:.1f} GiB. "
            "Bring a smaller part."
        )


def check_parts(count: int, what: str) -> None:
    """Refuse a file of more than `MAX_PARTS` elements, groups or arrays: it holds no table."""
    if count > MAX_PARTS:
        raise DataError(f"The file has more than {MAX_PARTS:,} {what}. Save the table alone.")


def inflated_size(packed: bytes | memoryview, limit: int) -> int:
    """Return how many bytes a zlib stream unpacks to, keeping none of them.

    Counting stops as soon as `limit` is passed, so a decompression bomb costs at most `limit` bytes
    of work and 1 MiB of memory; the result is then some number above `limit`.

    >>> inflated_size(zlib.compress(bytes(5000)), limit=10_000)
    5000
    """
    stream, total, rest = zlib.decompressobj(), 0, bytes(packed)
    while not stream.eof and total <= limit:
        goes_on()
        piece = stream.decompress(rest, _INFLATE_STEP)
        if not piece and not stream.eof:
            raise zlib.error("incomplete stream")
        total += len(piece)
        rest = stream.unconsumed_tail
    return total
