"""What criteria share when they are asked about one ensemble: partitions, trees and runs are made once.

What clusters the features again is by far the longest part of choosing k, and depends on neither the ensemble nor the
method: such long looks are kept on disk, and one kept for one criterion serves them all.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..confidence import Profile, cluster_profile
from ..consensus import Consensus, run_consensus
from ..consensus.running import run_every_k
from ..ensemble import Ensemble
from ..params import Params, require_integer
from ..runtime.errors import EngineError, InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Part
from .pair_agreement import ConsensusRuns, consensus_runs
from .structure_test import Structure, principal_scores, structure, without_clusters

#: Files kept in a folder; the oldest go first.
MOST = 64
#: What numpy and zipfile end in where a file is not as it was written: a name, a length, an offset, a flag, a checksum.
_DAMAGED = zipfile.BadZipFile, zlib.error, ValueError, EOFError, RuntimeError, LookupError


class Looks:
    """What was found so far, by name of the question, in one folder that several processes may use at once.

    The folder is made when something is kept, readable by its owner alone.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)

    def read(self, name: str, *arrays: str) -> tuple[NDArray[Any], ...]:
        """The arrays kept under a name; none if there are none, or if their file is damaged: then they are made anew.

        A file is checked as a whole (CRC of every array) before anything in it is used.
        """
        try:
            content = self._path(name).read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise EngineError(f"{self._path(name)} could not be read: {error.strerror or error}") from error
        try:
            with np.load(BytesIO(content), allow_pickle=False) as kept:
                return tuple(kept[one] for one in arrays)
        except _DAMAGED:
            self._path(name).unlink(missing_ok=True)
            return ()

    def has(self, name: str) -> bool:
        """Whether something is kept under a name."""
        return self._path(name).is_file()

    def write(self, name: str, arrays: dict[str, NDArray[Any]]) -> None:
        """Keep arrays under a name, in place of those there: written aside and moved, so never half."""
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
        dated = []
        for file in self.folder.glob("*.npz"):
            with contextlib.suppress(FileNotFoundError):  # another process drops the same ones
                dated.append((file.stat().st_mtime_ns, file))
        for _, file in sorted(dated)[:-MOST]:
            file.unlink(missing_ok=True)


def look_name(features: NDArray[np.float64], ks: NDArray[np.int64], effort: "Effort", seed: int) -> str:
    """A name by content: equal for equal questions of this version, different as soon as one number differs."""
    asked = json.dumps([__version__, features.shape, ks.tolist(), asdict(effort), seed])
    content = hashlib.blake2b(asked.encode(), digest_size=16)
    content.update(np.ascontiguousarray(features).tobytes())
    return content.hexdigest()


Value = TypeVar("Value")


@dataclass(frozen=True)
class Effort:
    """How much is computed.

    Attributes
    ----------
    repeats : int
        R, k-means runs for every k.
    null_sets : int
        B, sets without clusters; below 3 what needs them is left out.
    splits : int
        Splits of the base clusterings in two halves.
    objects : int or None
        Objects drawn at random for what clusters the features again; None for all.
    microclusters : int or None
        Beyond so many, what runs the method again is not asked; None for always.
    """

    repeats: int
    null_sets: int
    splits: int
    objects: int | None = None
    microclusters: int | None = None

    def __post_init__(self) -> None:
        for name, low in (("repeats", 0), ("null_sets", 0), ("splits", 1), ("objects", 2), ("microclusters", 0)):
            if (value := getattr(self, name)) is not None or name not in ("objects", "microclusters"):
                require_integer(name, value, low)


