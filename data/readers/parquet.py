"""Parquet files: sizes from the metadata first, then plain columns of numbers or text."""

from typing import TYPE_CHECKING

import numpy as np

from ..errors import DataError, listed, refusing, shortened
from ..limits import MAX_FEATURE_ROWS, check_bytes, check_size
from ..reading.progress import Watched, goes_on
from ..records import Kind
from .tables import Reader, Table, are_names, as_numbers

if TYPE_CHECKING:
    import pyarrow as pa

_INDEX_PREFIX = "__index_level_"  # how pandas stores a row index


def read_parquet(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the columns of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with refusing("a Parquet file", pa.ArrowException, OSError, ValueError, KeyError, MemoryError):
        source = pa.PythonFile(Watched(content), "r")
        metadata = pq.read_metadata(source)
        check_size(metadata.num_rows, metadata.num_columns, kind)
        groups = range(metadata.num_row_groups)
        check_bytes(sum(metadata.row_group(i).total_byte_size for i in groups))
        schema = metadata.schema.to_arrow_schema()
        texts = [field.name for field in schema if _is_text(field.type)]
        # Text stays coded: one long string repeated in every row must not be written out.
        file = pq.ParquetFile(source, read_dictionary=texts)
        names = [field.name for field in schema]
        indexes = _indexes(schema)
        index = [place for place, name in enumerate(names) if name in indexes]
        own = [place for place in range(len(names)) if place not in index]
        named = [place for place in index if not names[place].startswith(_INDEX_PREFIX)]
        if len(index) == 1 and not named:
            named, names[index[0]] = index, ""
        own = named + own  # in front, as the same frame has it as text
        places = [place for place in own if _is_read(schema[place].type)]
        left = [f"{names[place]} ({schema[place].type})" for place in own if place not in places]
        if left and not places:
            raise DataError(f"No column holds numbers or words. The file has {listed(left)}. Convert one.")
        twice = next((name for name in texts if names.count(name) > 1), None)
        if twice is not None:  # the reader goes by names: it would not keep both coded
            raise DataError(f"Several columns are called {shortened(twice)!r}, and not all are numbers. Rename one.")
        table = file.read()  # all: asked for by their names, those of one name come together
        notes = (f"Neither numbers nor words, and left in the file: {listed(left)}.",) if left else ()
        return Table(
            tuple(_values(table.column(i), kind) for i in places), tuple(names[i] for i in places), notes=notes
        )


def _indexes(schema: "pa.Schema") -> set[str]:
    """Return the names of columns that are the index of a data frame, as pandas says or calls them."""
    try:
        said = (schema.pandas_metadata or {}).get("index_columns")
    except (ValueError, AttributeError):  # somebody else's words
        said = None
    named = {name for name in said if isinstance(name, str)} if isinstance(said, list) else set()
    return named | {name for name in schema.names if name.startswith(_INDEX_PREFIX)}


def is_long_parquet(content: bytes) -> bool:
    """Return whether a Parquet file has more rows of whole numbers than features may have: these are labels."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with refusing("a Parquet file", pa.ArrowException, OSError, ValueError, KeyError, MemoryError):
        metadata = pq.read_metadata(pa.BufferReader(content))
        kinds = [field.type for field in metadata.schema.to_arrow_schema()]
    return metadata.num_rows > MAX_FEATURE_ROWS and all(map(pa.types.is_integer, kinds))


def _is_text(kind: "pa.DataType") -> bool:
    """Return whether a column holds text."""
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _values(column: "pa.ChunkedArray", kind_of_file: Kind) -> np.ndarray:
    """Return one column as numbers (NaN where null) or as text cells (None where null)."""
    import pyarrow as pa

    goes_on()
    kind, long = column.type, False
    if _is_number(kind) and column.null_count == 0:
        return column.to_numpy()
    if _is_number(kind):
        try:
            return column.cast(pa.float64()).to_numpy()
        except pa.ArrowInvalid:  # whole numbers too long for it are names
            column, long = column.cast(pa.string()).dictionary_encode(), True
    if pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return column.cast(pa.float64()).to_numpy()
    if _is_time(kind):
        column = column.cast(pa.string()).dictionary_encode()
    coded = column.combine_chunks()
    coded.validate(full=True)  # a damaged file may point beyond its own words
    words = np.array([*coded.dictionary.to_pylist(), None], dtype=object)
    codes = coded.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    names = long or (kind_of_file == "labels" and are_names(set(words)))
    return (words if names else as_numbers(words))[codes.astype(np.int64)]


def _is_number(kind: "pa.DataType") -> bool:
    """Return whether a column holds numbers or switches."""
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)


def _is_time(kind: "pa.DataType") -> bool:
    """Return whether a column holds dates or times, which are read as words."""
    import pyarrow as pa

    return pa.types.is_date(kind) or pa.types.is_time(kind) or pa.types.is_timestamp(kind)


def _is_read(kind: "pa.DataType") -> bool:
    """Return whether a column can be read, before it is."""
    import pyarrow as pa

    words = _is_text(kind.value_type if pa.types.is_dictionary(kind) else kind)
    return words or _is_number(kind) or _is_time(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind)


READERS = (Reader("Parquet", (".parquet",), read_parquet, is_long=is_long_parquet, edges=True, place=40),)
