"""The command: `concord consensus labels.csv --k 3`, or `python -m engine.cli ...` in the source tree."""

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import __version__
from .choosing_k import ChosenK, answer, ask, choose_k
from .choosing_method import Beside, ChosenMethod, beside_league, choose_method
from .choosing_method.league import ensemble_of, league
from .choosing_method.own_labels import league_set, own_vectors
from .completion import labelled_everywhere
from .confidence import cluster_profile, margin, support
from .confidence.profiles import obs_columns
from .consensus import Consensus, check_needs, consensus_methods, find_method, run_consensus
from .console import Progress, UsageError, data_sets, read_as_graph, read_input, replacing, run, whole, write_output
from .ensemble import Ensemble, Graph
from .ensemble.saving import as_ensemble, save_ensemble
from .generators import draw, find_generator, known_generators, make_ensemble
from .runtime.errors import EngineError, MissingEvidenceError
from .selection import known_strategies, selected
from .studies.__main__ import main as studies
from .tables import as_csv, labels_csv, object_columns
from .trees.dendrograms import linkage_matrix, newick

#: Base clusterings that are made where nobody says how many.
_MADE = 20


def _consensus(chosen: argparse.Namespace) -> None:
    method = find_method(chosen.method)
    params = method.params.of_words(chosen.param)
    _require_meant(chosen)
    if _makes(chosen):
        ensemble, source, features = _made_from(chosen)
    else:
        (ensemble, source), features = _ensemble_of(chosen), None
    objects = Objects.of(source)
    ensemble, objects, features = _whole_ones(chosen, ensemble, objects, features)
    ensemble = _selected(ensemble, chosen)
    check_needs(method, ensemble, params)
    k, grown = (chosen.k, None) if chosen.k or method.finds_k else _chosen_k(chosen, ensemble, params, features)
    if words := ensemble.form.symmetry:
        print(words, file=sys.stderr)
    found = grown.at(k) if grown else run_consensus(chosen.method, ensemble, k, params, chosen.seed, Progress())
    if method.finds_k:
        if chosen.k:
            print(f"--k is not used: {method.title} finds the number of clusters itself", file=sys.stderr)
        print(f"found: {found.n_clusters:,} cluster{'s' if found.n_clusters > 1 else ''}", file=sys.stderr)
    trees = _trees(chosen, found, _called(object_columns(ensemble.n_objects, *objects)))
    if _is_cells(chosen.out):
        _write_cells(chosen, found, ensemble, objects.rows)
    else:
        _write_labels(chosen, found, ensemble, objects)
    for path, content in trees.items():
        write_output(path, content)


class Objects(NamedTuple):
    """Where each object stands in its file, and what it is called there: (N,) each, or None."""

    rows: Any = None
    identifiers: Any = None

    @classmethod
    def of(cls, source: Any) -> "Objects":
        """Those of what was read."""
        return cls(getattr(source, "rows", None), getattr(source, "identifiers", None))


def _whole_ones(
    chosen: argparse.Namespace, ensemble: Ensemble, objects: Objects, features: Any = None
) -> tuple[Ensemble, Objects, Any]:
    """Of all this what belongs to objects that every base clustering labels, if that was asked for."""
    kept = np.flatnonzero(labelled_everywhere(ensemble)) if chosen.labelled_everywhere else None
    n = ensemble.n_objects
    if kept is None or len(kept) == n:
        return ensemble, objects, features
    if len(kept) < 2:
        raise MissingEvidenceError("fewer than two objects have a label in every base clustering")
    print(f"{n - len(kept):,} of {n:,} objects that miss a label are set aside.", file=sys.stderr)
    rows, names, some = (None if one is None else np.asarray(one)[kept] for one in (*objects, features))
    return ensemble.of_objects(kept), Objects(kept if rows is None else rows, names), some