@dataclass(frozen=True, eq=False)
class Question:
    """An ensemble, a method and the numbers of clusters asked about: `ks` ascending from 2, `features` (N, D) or None.

    What was made before a cancel is kept: asked again, it goes on from there. In `looks`, runs on the features are kept
    as they are made, and found again.
    """

    ensemble: Ensemble
    method: str
    params: Params
    ks: NDArray[np.int64]
    features: NDArray[np.float64] | None
    effort: Effort
    seed: int = 0
    looks: Looks | None = None
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def partitions(self, monitor: Monitor = SILENT) -> dict[int, NDArray[np.int32]]:
        """The consensus for every k that has one, by k; one tree serves all k where the method grows one."""
        return self._once("partitions", lambda: self._partitions(self.ensemble, monitor))

    def give_run(self, found: Consensus) -> None:
        """Use a run of this method that is there already, whatever its k, if it grew a tree."""
        self._made.setdefault("result", found)

    def give_partitions(self, found: dict[int, NDArray[np.int32]]) -> None:
        """Use partitions of this method that are there already, by k."""
        self._made.setdefault("partitions", found)

    def result(self, monitor: Monitor = SILENT) -> Consensus:
        """A run of the method, for what stands in its trace."""
        k = min(self.partitions(monitor=monitor), default=2)  # where they had to be found, a run is kept
        return self._once(
            "result", lambda: run_consensus(self.method, self.ensemble, k, self.params, self.seed, monitor)
        )

    def profiles(self, monitor: Monitor = SILENT) -> dict[int, Profile]:
        """How firmly objects sit in the consensus of every k, by k."""
        found = self.partitions(monitor=monitor)
        return self._once(
            "profiles", lambda: {k: cluster_profile(self.ensemble, found[k], monitor=monitor) for k in found}
        )

    def runs(self, monitor: Monitor = SILENT) -> ConsensusRuns:
        """k-means on shares of the objects, for every k."""
        return self._once("runs", lambda: self._data_runs(monitor))

    def null_pac(self, monitor: Monitor = SILENT) -> NDArray[np.float64]:
        """PAC of sets without clusters: (B, n_k)."""
        return self._once("null_pac", lambda: self._null_pac(monitor))

    def structure(self, monitor: Monitor = SILENT) -> Structure:
        """Whether there are clusters at all."""
        pac = self.runs(Part(monitor, 0, self.effort.null_sets + 1, 1)).pac()
        return structure(pac, self.null_pac(monitor))

    def over_ks(self, values: dict[int, float]) -> NDArray[np.float64]:
        """Values by k in the order of `ks`, nan where there is none."""
        return np.array([values.get(int(k), np.nan) for k in self.ks])

    def _once(self, name: str, make: Callable[[], Value]) -> Value:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def _partitions(self, ensemble: Ensemble, monitor: Monitor) -> dict[int, NDArray[np.int32]]:
        ks = [int(k) for k in self.ks if k <= len(ensemble.microclusters)]
        own, found, errors = ensemble is self.ensemble, dict[int, NDArray[np.int32]](), list[Exception]()
        grown = self._made.get("result") if own else None
        for k, one in run_every_k(self.method, ensemble, ks, self.params, self.seed, monitor, grown):
            if isinstance(one, Exception):
                errors.append(one)
                continue
            found[k] = one.labels
            if own:
                self._made.setdefault("result", one)
        if own and not found:
            raise EngineError(f"{self.method} found no consensus for any k. {errors[0] if errors else ''}")
        return found

    def _scores(self) -> NDArray[np.float64]:
        assert self.features is not None
        drawn = self.features[self.drawn()]
        if len(drawn) < len(self.features) and (drawn == drawn[0]).all():
            raise InvalidParameterError(
                f"features must differ between the {len(drawn):,} of {len(self.features):,} objects that were drawn. "
                "Got the same values for all of them: ask for more objects"
            )
        return self._once("scores", lambda: principal_scores(drawn))

    def n_components(self) -> int:
        """Principal components with variance, on which null sets are drawn."""
        return self._scores().shape[1]

    def drawn(self) -> NDArray[np.int64]:
        """The objects whose features are clustered again, all or those the effort draws, by their features.

        So no order of rows decides where k-means begins, or how a sum is rounded.
        """
        return self._once("drawn", self._drawn)

    def _drawn(self) -> NDArray[np.int64]:
        n, most = self.ensemble.n_objects, self.effort.objects
        order = np.arange(n) if self.features is None else np.lexsort(self.features.T[::-1])
        if most is None or n <= most:
            return order
        return order[np.sort(np.random.default_rng(self._sequences()[4]).choice(n, most, replace=False))]

    def _sequences(self) -> list[np.random.SeedSequence]:
        """Random numbers of the data's runs, of the null sets, of their runs, of splits, and of drawn objects."""
        return np.random.SeedSequence([self.seed, 17]).spawn(5)

    def n_kept(self) -> int:
        """Sets whose runs are kept on disk, of `effort.null_sets` + 1: the data and the first sets without clusters."""
        if self.looks is None or not self.looks.has(self._look_name("runs")):
            return 0
        return 1 + len(self._kept_null())

    def _kept_null(self) -> list[NDArray[np.float64]]:
        kept = () if self.looks is None else self.looks.read(self._look_name("null"), "pac")
        return list(kept[0]) if kept else []

    def _look_name(self, part: str) -> str:
        assert self.features is not None
        given = self.features[self.drawn()]
        return self._once("look_name", lambda: look_name(given, self.ks, self.effort, self.seed)) + "-" + part

    def _data_runs(self, monitor: Monitor) -> ConsensusRuns:
        kept = () if self.looks is None else self.looks.read(self._look_name("runs"), "labels", "counts")
        if kept:
            return ConsensusRuns(self.ks, *kept)
        runs = self._runs(self._scores(), self._sequences()[0], monitor)
        if self.looks is not None:
            self.looks.write(self._look_name("runs"), {"labels": runs.labels, "counts": runs.counts})
        return runs

    def _runs(self, points: NDArray, seed: np.random.SeedSequence, monitor: Monitor) -> ConsensusRuns:
        return consensus_runs(points, self.ks, self.effort.repeats, seed=seed, monitor=monitor)

    def _null_pac(self, monitor: Monitor) -> NDArray[np.float64]:
        whole = self.effort.null_sets + 1
        scores = self._scores()
        streams, seeds = (one.spawn(whole - 1) for one in self._sequences()[1:3])
        found: list[NDArray[np.float64]] = self._once("null_rows", self._kept_null)
        for b in range(len(found), whole - 1):
            points = without_clusters(scores, np.random.default_rng(streams[b]))
            part = Part(monitor, b + 1, whole, 1, "clustering data without clusters")
            found.append(self._runs(points, seeds[b], part).pac())
            if self.looks is not None:
                self.looks.write(self._look_name("null"), {"pac": np.array(found)})
        return np.array(found)

    def halves(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The base clusterings split in two at random, as often as the effort says; their order decides nothing."""
        rng, clusterings = np.random.default_rng(self._sequences()[3]), self.ensemble.form.clusterings
        orders = [rng.permutation(clusterings) for _ in range(self.effort.splits)]
        m = len(clusterings)
        return [(np.sort(order[: m // 2]), np.sort(order[m // 2 :])) for order in orders]

    def partitions_of(self, clusterings: NDArray[np.int64], monitor: Monitor) -> dict[int, NDArray[np.int32]]:
        """The consensus of some base clusterings for every k, -1 for objects they did not see."""
        part, objects = self.ensemble.drawn(clusterings)
        found = {}
        for k, labels in self._partitions(part, monitor).items():
            found[k] = np.full(self.ensemble.n_objects, -1, np.int32)
            found[k][objects] = labels
        return found
