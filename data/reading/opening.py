"""Who opens a file somebody made: a process of its own (`data.reading.elsewhere`), or the one that asks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..annotated import write_results
from ..graph_files import open_graph
from ..openml.fetching import Fetched, fetch
from ..readers import array_names, is_long
from ..readers.numpy_files import arrays_npz
from ..readers.tables import Table
from ..records import Graph, Kind
from ..uploads import open_table


class Reading(Protocol):
    """Whatever opens files. A Path is a file where it is, of which no more is read than needed."""

    def look(self, filename: str, content: bytes) -> tuple[list[str], bool]:
        """Return the names of the arrays in a file, and whether it can only be base clusterings."""

    def table(self, filename: str, content: bytes | Path, kind: Kind, matrix: str | int | None = None) -> Table:
        """Return the columns of a file."""

    def graph(self, filename: str, content: bytes | Path, place: str | None = None) -> Graph:
        """Return the graph in a file."""

    def arrays(self, filename: str, content: bytes) -> dict[str, np.ndarray]:
        """Return all arrays of an NPZ file by name."""

    def openml(self, did: int, name: str) -> Fetched:
        """Return the set of a number on OpenML; the name is for messages."""

    def annotate(
        self,
        path: Path,
        columns: Mapping[str, np.ndarray],
        settings: Mapping[str, Any],
        names: Sequence[str] | np.ndarray | None,
    ) -> None:
        """Write results into a file."""


class ReadingHere:
    """Files are opened in the process that asks, without limits: for files one made oneself."""

    def look(self, filename: str, content: bytes) -> tuple[list[str], bool]:
        """Return what `Reading` says."""
        extension = Path(filename).suffix.lower()
        return array_names(extension, content), is_long(extension, content)

    def table(self, filename: str, content: bytes | Path, kind: Kind, matrix: str | int | None = None) -> Table:
        """Return what `Reading` says."""
        return open_table(filename, content, kind, matrix)

    def graph(self, filename: str, content: bytes | Path, place: str | None = None) -> Graph:
        """Return what `Reading` says."""
        return open_graph(filename, content, place)

    def arrays(self, filename: str, content: bytes) -> dict[str, np.ndarray]:
        """Return what `Reading` says."""
        return arrays_npz(content)

    def openml(self, did: int, name: str) -> Fetched:
        """Return what `Reading` says."""
        return fetch(did, name)

    def annotate(
        self,
        path: Path,
        columns: Mapping[str, np.ndarray],
        settings: Mapping[str, Any],
        names: Sequence[str] | np.ndarray | None,
    ) -> None:
        """Do what `Reading` says."""
        write_results(path, columns, settings, names)


HERE = ReadingHere()