def _write_labels(chosen: argparse.Namespace, found: Consensus, ensemble: Ensemble, objects: Objects) -> None:
    """The labels, and how sure they are where that was asked."""
    beside = {}
    if chosen.confidence and found.n_clusters == 1:
        print("no confidence: a margin is between two clusters, and there is one", file=sys.stderr)
    elif chosen.confidence:
        beside = {"support": support(ensemble, found.labels), "margin": margin(ensemble, found.labels)}
    said = {"label": found.labels.tolist()} | {name: values.tolist() for name, values in beside.items()}
    columns = object_columns(ensemble.n_objects, *objects)
    _write(
        chosen,
        found.provenance() | {"version": __version__} | columns | said,
        labels_csv(found.labels, beside, *objects),
    )


def _require_meant(chosen: argparse.Namespace) -> None:
    """Refuse options of `consensus` that would do nothing together."""
    if _is_cells(chosen.out) and not _is_cells(chosen.file):
        raise UsageError("results go into a copy of an AnnData file: FILE must be one, too, if --out ends in .h5ad")
    if _is_cells(chosen.out) and chosen.json:
        raise UsageError("--json writes text, and --out names an AnnData file. Leave one of them out")
    if not _makes(chosen) and (chosen.with_ or chosen.scaling != "standard"):
        raise UsageError("--with and --scaling are for base clusterings that are made: name a --generator, too")


def _makes(chosen: argparse.Namespace) -> bool:
    """Whether `consensus` makes the base clusterings that it reads otherwise."""
    return bool(chosen.generator) or read_as_graph(chosen.file, chosen.edges, False)


def _of_a_table(chosen: argparse.Namespace) -> bool:
    """Whether anything is said of columns or their cells."""
    return bool(_roles(chosen)) or chosen.missing != "refuse"


def _is_cells(path: str | None) -> bool:
    return str(path).lower().endswith(".h5ad")


def _made_from(chosen: argparse.Namespace) -> tuple[Ensemble, Any, Any]:
    """Base clusterings made of the graph or the features in a file, what it holds, and its features, scaled, if any."""
    chosen.generator = chosen.generator or ("leiden" if read_as_graph(chosen.file, chosen.edges, False) else "kmeans")
    takes_graph = find_generator(chosen.generator).takes_graph
    graph = _graph(chosen) if read_as_graph(chosen.file, chosen.edges, takes_graph) else None
    if graph is not None and _of_a_table(chosen):
        raise UsageError("--id, --class, --ignore and --missing are for a table, and FILE is read as a graph")
    source = graph or _read(chosen, "features")
    features = None if source.features is None else data_sets().scale(source.features, chosen.scaling)
    if graph is None or not takes_graph and features is not None:  # as pages do
        return _made(chosen, features, source.labels), source, features
    edges = Graph.of_edges(graph.sources, graph.targets, graph.weights, graph.n_objects)
    said = f"{edges.n_edges:,} edge{'s' if edges.n_edges != 1 else ''}"
    print(f"{edges.n_nodes:,} nodes, {said}", *graph.notes, *edges.notes, sep="\n", file=sys.stderr)
    return _made(chosen, edges, graph.labels), source, features


def _graph(chosen: argparse.Namespace) -> Any:
    """The graph in a file; None where one that may hold one holds features alone, and nobody said it is a graph."""
    try:
        return data_sets().read_graph(*read_input(chosen.file))
    except data_sets().NoColumnError:
        if chosen.edges:
            raise
        return None


def _write_cells(chosen: argparse.Namespace, found: Consensus, ensemble: Ensemble, rows: Any) -> None:
    """The file that came in, with what was found in obs, at the places `rows` (all of them: None), and how in uns."""
    profile = cluster_profile(ensemble, found.labels) if found.n_clusters > 1 else None
    said = found.provenance(ensemble if chosen.generator else None) | {"version": __version__}
    with replacing(chosen.out) as half:
        shutil.copyfile(chosen.file, half)
        data_sets().annotate(half, obs_columns(found.labels, profile), said, rows)


