"""Long looks on disk: k-means runs of data and of sets without clusters, so that none runs twice.

What clusters the features again is by far the longest part of choosing k, and depends on neither the ensemble nor the
method; a look kept for one serves them all.
"""

import hashlib
import json
import os
import tempfile
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..runtime.errors import EngineError

if TYPE_CHECKING:
    from .questions import Effort

#: Files kept in a folder; the oldest go first.
MOST = 64


class Looks:
    """What was found so far, by name of the question, in one folder that several processes may use at once.

    Parameters
    ----------
    folder : path
        Made when something is kept, readable by its owner alone.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)

    def read(self, name: str) -> dict[str, NDArray[Any]]:
        """The arrays kept under a name; none if there are none, or if their file is damaged: then they are made anew.

        A file is checked as a whole (CRC of every array) before anything in it is used.

        Raises
        ------
        EngineError
            If there is something that cannot be read.
        """
        try:
            with np.load(self._path(name), allow_pickle=False) as kept:
                return dict(kept)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise EngineError(f"{self._path(name)} could not be read: {error.strerror or error}") from error
        except (zipfile.BadZipFile, ValueError, EOFError):
            self._path(name).unlink(missing_ok=True)
            return {}

    def has(self, name: str) -> bool:
        """Whether something is kept under a name."""
        return self._path(name).is_file()

    def write(self, name: str, arrays: dict[str, NDArray[Any]]) -> None:
        """Keep arrays under a name, in place of those there: written aside and moved, so never half.

        Raises
        ------
        EngineError
            If the folder cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=self.folder) as aside:
                np.savez(Path(aside) / "look.npz", allow_pickle=False, **arrays)
                (Path(aside) / "look.npz").chmod(0o600)
                os.replace(Path(aside) / "look.npz", self._path(name))
            self._drop_oldest()
        except OSError as error:
            raise EngineError(f"{self.folder} could not be written: {error.strerror or error}") from error

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.npz"

    def _drop_oldest(self) -> None:
        files = sorted(self.folder.glob("*.npz"), key=lambda file: file.stat().st_mtime_ns)
        for file in files[:-MOST]:
            file.unlink(missing_ok=True)


def look_name(features: NDArray[np.float64], ks: NDArray[np.int64], effort: "Effort", seed: int) -> str:
    """A name by content: equal for equal questions of this version, different as soon as one number differs."""
    asked = json.dumps([__version__, features.shape, ks.tolist(), asdict(effort), seed])
    content = hashlib.blake2b(asked.encode(), digest_size=16)
    content.update(np.ascontiguousarray(features).tobytes())
    return content.hexdigest()
