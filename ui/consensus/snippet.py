"""A Python script that reproduces exactly the labels on the page."""

from data import Pool
from ui.compute import generating, pipeline, uploads
from ui.session.run_config import RunConfig


def snippet(config: RunConfig, k: int) -> str:
    """Script for the current run: data, ensemble, consensus; it ends with `labels`, (N,) int32."""
    imports = "from pathlib import Path\n\n" if config.data.startswith(uploads.PREFIX) else ""
    run = "consensus_of_sample" if _sample(config) else "run_consensus"
    imports += "\n".join(["import data", f"from engine import {', '.join(sorted(['Ensemble', run, 'generators']))}"])
    body = [*_load(config), "", *_ensemble(config), *_consensus(config, k)]
    return f"{imports}\n\n" + "\n".join(body) + "\n"


def _sample(config: RunConfig) -> int | None:
    sample = config.sample
    return sample if sample and sample < pipeline.dataset(config).n_objects else None


def _load(config: RunConfig) -> list[str]:
    if not config.data.startswith(uploads.PREFIX):
        return [f"source = data.load({config.data!r}){_set_aside(config)}"]
    upload = uploads.find(config.data)
    options = "" if upload.missing == "refuse" else f", missing={upload.missing!r}"
    options += f", roles={upload.roles!r}" if upload.roles else ""
    options += f", matrix={upload.matrix!r}" if upload.matrix else ""
    return [
        f"path = Path({upload.filename!r})  # the file that was uploaded",
        f"source = data.read_upload(path.name, path.read_bytes(), {upload.kind!r}{options}){_set_aside(config)}",
    ]


def _set_aside(config: RunConfig) -> str:
    source = pipeline.dataset(config)
    return ".labelled_everywhere()" if isinstance(source, Pool) and source.rows is not None else ""


def _ensemble(config: RunConfig) -> list[str]:
    m, off = pipeline.n_clusterings(config), set(config.switched_off)
    lines = generating.script(pipeline.dataset(config), config.scaling, config.recipe, m, config.seed)
    if config.lend:
        lines += ["from engine.completion import completed", "ensemble = completed(ensemble)"]
    if off:
        lines.append(f"ensemble = ensemble.select([m for m in range({m}) if m not in {off!r}])")
    return lines


def _consensus(config: RunConfig, k: int) -> list[str]:
    chosen = config.chosen_params(config.method)
    params = f", params={chosen!r}" if chosen else ""
    if sample := _sample(config):
        call = f"consensus_of_sample({config.method!r}, ensemble, {k}, {sample}{params}, seed={config.seed})"
        return [f"result = {call}", "labels = result.labels"]
    return [
        f"result = run_consensus({config.method!r}, ensemble, n_clusters={k}{params}, seed={config.seed})",
        "labels = result.labels",
    ]