def _selected(ensemble: Ensemble, chosen: argparse.Namespace) -> Ensemble:
    """The base clusterings that a strategy keeps, and that said; all of them where none was named."""
    if not chosen.select:
        return ensemble
    made, kept = selected(ensemble, chosen.select, chosen.k, chosen.seed, Progress())
    strategy, columns = chosen.select.partition(":")[0], ", ".join(str(place) for place in kept.tolist())
    print(f"{len(kept):,} of {ensemble.n_clusterings:,} base clusterings ({strategy}): {columns}", file=sys.stderr)
    return made


def _chosen_k(
    chosen: argparse.Namespace, ensemble: Ensemble, params: Any, features: Any
) -> tuple[int, Consensus | None]:
    """What most votes say, and that said; and the run that they were asked about, where its tree serves every k."""
    question = ask(ensemble, chosen.method, params, None, features, chosen.seed, "quick")
    found, run = answer(question, monitor=Progress()), question.result()
    fewest = ", the fewest that a consensus can have" if found.k < found.n_clusters else ""
    print(f"k = {found.n_clusters}{fewest}: {found.verdict}", file=sys.stderr)
    return found.n_clusters, run if "dendrogram" in run.trace else None


def _ensemble(chosen: argparse.Namespace) -> None:
    if chosen.out and Path(chosen.out).suffix.lower() not in ("", ".npz"):
        raise UsageError("an ensemble is written as NPZ: let --out end in .npz")
    made, read, _ = _made_from(chosen)
    made, objects, _ = _whole_ones(chosen, made, Objects.of(read))
    made = _selected(made, chosen)
    held = io.BytesIO()
    save_ensemble(made, held, *objects)
    write_output(chosen.out, held.getvalue())
    print(f"{made.n_objects:,} objects in {made.n_clusterings:,} base clusterings", file=sys.stderr)


def _require_features(chosen: argparse.Namespace) -> None:
    """Refuse, beside --labels, what is for base clusterings that are made."""
    if chosen.labels and (chosen.generator or chosen.with_ or chosen.edges or chosen.scaling != "standard"):
        words = "--generator, --with, --edges and --scaling are for what is made"
        raise UsageError(f"{words}, and --labels brings base clusterings")


def _brought_or_made(chosen: argparse.Namespace) -> tuple[Ensemble, Any]:
    """The ensemble that a question is about, and the features it was made of, if any."""
    made, _, features = (_ensemble_of(chosen)[0], None, None) if chosen.labels else _made_from(chosen)
    made, _, features = _whole_ones(chosen, made, Objects(), features)
    return made, features


def _choose_k(chosen: argparse.Namespace) -> None:
    _require_features(chosen)
    params = find_method(chosen.method).params.of_words(chosen.param)
    made, features = _brought_or_made(chosen)
    found = choose_k(
        made,
        chosen.method,
        params,
        chosen.k_max,
        features,
        seed=chosen.seed,
        monitor=Progress(),
        effort="full" if chosen.full else "quick",
    )
    _write(chosen, {"k": found.k, "verdict": found.verdict, "picks": found.picks, **_curves(found)}, _as_text(found))


def _choose_method(chosen: argparse.Namespace) -> None:
    _require_features(chosen)
    made, features = _brought_or_made(chosen)
    found = choose_method(made, chosen.k, features, chosen.budget, chosen.seed, Progress())
    _write(chosen, _compared(found), _comparison(found))


def _compared(found: ChosenMethod) -> dict[str, Any]:
    """What was found, as JSON has it: no number is NaN there."""

    def number(value: float) -> float | None:
        return None if np.isnan(value) else round(value, 6)

    rows = [
        {
            "method": row.method,
            "seconds": number(row.seconds),
            "agreement": number(row.agreement),
            "stability": number(row.stability),
            "calibrated": {key: number(value) for key, value in row.calibrated.items()},
            "expected_loss": number(row.expected_loss),
            "labels": row.labels.tolist(),
        }
        for row in found.rows
    ]
    return {"method": found.method, "reasons": found.reasons, "rows": rows, "left_out": found.left_out}


