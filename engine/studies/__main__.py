"""Studies from the command line, `python -m engine.studies run STUDY.toml --store FILE`, and saving what is whole."""

import argparse
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..console import Progress, content_of, data_sets, is_one_of, run, write_output
from ..ensemble import Graph
from ..ensemble.renumbering import first_appearance
from ..generators import known_generators
from .files import read_study
from .records import FORMS, text_or_bytes, to_csv, to_parquet
from .running import run_study
from .sources import Source
from .store import (
    MAGIC,
    PROGRAM,
    Store,
    StoreError,
    copied,
    is_table,
    opened,
    require_new,
    require_there,
    schema_of,
    written,
)
from .study import InvalidStudyError, Study, expand

#: Keys begin with two hexadecimal digits: a damaged page hides at most what lies beside it in one of these ranges.
_EDGES = ("", *(f"{i:02x}" for i in range(256)), None)


@dataclass(frozen=True)
class Salvaged:
    """What came of saving a store: records `kept` whole, rows `damaged`, and how many should have been `written`.

    `out_of_reach`: pages could not be read, and with them records; `written` is None where its count is damaged.
    """

    kept: int
    damaged: int
    out_of_reach: bool
    written: int | None


def salvage(damaged: Path, goal: Path) -> Salvaged:
    """Copy all whole records of a damaged store, which is only read, into a new one that must not exist.

    The table is read from both ends of every range of keys, so that a damaged page hides as little as may be. If no
    version of Concord wrote it, nothing of it is found whole.
    """
    require_new(goal)
    require_there(damaged)
    with copied(damaged) as copy, closing(sqlite3.connect(_as_long_as_it_is(copy))) as connection:
        connection.text_factory = text_or_bytes
        try:
            ours = is_table(schema_of(connection), "records")
            names = {row[1] for row in connection.execute("PRAGMA table_info(records)")} if ours else set()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise StoreError(f"{damaged} could not be read: nothing of it is whole ({error})") from error
        forms = [form for form in FORMS.values() if names.issuperset(form[0])]
        if not forms:
            raise StoreError(f"{damaged} could not be read: it has no table of records with checksums")
        columns, record_of = forms[0]
        rows, out_of_reach = _rows_in_reach(connection, columns)
        expected = written(connection)
    whole = [record for row in rows if (record := record_of(*row)) is not None]
    with closing(Store(goal)) as store:
        store.add(whole)
    return Salvaged(len(whole), len(rows) - len(whole), out_of_reach, expected)


#: Bytes of a page, unless the store says otherwise.
_PAGE = 4096


def _as_long_as_it_is(copy: Path) -> Path:
    """Of a file that was cut off, which SQLite refuses altogether, the pages that are there; its first bytes anew.

    Source: "Database File Format", sqlite.org, 1.3 (the size of a page at 16, versions at 18, then four bytes that are
    always the same; the number of pages at 28 of the header).
    """
    with copy.open("r+b") as file:
        header = bytearray(file.read(100))
        if len(header) < 100:
            return copy
        page = 65536 if header[16:18] == b"\0\1" else int.from_bytes(header[16:18], "big")
        if page < 512 or page & (page - 1):
            page = _PAGE
            header[16:18] = page.to_bytes(2, "big")
        header[: len(MAGIC)] = MAGIC
        header[18:20] = bytes(version if version in (1, 2) else 2 for version in header[18:20])
        header[20:24] = bytes((0, 64, 32, 32))
        there = file.seek(0, 2) // page
        if 0 < there < int.from_bytes(header[28:32], "big"):
            header[28:32] = there.to_bytes(4, "big")
        file.seek(0)
        file.write(header)
    return copy


def _rows_in_reach(connection: sqlite3.Connection, columns: Iterable[str]) -> tuple[set[tuple], bool]:
    """Rows of all ranges of keys, each from the front, and from the back where the front ends at a damage."""
    found, out_of_reach = set[tuple](), False
    for low, high in pairwise(_EDGES):
        where = f"key >= '{low}'" + ("" if high is None else f" AND key < '{high}'")
        for order in ("ASC", "DESC"):
            try:
                found.update(
                    connection.execute(f"SELECT {', '.join(columns)} FROM records WHERE {where} ORDER BY key {order}")
                )
                break
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                out_of_reach = True
    return found, out_of_reach


def sources_of(study: Study, folder: Path = Path()) -> dict[str, Source]:
    """The data sets a study names, features scaled as it says; its own files lie in `folder`.

    A graph whose base clusterings the study's generator cannot make comes to records with that error, as on the pages;
    a study of nothing else is refused.
    """
    found, data = {}, data_sets()
    takes_graph = study.recipe.made_by.takes_graph
    try:
        data.check_scaling(study.scaling)
    except data.DataError as error:
        raise InvalidStudyError(str(error)) from None
    for name in study.datasets:
        try:
            loaded = _loaded(folder, name, study)
        except data.DataError as error:
            raise InvalidStudyError(f"datasets: {error}") from None
        truth = None if loaded.labels is None else first_appearance(loaded.labels)
        if isinstance(loaded, data.Pool):
            found[name] = Source(name, pool=np.asarray(loaded.members), truth=truth)
        elif isinstance(loaded, data.Graph) and (takes_graph or loaded.features is None):
            edges = Graph.of_edges(loaded.sources, loaded.targets, loaded.weights, loaded.n_objects)
            found[name] = Source(name, graph=edges, truth=truth)
        else:
            found[name] = Source(name, features=data.scale(loaded.features, study.scaling), truth=truth)
    if not takes_graph and all(source.graph is not None for source in found.values()):
        able = ", ".join(one.key for one in known_generators().values() if one.takes_graph)
        names = f"{', '.join(found)} {'is a graph' if len(found) == 1 else 'are graphs'}"
        raise InvalidStudyError(
            f"generator must be one that takes edges ({able}): {names}. Got {study.recipe.generator}"
        )
    return found


