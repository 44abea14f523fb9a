"""A Python script that reproduces exactly the labels on the page."""

from ui import generating, pipeline, uploads
from ui.run_config import RunConfig


def snippet(config: RunConfig, k: int) -> str:
    """Script for the current run: data, ensemble, consensus; it ends with `labels`, (N,) int32."""
    imports = "from pathlib import Path\n\n" if config.data.startswith(uploads.PREFIX) else ""
    body = [*_load(config), "", *_ensemble(config), *_consensus(config, k)]
    return f"{imports}import data\nfrom engine import Ensemble, generators, run_consensus\n\n" + "\n".join(body) + "\n"


def _load(config: RunConfig) -> list[str]:
    if not config.data.startswith(uploads.PREFIX):
        return [f"source = data.load({config.data!r})"]
    upload = uploads.find(config.data)
    options = "" if upload.missing == "refuse" else f", missing={upload.missing!r}"
    return [
        f"path = Path({upload.filename!r})  # the file that was uploaded",
        f"source = data.read_upload(path.name, path.read_bytes(), {upload.kind!r}{options})",
    ]


def _ensemble(config: RunConfig) -> list[str]:
    lines = generating.script(config, pipeline.dataset(config), pipeline.lac_k(config))
    if config.off:
        lines.append(f"ensemble = ensemble.select([m for m in range({config.m}) if m not in {set(config.off)!r}])")
    return lines


def _consensus(config: RunConfig, k: int) -> list[str]:
    params = f", params={dict(config.params)!r}" if config.params else ""
    return [
        f"result = run_consensus({config.method!r}, ensemble, n_clusters={k}{params}, seed={config.seed})",
        "labels = result.labels",
    ]