def _comparison(found: ChosenMethod) -> bytes:
    """The reasons, and a line a method."""
    header = f"{'method':<10}{'lost':>8}{'agree':>8}{'stable':>8}{'margin z':>10}{'seconds':>10}"
    lines = [
        f"{row.method:<10}{row.expected_loss:>8.3f}{row.agreement:>8.2f}{row.stability:>8.2f}"
        f"{row.calibrated.get('margin', np.nan):>10.1f}{row.seconds:>10.3f}"
        for row in found.rows
    ]
    left = [f"{key}: {reason}" for key, reason in found.left_out.items()]
    return ("\n".join([*found.reasons, header, *lines, *left]) + "\n").encode()


def _league(chosen: argparse.Namespace) -> None:
    if bool(chosen.file) == bool(chosen.ensemble):
        raise UsageError("either FILE of labels, or --ensemble SET to be given its base clusterings")
    if chosen.ensemble:
        _write_frozen(chosen)
        return
    table = data_sets().reading.elsewhere.ELSEWHERE.table(*read_input(chosen.file), "labels")
    found = beside_league(own_vectors(table, chosen.data))
    _write(chosen, [asdict(one) for one in found], _standings(found))


def _write_frozen(chosen: argparse.Namespace) -> None:
    """An ensemble of the league: as CSV with the places of its objects, else as `concord ensemble` writes them."""
    if chosen.json:
        raise UsageError("--json writes text, and an ensemble is written as NPZ or CSV. Leave it out")
    objects = league_set(chosen.ensemble).objects
    draws = next((one.draws for one in league() if one.set == chosen.ensemble), None)
    if draws is not None and chosen.draw >= draws:
        raise UsageError(f"--draw must be from 0 to {draws - 1}, the league's draws of {chosen.ensemble}")
    made, _, k = ensemble_of(chosen.ensemble, chosen.draw)
    held = io.BytesIO()
    if str(chosen.out).lower().endswith(".csv"):
        columns = {f"base {m + 1}": made.labels[:, m].tolist() for m in range(made.n_clusterings)}
        held.write(as_csv({"object": objects.tolist(), **columns}))
    else:
        save_ensemble(made, held, rows=objects)
    write_output(chosen.out, held.getvalue())
    print(f"{made.n_objects:,} objects in {made.n_clusterings:,} base clusterings, k = {k}", file=sys.stderr)