def _loaded(folder: Path, name: str, study: Study) -> Any:
    """What a study calls by a name: a file beside it, a bundled graph, or a data set of the catalog."""
    if name in study.files:
        return _file(folder, name, study.files[name])
    data = data_sets()
    return data.load_graph(name) if name in data.graph_catalog() else data.load(name)


def _file(folder: Path, name: str, how: Mapping[str, Any]) -> Any:
    """The data set in a file beside the study, read as the study says."""
    file = folder / how.get("file", name)
    if not file.is_file():
        raise InvalidStudyError(f"datasets: {file.name} must lie beside the study file. It is not in {folder}")
    if how["kind"] == "graph":
        return data_sets().read_graph(file.name, content_of(file), how.get("matrix"))
    roles = how.get("roles", {})
    options = {option: how[option] for option in ("missing", "matrix") if option in how}
    return data_sets().read_upload(file.name, content_of(file), how["kind"], roles=roles, **options)


def _run(chosen: argparse.Namespace) -> None:
    study = read_study(content_of(chosen.study))
    sources, store = sources_of(study, chosen.study.parent), Store(chosen.store)
    if chosen.again:
        store.forget(key for key, record in store.of(expand(study, sources)).items() if record.error)
    records = run_study(study, sources, store, Progress(ends=True))
    failed = sum(bool(record.error) for record in records)
    more = "; --again runs them once more" if failed and not chosen.again else ""
    print(f"{_counted(len(records))}, {failed:,} of them errors, in {chosen.store}{more}", file=sys.stderr)


def _export(chosen: argparse.Namespace) -> None:
    if not chosen.csv and not chosen.parquet:
        raise InvalidStudyError("say where to export to: --csv OUT or --parquet OUT")
    if chosen.csv and chosen.parquet and chosen.csv.resolve() == chosen.parquet.resolve():
        raise InvalidStudyError(f"{chosen.csv} can be one of CSV and Parquet. Name two files")
    for goal in filter(None, (chosen.csv, chosen.parquet)):
        if is_one_of(goal, [chosen.store]):
            raise InvalidStudyError(f"{goal} is the store itself. Name another file")
    with opened(chosen.store) as store:
        records, written = store.all(), store.written()
    if chosen.csv:
        write_output(str(chosen.csv), to_csv(records).encode())
    if chosen.parquet:
        write_output(str(chosen.parquet), to_parquet(records))
    print(f"{_counted(len(records), written)} exported", file=sys.stderr)


def _backup(chosen: argparse.Namespace) -> None:
    with opened(chosen.store) as store:
        number = store.backup(chosen.to)
    print(f"{_counted(number)} copied to {chosen.to}", file=sys.stderr)


def _salvage(chosen: argparse.Namespace) -> None:
    found = salvage(chosen.store, chosen.to)
    damaged = f"{found.damaged:,} {'was' if found.damaged == 1 else 'were'} damaged"
    more = ", and pages that cannot be read" if found.out_of_reach else ""
    print(f"{_counted(found.kept, found.written)} saved in {chosen.to}; {damaged}{more}", file=sys.stderr)


def _counted(records: int, of: int | None = None) -> str:
    """How many records, and of how many where that is known."""
    return f"{records:,}{'' if of is None else f' of {of:,}'} record{'' if (of or records) == 1 else 's'}"


def _store(word: str) -> Path:
    if Path(word).is_dir():
        raise argparse.ArgumentTypeError(f"must be a file. {word} is a folder")
    return Path(word)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Run and export studies.")
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="compute what a study lacks; exit code 0 only if every task has a record")
    run.add_argument("study", type=Path, metavar="STUDY.toml")
    run.add_argument("--store", type=_store, required=True, metavar="FILE")
    words = "run once more what failed before; else its error stays"
    run.add_argument("--again", action="store_true", help=words)
    run.set_defaults(act=_run)
    export = commands.add_parser("export", help="write all records of a store as one table")
    export.add_argument("--store", type=_store, required=True, metavar="FILE")
    export.add_argument("--csv", type=Path, metavar="OUT")
    export.add_argument("--parquet", type=Path, metavar="OUT")
    export.set_defaults(act=_export)
    backup = commands.add_parser("backup", help="copy a store, also while a study writes to it")
    backup.add_argument("--store", type=_store, required=True, metavar="FILE")
    backup.add_argument("--to", type=Path, required=True, metavar="NEW")
    backup.set_defaults(act=_backup)
    salvage = commands.add_parser("salvage", help="copy all whole records of a damaged store into a new one")
    salvage.add_argument("--store", type=_store, required=True, metavar="FILE")
    salvage.add_argument("--to", type=Path, required=True, metavar="NEW")
    salvage.set_defaults(act=_salvage)
    return parser


def main(arguments: list[str] | None = None, program: str = PROGRAM) -> int:
    """Do what the command line says, of whoever calls itself `program`; the exit code."""
    chosen = _parser(program).parse_args(arguments)
    return run(chosen.act, chosen)


if __name__ == "__main__":
    sys.exit(main())
