"""The command `python -m engine.distributed run --labels 'FOLDER/*.parquet' --method lwgp --n-clusters 20`."""

import argparse
import os
import sys
from collections.abc import Sequence

from ..consensus import find_method
from ..console import Progress, run, whole
from .running import METHODS, distributed_consensus


def _run(chosen: argparse.Namespace) -> None:
    params = find_method(chosen.method).params.of_words(chosen.param)
    found = distributed_consensus(
        chosen.labels,
        chosen.method,
        chosen.n_clusters,
        params,
        chosen.seed,
        chosen.out,
        os.environ.get("CONCORD_SCHEDULER") or None,
        Progress(),
    )
    made = f"{found.n_objects:,} objects in {found.n_clusters} clusters, of {found.n_clusterings:,} base clusterings"
    print(f"{made}, {found.seconds:.1f} s", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description="Consensus over tiles of rows.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("run", help="find the consensus of a label matrix in files")
    one.add_argument("--labels", required=True, metavar="FILES", help="a file, a folder or a pattern: Parquet or NPY")
    one.add_argument("--method", default="lwgp", choices=METHODS)
    one.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="of the method")
    one.add_argument("--n-clusters", type=whole(2), required=True, metavar="K")
    one.add_argument("--seed", type=whole(0), default=0)
    one.add_argument("--out", required=True, metavar="FILE", help="where to write: .parquet or .npy")
    one.set_defaults(act=_run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    chosen = _parser().parse_args(arguments)
    return run(chosen.act, chosen)


if __name__ == "__main__":
    sys.exit(main())
