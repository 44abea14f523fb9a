"""A Python script that makes exactly the labels on the page, wherever the package is installed."""

import re
from collections.abc import Sequence
from pathlib import Path

from data import Pool
from data.folder import folder_files
from ui.compute import generating, pipeline, uploads
from ui.session.run_config import RunConfig

#: What a script may call, by where it comes from.
_HOMES = {
    "concord": ("Ensemble", "confidence", "consensus_of_sample", "generators", "run_consensus"),
    "concord.completion": ("completed",),
    "concord.data": ("load", "read_upload", "scale"),
    "concord.data.folder": ("load_file",),
    "concord.tables": ("labels_csv",),
}
#: Draws of base clusterings that the stability of an object is measured over.
DRAWS = 50


def snippet(config: RunConfig, k: int, columns: Sequence[str] = ()) -> str:
    """Script for the current run: data, ensemble, consensus, and the labels as the page gives them away.

    `columns` are what stands beside the labels there: support, margin, stability.
    """
    body = [*_load(config), "", *_ensemble(config), *_consensus(config, k), "", *_written(config, k, columns)]
    return "\n".join([*_imports("\n".join(body)), "", *body]) + "\n"


def file_name(config: RunConfig) -> str:
    """What files about a data set are called: as its own file is, or by its name."""
    if config.data.startswith(uploads.PREFIX):
        return Path(uploads.find(config.data).filename).stem
    return config.data.replace("/", "-")


def labels_name(config: RunConfig, k: int) -> str:
    """What the files with labels, script and report are called, without an ending."""
    return f"{file_name(config)}_{config.method}_k{k}"


def _imports(body: str) -> list[str]:
    """What the body calls, and where it comes from."""
    code = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", body)
    called = {home: [name for name in names if re.search(rf"\b{name}[.(]", code)] for home, names in _HOMES.items()}
    wanted = [f"from {home} import {', '.join(names)}" for home, names in called.items() if names]
    return ["from pathlib import Path", "", *wanted]


def _sample(config: RunConfig) -> int | None:
    sample = config.sample
    return sample if sample and sample < pipeline.dataset(config).n_objects else None


def _load(config: RunConfig) -> list[str]:
    if not config.data.startswith(uploads.PREFIX):
        if (file := folder_files().get(config.data)) is None:
            return [f"source = load({config.data!r}){_set_aside(config)}"]
        path = f"path = Path({file.name!r})  # the file of your folder, beside this script"
        return [path, f"source = load_file({config.data!r}, path){_set_aside(config)}"]
    upload = uploads.find(config.data)
    options = "" if upload.missing == "refuse" else f", missing={upload.missing!r}"
    options += f", roles={upload.roles!r}" if upload.roles else ""
    options += f", matrix={upload.matrix!r}" if upload.matrix else ""
    return [
        f"path = Path({upload.filename!r})  # the file that was uploaded, beside this script",
        f"source = read_upload(path.name, path.read_bytes(), {upload.kind!r}{options}){_set_aside(config)}",
    ]


def _set_aside(config: RunConfig) -> str:
    source = pipeline.dataset(config)
    return ".labelled_everywhere()" if isinstance(source, Pool) and source.rows is not None else ""


def _ensemble(config: RunConfig) -> list[str]:
    m, off = pipeline.n_clusterings(config), set(config.switched_off)
    lines = generating.script(pipeline.dataset(config), config.scaling, config.recipe, m, config.seed)
    if config.lend:
        lines += ["ensemble = completed(ensemble)  # missing labels are those of the most similar object"]
    if off:
        lines.append(f"ensemble = ensemble.select([m for m in range({m}) if m not in {off!r}])")
    return lines


def _consensus(config: RunConfig, k: int) -> list[str]:
    chosen = config.chosen_params(config.method)
    params = f", params={chosen!r}" if chosen else ""
    if sample := _sample(config):
        call = f"consensus_of_sample({config.method!r}, ensemble, {k}, {sample}{params}, seed={config.seed})"
    else:
        call = f"run_consensus({config.method!r}, ensemble, n_clusters={k}{params}, seed={config.seed})"
    return [f"result = {call}", "labels = result.labels  # of every object, counted from 0"]


def _written(config: RunConfig, k: int, columns: Sequence[str]) -> list[str]:
    """The table of labels, equal to the file of the page."""
    lines, beside = [], []
    if {"support", "margin"} & set(columns):
        lines.append("sure = confidence.cluster_profile(ensemble, labels)")
        beside += ["'support': sure.own", "'margin': sure.margin"]
    if "stability" in columns:
        given = f"ensemble, {config.method!r}, result.n_clusters, {config.chosen_params(config.method)!r}"
        lines.append(f"again = confidence.resampled({given}, {DRAWS}, {config.seed})")
        beside.append("'stability': again.stability")
    rows = "source.rows" if isinstance(pipeline.dataset(config), Pool) else None
    table = f"labels_csv(labels, {{{', '.join(beside)}}}, {rows}, source.identifiers)"
    return [*lines, f"Path({labels_name(config, k) + '.csv'!r}).write_bytes({table})"]
