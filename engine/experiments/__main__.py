"""Studies from the command line: `python -m engine.experiments run STUDY.toml --store FILE`."""

import argparse
import sys
import threading
import time
from pathlib import Path

import numpy as np

import data
from engine.errors import EngineError
from engine.experiments.running import run_study
from engine.experiments.sources import Source
from engine.experiments.store import Store, to_csv, to_parquet
from engine.experiments.studies import InvalidStudyError, Study
from engine.experiments.study_files import read_study
from engine.monitor import Monitor
from engine.renumbering import first_appearance


class Progress(Monitor):
    """One line on stderr, at most twice a second."""

    def __init__(self) -> None:
        self._last, self._lock = 0.0, threading.Lock()

    def tick(self, stage: str, done: int, total: int) -> None:
        """Say how many tasks are done."""
        now = time.monotonic()
        with self._lock:
            if now - self._last < 0.5 and done < total:
                return
            self._last = now
        print(f"{stage}: {done:,} of {total:,}", file=sys.stderr, flush=True)


def sources_of(study: Study) -> dict[str, Source]:
    """The data sets a study names, features scaled as it says.

    Raises
    ------
    InvalidStudyError
        If there is no such data set, or it cannot be read.
    """
    found = {}
    for name in study.datasets:
        try:
            loaded = data.load(name)
        except data.DataError as error:
            raise InvalidStudyError(f"datasets: {error}") from None
        truth = None if loaded.labels is None else first_appearance(loaded.labels)
        if isinstance(loaded, data.Pool):
            found[name] = Source(name, pool=np.asarray(loaded.members), truth=truth)
        else:
            found[name] = Source(name, features=data.scale(loaded.features, study.scaling), truth=truth)
    return found


def _run(chosen: argparse.Namespace) -> None:
    study = read_study(chosen.study.read_text(encoding="utf-8"))
    records = run_study(study, sources_of(study), Store(chosen.store), Progress())
    failed = sum(bool(record.error) for record in records)
    print(f"{len(records):,} records, {failed:,} of them errors, in {chosen.store}", file=sys.stderr)


def _export(chosen: argparse.Namespace) -> None:
    if not chosen.csv and not chosen.parquet:
        raise InvalidStudyError("say where to export to: --csv OUT or --parquet OUT")
    records = Store(chosen.store).all()
    if chosen.csv:
        chosen.csv.write_text(to_csv(records), encoding="utf-8")
    if chosen.parquet:
        chosen.parquet.write_bytes(to_parquet(records))
    print(f"{len(records):,} records exported", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.experiments", description="Run and export studies.")
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="compute what a study lacks; exit code 0 only if every task has a record")
    run.add_argument("study", type=Path, metavar="STUDY.toml")
    run.add_argument("--store", type=Path, required=True, metavar="FILE")
    run.set_defaults(act=_run)
    export = commands.add_parser("export", help="write all records of a store as one table")
    export.add_argument("--store", type=Path, required=True, metavar="FILE")
    export.add_argument("--csv", type=Path, metavar="OUT")
    export.add_argument("--parquet", type=Path, metavar="OUT")
    export.set_defaults(act=_export)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.act(chosen)
    except (EngineError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; what was finished is kept", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
