"""A report from the command line: `concord report features.csv --out report.html`."""

import argparse
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from engine.consensus import find_method
from engine.console import Progress, UsageError, content_of, read_as_graph, read_input, run, whole, write_output
from engine.generators import known_generators
from engine.generators.registry import check_takes


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    return run(_report, _parser().parse_args(arguments))


def _report(asked: Namespace) -> None:
    from streamlit.logger import set_log_level

    ending = Path(asked.out or "").suffix.lower()
    if not asked.pdf and ending not in ("", ".html", ".htm", ".pdf"):
        raise UsageError(f"a report is HTML or PDF, and {asked.out} is named as neither. Name it .html or .pdf")
    as_pdf = asked.pdf or ending == ".pdf"
    set_log_level("ERROR")  # there is no server here, and none is needed
    from ui.report.making import gathered, printed, report

    page = report(gathered(_config(asked), Progress(), asked.methods))
    write_output(asked.out, printed(page) if as_pdf else page.encode())


def _config(asked: Namespace):
    """The settings of a session with this file, or with a data set of the catalog."""
    import data
    from ui.compute import uploads
    from ui.compute.data_sets import find, linked
    from ui.session.run_config import RunConfig

    params = find_method(asked.method).params.of_words(asked.param)
    values = {"m": asked.m, "seed": asked.seed, "method": asked.method, "k": asked.k}
    known = asked.file in data.catalog(graphs=True)
    if known and (asked.labels or asked.edges):
        raise UsageError(
            f"{asked.file} is a data set of the catalog, and says itself what it holds; leave out --labels"
        )
    name = asked.file if known else _kept(uploads, asked)
    source = find(name)
    of_graph = asked.edges or (not asked.labels and read_as_graph(asked.file, False, False))
    generator = asked.generator or ("leiden" if of_graph else "kmeans")
    if asked.generator and isinstance(source, data.Pool):
        raise UsageError(f"{asked.file} holds base clusterings, and --generator makes some; leave it out")
    if getattr(source, "features", None) is None:
        if asked.scaling:
            raise UsageError(f"{asked.file} has no features that --scaling could bring to one scale; leave it out")
        if asked.generator and isinstance(source, data.Graph):
            check_takes(known_generators()[generator], linked(source))
    config = RunConfig(data=name, generator=generator, scaling=asked.scaling or "standard", **values)
    return config.with_params(asked.method, params.as_dict())


def _kept(uploads, asked: Namespace) -> str:
    """The id of a file that was read."""
    from data import NoColumnError

    filename, content = read_input(asked.file)
    content = content_of(content) if isinstance(content, Path) else content  # an AnnData file is read where it is
    kept = partial(uploads.keep_file, Path(filename).name, content)
    takes_graph = bool(asked.generator) and known_generators()[asked.generator].takes_graph
    if asked.edges or (not asked.labels and read_as_graph(asked.file, False, takes_graph)):
        try:
            return kept("graph").id
        except NoColumnError:
            if asked.edges:
                raise
    return kept("labels" if asked.labels else "features").id


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="concord report", description="Write a report: one HTML file that needs no network, or a PDF."
    )
    parser.add_argument("file", metavar="FILE", help="one object a row, a data set of the catalog, or -")
    parser.add_argument("--out", metavar="FILE", help="where to write (.html or .pdf); without it, stdout")
    parser.add_argument("--pdf", action="store_true", help="PDF, whatever the name; needs Chromium or Chrome")
    parser.add_argument("--labels", action="store_true", help="FILE holds base clusterings, not features")
    parser.add_argument("--edges", action="store_true", help="FILE holds a graph, not features")
    parser.add_argument(
        "--k", type=whole(2), help="clusters; without it the number of classes, or what most criteria say"
    )
    parser.add_argument("--method", default="lwea", help="see `concord methods`")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="of the method")
    parser.add_argument("--methods", action="store_true", help="ask every method too: whom to believe without a truth")
    parser.add_argument("--m", type=whole(1), help="base clusterings M (20; all of a file of labels)")
    known = list(known_generators())
    parser.add_argument("--generator", choices=known, help="kmeans, of a graph leiden, unless told otherwise")
    parser.add_argument("--scaling", choices=("standard", "minmax", "none"))
    parser.add_argument("--seed", type=whole(0), default=0)
    return parser


if __name__ == "__main__":
    sys.exit(main())