def _standings(found: list[Beside]) -> bytes:
    """A line a method and set, and what the numbers are means of."""
    rows = [("method", "set", "NMI (max)", "ARI", "place", "ARI lost", "vectors", "draws", "best method")]
    rows += [
        (
            one.method,
            one.sets[0] if len(one.sets) == 1 else f"all {len(one.sets)} sets",
            f"{one.nmi:.3f}",
            f"{one.ari:.3f}",
            f"{one.place} of {one.methods + 1}",
            f"{one.loss:.3f}",
            str(one.vectors),
            str(one.draws),
            f"{consensus_methods()[one.best].title}, {one.best_ari:.3f}",
        )
        for one in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    said = (
        f"Place by ARI, among the league's {found[0].methods} methods; ARI lost: to the mean of the draws' best.\n"
        "The league's numbers are means over so many draws of an ensemble of at most 1,000 objects, yours over so many "
        "vectors: few owe more to luck."
    )
    return "\n".join([*lines, said, ""]).encode()


def _methods(chosen: argparse.Namespace) -> None:
    rows = [
        {"key": key, "title": one.title, "family": one.family, "summary": one.summary, "params": one.params().as_dict()}
        for key, one in consensus_methods().items()
    ]
    width = max(len(row["key"]) for row in rows)
    _write(chosen, rows, "".join(f"{row['key']:<{width}}  {row['summary']}\n" for row in rows).encode())


def _app(chosen: argparse.Namespace) -> None:
    tree = _source_tree("the app is", "run `make run` there")
    subprocess.run([sys.executable, "-m", "streamlit", "run", str(tree / "app.py")], check=False)


def _report(chosen: argparse.Namespace) -> None:
    """By what draws the pages, in a process of its own: the engine knows nothing of it."""
    tree = _source_tree("reports are made", "run `python -m engine.cli report` there")
    extra_path = os.pathsep.join(filter(None, [str(tree), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "ui.report", *chosen.arguments]
    if code := subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": extra_path}).returncode:
        raise SystemExit(code)


def _source_tree(what: str, how: str) -> Path:
    """Where the pages are, and what draws them: beside the engine, if this is no installed package."""
    tree = Path(__file__).resolve().parents[1]
    if not (tree / "app.py").is_file():
        raise EngineError(f"{what} in the source tree, not in the package: get that, and {how}")
    missing = [name for name in ("streamlit", "plotly", "jinja2") if find_spec(name) is None]
    if missing:
        raise EngineError(f"this needs {', '.join(missing)}. Install it: pip install {' '.join(missing)}")
    return tree


def _study(chosen: argparse.Namespace) -> None:
    if code := studies(chosen.arguments, "concord study"):
        raise SystemExit(code)


def _ensemble_of(chosen: argparse.Namespace) -> tuple[Ensemble, Any]:
    """The ensemble in a file, and whose it is: base clusterings as columns, or as `concord ensemble` wrote it.

    Of columns --m draws some, as pages and reports do.
    """
    name, content = read_input(chosen.file)
    if name.lower().endswith(".npz") and isinstance(content, bytes) and b"fingerprint.npy" in content:
        if chosen.m:
            raise UsageError("--m draws from a file of labels; of an ensemble that was saved --select keeps some")
        if _of_a_table(chosen):
            raise UsageError(
                "--id, --class, --ignore and --missing are for a table, and FILE is an ensemble that was saved"
            )
        arrays = data_sets().reading.elsewhere.ELSEWHERE.arrays(name, content)
        return as_ensemble(arrays), Objects(arrays.get("rows"), arrays.get("identifiers"))
    if chosen.labelled_everywhere and chosen.missing == "refuse":
        chosen.missing = "drop"  # who misses all labels misses one, and is not refused
    pool = _read(chosen, "labels", (name, content))
    if chosen.labelled_everywhere and (whole := pool.labelled_everywhere()) is not pool:
        pool = whole
        print(pool.notes[-1], file=sys.stderr)
    if chosen.m and chosen.m > pool.n_clusterings:
        raise UsageError(
            f"--m must be at most {pool.n_clusterings:,}, the base clusterings of {name}. Got {chosen.m:,}"
        )
    all_of_them = not chosen.m or chosen.m == pool.n_clusterings
    made = Ensemble.from_labels(pool.members) if all_of_them else draw(pool.members, chosen.m, chosen.seed)
    return made, pool


def _called(objects: dict[str, list]) -> list[str]:
    """What the objects of a file are called there, else their places in it, from 0."""
    places = objects["object"]
    return [str(word) or str(place) for word, place in zip(objects.get("identifier", places), places, strict=True)]


def _read(chosen: argparse.Namespace, kind: str, content: Any = None) -> Any:
    """What a file holds, and how it was read said, as pages say it."""
    read = data_sets().read_upload(*(content or read_input(chosen.file)), kind, chosen.missing, roles=_roles(chosen))
    print(*read.notes, sep="\n", end="\n" if read.notes else "", file=sys.stderr)
    return read


def _roles(chosen: argparse.Namespace) -> dict[str, str]:
    """What the command line says that columns are; a whole number that is no name counts them from 0."""
    words = {"class": chosen.class_, "identifier": chosen.id, "ignore": chosen.ignore}
    return {word: role for role, columns in words.items() for word in columns}


def _made(chosen: argparse.Namespace, features: Any, classes: Any) -> Ensemble:
    """Base clusterings of features or a graph; an automatic k of theirs is the number of classes, as on pages."""
    params, n_classes = find_generator(chosen.generator).params.of_words(chosen.with_), None
    if classes is not None:
        n_classes = max(2, len(np.unique(classes)))
    return make_ensemble(
        chosen.generator, features, chosen.m or _MADE, params, chosen.seed, n_classes=n_classes, monitor=Progress()
    )


def _trees(chosen: argparse.Namespace, found: Consensus, names: Sequence[str] | None = None) -> dict[str, bytes]:
    """The dendrogram of the objects as the files that were asked for, which are written when the labels are safe."""
    if not chosen.newick and not chosen.linkage:
        return {}
    if "dendrogram" not in found.trace:
        raise MissingEvidenceError(f"{found.method} builds no dendrogram. EAC, LWEA, PTA and others do")
    tree, leaf = found.trace["dendrogram"], found.microclusters.assignment
    files = {}
    if chosen.newick:
        files[chosen.newick] = newick(tree, names, leaf).encode() + b"\n"
    if chosen.linkage:
        held = io.BytesIO()
        np.save(held, linkage_matrix(tree, leaf))
        files[chosen.linkage] = held.getvalue()
    return files


def _curves(found: ChosenK) -> dict[str, Any]:
    curves = {key: [None if np.isnan(v) else v for v in values.tolist()] for key, values in found.curves.items()}
    return {"ks": found.ks.tolist(), "curves": curves, "left_out": found.left_out}


def _as_text(found: ChosenK) -> bytes:
    said = found.readings | found.left_out
    lines = [found.verdict, *(f"{key}: {words}" for key, words in said.items())]
    return ("\n".join(lines) + "\n").encode()


def _write(chosen: argparse.Namespace, said: Any, text: bytes) -> None:
    write_output(chosen.out, (json.dumps(said, indent=1) + "\n").encode() if chosen.json else text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="concord", description="Ensemble clustering: how clusterings agree.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = _command(commands, "consensus", _consensus, "find the consensus of base clusterings")
    words = "one base clustering a column (CSV, NPY, MAT, ...), or -; features or a graph, with --generator or --edges"
    one.add_argument("file", metavar="FILE", help=words)
    _of_columns(one)
    _of_making(one)
    one.add_argument("--k", type=whole(2), help="clusters; without it, what most votes of `choose-k` say")
    one.add_argument("--confidence", action="store_true", help="add columns support and margin")
    _of_selection(one)
    one.add_argument("--newick", metavar="FILE", help="where to write the dendrogram as Newick")
    one.add_argument("--linkage", metavar="FILE", help="where to write it as the linkage matrix of scipy (NPY)")
    _of_method(one)
    one = _command(commands, "ensemble", _ensemble, "make base clusterings of features or a graph", as_json=False)
    _of_features(one)
    _of_selection(one)
    one.add_argument("--k", type=whole(2), help="clusters of the consensus that least_alike compares with")
    one = _command(commands, "choose-k", _choose_k, "ask the criteria how many clusters there are")
    _of_features(one)
    _of_method(one)
    one.add_argument("--labels", action="store_true", help="FILE holds base clusterings, not features")
    one.add_argument("--k-max", type=whole(2), help="the largest k looked at")
    one.add_argument("--full", action="store_true", help="look longer")
    one = _command(commands, "choose-method", _choose_method, "ask every method that fits into the time, and choose")
    _of_features(one)
    one.add_argument("--labels", action="store_true", help="FILE holds base clusterings, not features")
    one.add_argument("--k", type=whole(2), required=True, help="clusters")
    one.add_argument("--budget", type=float, default=20.0, metavar="SECONDS", help="time methods may take (20)")
    words = "score your own labels beside the league's table, or hand out the ensembles it was played on"
    one = _command(commands, "league", _league, words)
    help_ = "a column a method, or columns set, object, label (and method, draw); object counts rows from 0"
    one.add_argument("file", metavar="FILE", nargs="?", help=f"{help_}; or -")
    one.add_argument("--data", metavar="SET", help="the set that the columns of FILE are labels of, such as iris")
    one.add_argument("--ensemble", metavar="SET", help="write the ensemble of a set (NPZ, or CSV by the name of --out)")
    one.add_argument("--draw", type=whole(0), default=0, help="which of them (0)")
    _command(commands, "methods", _methods, "list the methods")
    one = commands.add_parser("study", help="run and export studies", add_help=False, prefix_chars="\0")
    one.add_argument("arguments", nargs=argparse.REMAINDER)
    one.set_defaults(act=_study)
    one = commands.add_parser(
        "report", help="write a report, HTML or PDF (source tree)", add_help=False, prefix_chars="\0"
    )
    one.add_argument("arguments", nargs=argparse.REMAINDER)
    one.set_defaults(act=_report)
    commands.add_parser("app", help="open the app (source tree)").set_defaults(act=_app)
    return parser


def _command(commands: Any, name: str, act: Any, words: str, as_json: bool = True) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
    made.add_argument("--out", metavar="FILE", help="where to write; without it, stdout")
    if as_json:
        made.add_argument("--json", action="store_true", help="write JSON")
    made.set_defaults(act=act)
    return made


def _of_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", default="lwea", help="see `concord methods`")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="of the method")
    if "seed" not in {action.dest for action in parser._actions}:
        parser.add_argument("--seed", type=whole(0), default=0)


def _of_selection(parser: argparse.ArgumentParser) -> None:
    help_ = f"keep some base clusterings, half of them unless it says how many: {', '.join(known_strategies())}"
    parser.add_argument("--select", metavar="STRATEGY[:NUMBER|:SHARE%]", help=help_)


def _of_columns(parser: argparse.ArgumentParser) -> None:
    for words, role, what in (
        (("--class",), "class_", "holds the true classes"),
        (("--id",), "id", "names the objects"),
        (("--ignore",), "ignore", "is left out"),
    ):
        help_ = f"column that {what}, by name, or by number from 0 (a first column that only counts the rows is none)"
        parser.add_argument(*words, dest=role, action="append", default=[], metavar="COLUMN", help=help_)


def _of_features(parser: argparse.ArgumentParser) -> None:
    _of_columns(parser)
    parser.add_argument("file", metavar="FILE", help="one object a row (CSV, NPY, MAT, Parquet, ...), or -")
    _of_making(parser)


def _of_making(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--m", type=whole(1), help="base clusterings M: so many are made (20), or drawn from labels (all)"
    )
    mends = {"default": "refuse", "choices": ("refuse", "drop", "mean")}
    help_ = (
        "what to do about empty, infinite and text cells; of labels empty ones are missing labels, and drop leaves "
        "out objects without any"
    )
    parser.add_argument("--missing", **mends, help=help_)  # type: ignore[arg-type]
    help_ = "of base clusterings: leave out the objects that miss a label in one"
    parser.add_argument("--labelled-everywhere", action="store_true", help=help_)
    help_ = "FILE is a graph: edges (CSV, ...), MTX, NPZ, GraphML, H5AD"
    parser.add_argument("--edges", action="store_true", help=help_)
    parser.add_argument("--generator", help=", ".join(known_generators()))
    values: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME=VALUE"}
    parser.add_argument("--with", dest="with_", help="parameter of the generator", **values)
    parser.add_argument("--scaling", default="standard", choices=data_sets().SCALINGS)
    parser.add_argument("--seed", type=whole(0), default=0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    chosen = _parser().parse_args(arguments)
    return run(chosen.act, chosen)


if __name__ == "__main__":
    sys.exit(main())
