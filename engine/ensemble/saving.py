"""An ensemble in a file: labels, soft memberships, graph and provenance, as NPZ without pickled objects."""

import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike

from ..runtime.errors import InvalidEnsembleError, InvalidParameterError, shown
from ..runtime.memory import require_memory
from .ensembles import Ensemble
from .graphs import Graph

_FORMAT = "concord-ensemble-1"
_EDGES = ("sources", "targets", "weights")
#: What may stand beside an ensemble, one for each object, and the types of numpy that this has.
_OBJECTS = {"rows": "iu", "identifiers": "U"}
_RULE = "the file must be an ensemble saved by Concord, undamaged"
# what numpy and zipfile raise on bytes that are no archive, or one with a flipped bit
_UNREADABLE = (
    *(ValueError, KeyError, EOFError, AttributeError, TypeError, RuntimeError, OSError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    MemoryError,  # for an array that declares more than the file holds, as what it holds was asked for
)
#: What is unpacked is there once as it was saved, and as labels, memberships and microclusters.
_COPIES = 4


def save_ensemble(
    ensemble: Ensemble,
    path: str | os.PathLike | IO[bytes],
    rows: ArrayLike | None = None,
    identifiers: ArrayLike | None = None,
) -> None:
    """Write an ensemble to a file.

    Parameters
    ----------
    ensemble : Ensemble
    path : path or binary file
        Written under exactly this name; ".npz" is usual.
    rows : (N,) int, optional
        Where each object stands in the data, from 0, if some were left out: kept beside the ensemble, as are
    identifiers : (N,) str, optional
        what the objects are called.

    Raises
    ------
    InvalidEnsembleError
        If the provenance holds something JSON cannot say, or rows or identifiers are not one for each object.
    """
    arrays: dict[str, Any] = {
        "format": _FORMAT,
        "fingerprint": ensemble.fingerprint,
        "provenance": _as_json(ensemble.provenance),
        "labels": ensemble.labels,
    }
    if ensemble.toss is not None:
        arrays["toss"] = str(ensemble.toss)  # a seed may be of any size
    if ensemble.memberships is not None:
        arrays["memberships"] = ensemble.memberships
    if ensemble.graph is not None:
        arrays |= {f"graph_{name}": getattr(ensemble.graph, name) for name in _EDGES}
    for name, given in zip(_OBJECTS, (rows, identifiers), strict=True):
        if given is not None:
            own = np.asarray(given)
            if name == "rows" and own.dtype.kind not in "iu":
                raise InvalidEnsembleError(f"rows must be whole numbers. Got {shown(given)}")
            arrays[name] = own.astype(np.int64 if name == "rows" else str)
            if arrays[name].shape != (ensemble.n_objects,):
                raise InvalidEnsembleError(f"{name} must be one for each of {ensemble.n_objects:,} objects")
    with _opened(path, "wb") as file:
        np.savez_compressed(file, **arrays)


def load_ensemble(path: str | os.PathLike | IO[bytes]) -> Ensemble:
    """Read an ensemble that `save_ensemble` wrote.

    Parameters
    ----------
    path : path or binary file

    Returns
    -------
    Ensemble
        With the fingerprint of the one saved.

    Raises
    ------
    InvalidEnsembleError
        If the file is damaged, or no ensemble.
    TooLargeError
        If what is packed in it takes more memory than there may be, before it is unpacked.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> save_ensemble(Ensemble.from_labels([[0, 0], [0, 1]], provenance={"seed": 3}), file)
    >>> _ = file.seek(0)
    >>> load_ensemble(file).provenance
    {'seed': 3}
    """
    with _opened(path, "rb") as file:
        try:  # what the unpackers call an error of the system is damage: the file is open
            with np.load(file, allow_pickle=False) as archive:
                unpacked = sum(one.file_size for one in archive.zip.infolist())
                require_memory("the ensemble in the file", _COPIES * unpacked)
                content = {name: archive[name] for name in archive.files}
        except _UNREADABLE as error:
            said = "a file of another kind" if "pickle" in str(error) else error  # numpy would advise to trust it
            raise InvalidEnsembleError(f"{_RULE}. Got {said}") from error
    return as_ensemble(content)


def as_ensemble(content: dict[str, Any]) -> Ensemble:
    """What the entries of a file say, checked against the fingerprint among them."""
    require_memory("the ensemble in the file", (_COPIES - 1) * sum(np.asarray(one).nbytes for one in content.values()))
    missing = sorted({"format", "fingerprint", "provenance", "labels"} - set(content))
    if missing or str(content["format"]) != _FORMAT:
        raise InvalidEnsembleError(f"{_RULE}. Got {'no ' + ', '.join(missing) if missing else content['format']}")
    try:
        provenance = json.loads(str(content["provenance"]))
        edges = {name: content[f"graph_{name}"] for name in _EDGES if f"graph_{name}" in content}
        graph = Graph.of_edges(**edges, n_nodes=len(content["labels"])) if edges else None
        ensemble = Ensemble.from_labels(content["labels"], content.get("memberships"), provenance, graph=graph)
        if "toss" in content:
            ensemble = replace(ensemble, toss=int(str(content["toss"])))
    except (ValueError, TypeError) as error:
        raise InvalidEnsembleError(f"{_RULE}. Got {error}") from error
    for name, kinds in _OBJECTS.items():
        found = np.asarray(content.get(name, np.zeros(ensemble.n_objects, kinds[0])))
        if found.shape != (ensemble.n_objects,) or found.dtype.kind not in kinds:
            raise InvalidEnsembleError(f"{_RULE}. Got {name} that are not one for each of its objects")
    if ensemble.fingerprint != str(content["fingerprint"]):
        raise InvalidEnsembleError(f"{_RULE}. Got labels, memberships or a graph that do not match their fingerprint")
    return ensemble


def _as_json(provenance: dict[str, Any]) -> str:
    try:
        return json.dumps(provenance)
    except (TypeError, ValueError) as error:
        raise InvalidEnsembleError(f"provenance must be numbers, words, lists and mappings. Got {error}") from error


@contextmanager
def _opened(path: str | os.PathLike | IO[bytes], mode: str) -> Iterator[Any]:
    """A file, closed afterwards if it was opened here."""
    if isinstance(path, str | os.PathLike):
        with open(path, mode) as file:
            yield file
    elif hasattr(path, "write" if "w" in mode else "read"):
        yield path
    else:
        raise InvalidParameterError(f"path must be a path, or an open binary file. Got {shown(path)}")
