"""A Python script that makes exactly the labels on the page, wherever the package is installed."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from data import Graph, Pool, graph_catalog
from data.library import folder_files
from engine import consensus_methods
from ui.compute import generating, uploads
from ui.scene import Scene
from ui.scene.consensus import DRAWS
from ui.session.run_config import RunConfig

#: What a script may call, by where it comes from.
_HOMES = {
    "concord": ("Ensemble", "Graph", "confidence", "consensus_of_sample", "generators", "run_consensus"),
    "concord.completion": ("completed",),
    "concord.data": ("load", "load_graph", "read_graph", "read_upload", "scale"),
    "concord.data.library": ("load_file",),
    "concord.selection": ("select",),
    "concord.tables": ("labels_csv",),
}


_NEEDS = "# Needs the package concord: `pip install .` in Concord's folder.\n"


def script(scene: Scene, columns: Sequence[str] = ()) -> str:
    """Script for a state: data, ensemble, consensus, and the labels as the page gives them away.

    `columns` are what stands beside the labels there: support, margin, stability.
    """
    body = [*_load(scene), "", *_ensemble(scene), *_consensus(scene), "", *_written(scene, columns)]
    return "\n".join([_NEEDS, *_imports("\n".join(body)), "", *body]) + "\n"


#: Bytes of a name; with a method, k and an ending it is one that a folder takes, of 255.
_LONGEST = 180


def file_name(config: RunConfig) -> str:
    """What files about a data set are called: as its own file is, while it is here, or by its name."""
    if config.data.startswith(uploads.PREFIX) and uploads.is_here(config.data):
        called = Path(uploads.find(config.data).filename).stem
    else:
        called = config.data.replace("/", "-")
    return called.encode()[:_LONGEST].decode(errors="ignore")


def labels_name(config: RunConfig, k: int) -> str:
    """What the files with labels, script and report are called, without an ending."""
    return f"{file_name(config)}_{config.method}_k{k}"


def _imports(body: str) -> list[str]:
    """What the body calls, and where it comes from."""
    code = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", body)
    called = {
        home: [name for name in names if re.search(rf"(?<!\.)\b{name}[.(]", code)] for home, names in _HOMES.items()
    }
    wanted = [f"from {home} import {', '.join(names)}" for home, names in called.items() if names]
    return ["from pathlib import Path", "", *wanted]


def _load(scene: Scene) -> list[str]:
    name, source = scene.config.data, scene.source
    aside = ".labelled_everywhere()" if isinstance(source, Pool) and scene.config.labelled else ""
    if name in graph_catalog():
        return [f"source = load_graph({name!r})"]
    if not name.startswith(uploads.PREFIX):
        if (file := folder_files().get(name)) is None:
            return [f"source = load({name!r}){aside}"]
        path = f"path = Path({file.name!r})  # the file of your folder, beside this script"
        return [path, f"source = load_file({name!r}, path){aside}"]
    upload = uploads.find(name)
    path = f"path = Path({upload.filename!r})  # the file that was uploaded, beside this script"
    if isinstance(source, Graph):
        place = f", {upload.matrix!r}" if upload.matrix else ""
        return [path, f"source = read_graph(path.name, path.read_bytes(){place})"]
    options = "" if upload.missing == "refuse" else f", missing={upload.missing!r}"
    options += f", roles={upload.roles!r}" if upload.roles else ""
    options += f", matrix={upload.matrix!r}" if upload.matrix else ""
    return [path, f"source = read_upload(path.name, path.read_bytes(), {upload.kind!r}{options}){aside}"]


def _ensemble(scene: Scene) -> list[str]:
    config, m, off = scene.config, scene.n_clusterings, set(scene.off)
    lines = generating.script(scene.source, config.scaling, scene.making, m, config.seed)
    if config.lend:
        lines += ["ensemble = completed(ensemble)  # missing labels are those of the most similar object"]
    if off and _kept_by_strategy(scene):
        k = min(scene.everything.n_clusters, len(scene.everything.ensemble.microclusters))
        kept = scene.everything.number_kept
        lines.append(f"kept = select(ensemble, {config.strategy!r}, {kept}, n_clusters={k}, seed={config.seed})")
        lines.append("ensemble = ensemble.select(kept)")
    elif off:
        lines.append(f"ensemble = ensemble.select([m for m in range({m}) if m not in {off!r}])")
    return lines


def _kept_by_strategy(scene: Scene) -> bool:
    """Whether those that are switched on are just those that the strategy of the session keeps."""
    on = np.setdiff1d(np.arange(scene.n_clusterings), scene.off)
    if len(on) != scene.everything.number_kept:
        return False
    kept = scene.everything.kept_members
    return kept is not None and np.array_equal(on, kept)


def _consensus(scene: Scene) -> list[str]:
    config, k = scene.config, scene.n_clusters
    chosen = config.chosen_params(config.method)
    params = f", params={chosen!r}" if chosen else ""
    if scene.sample_size:
        call = f"consensus_of_sample({config.method!r}, ensemble, {k}, {scene.sample_size}{params}, seed={config.seed})"
    else:
        call = f"run_consensus({config.method!r}, ensemble, n_clusters={k}{params}, seed={config.seed})"
    return [f"result = {call}", "labels = result.labels  # of every object, counted from 0"]


def _written(scene: Scene, columns: Sequence[str]) -> list[str]:
    """The table of labels, equal to the file of the page."""
    config, lines, beside = scene.config, [], []
    if {"support", "margin"} & set(columns):
        lines.append("sure = confidence.cluster_profile(ensemble, labels)")
        beside += ["'support': sure.own", "'margin': sure.margin"]
    if "stability" in columns:
        given = f"ensemble, {config.method!r}, result.n_clusters, {config.chosen_params(config.method)!r}"
        lines.append(f"again = confidence.resampled({given}, {DRAWS}, {config.seed})")
        beside.append("'stability': again.stability")
    rows = None if getattr(scene.source, "rows", None) is None else "source.rows"
    k = scene.consensus.n_clusters if consensus_methods()[config.method].finds_k else scene.n_clusters
    table = f"labels_csv(labels, {{{', '.join(beside)}}}, {rows}, source.identifiers)"
    return [*lines, f"Path({labels_name(config, k) + '.csv'!r}).write_bytes({table})"]


def beside(scene: Scene) -> list[str]:
    """What stands beside the labels that are taken away: support and margin, and stability once it was measured.

    Nothing beside a single cluster: no object sits more firmly there than another.
    """
    if scene.profile is None:
        return []
    return ["support", "margin"] + ["stability"] * (scene.measured is not None)
