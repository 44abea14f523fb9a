"""A session computed from its settings alone, as the command does; pages have most of it already."""

import numpy as np

from data import Pool
from engine import Consensus, Ensemble, Monitor
from engine.choosing_k import ChosenK, choose_k
from engine.confidence import Profile, cluster_profile
from engine.monitor import SILENT
from ui.compute import pipeline
from ui.consensus.snippet import snippet
from ui.howmany import asking
from ui.lessons.scene import Scene
from ui.parts.colours import alike
from ui.report.session import Session
from ui.session.run_config import RunConfig


def gathered(config: RunConfig, monitor: Monitor = SILENT) -> Session:
    """Everything about a session; k is the criteria's pick where neither it nor the classes are known.

    Raises
    ------
    EngineError, DataError
        If something cannot be computed.
    """
    source, truth = pipeline.dataset(config), pipeline.truth(config)
    scene = Scene(config, monitor, source=source)
    chosen = None if config.k else _choice(scene, monitor)
    if chosen is not None and truth is None:
        scene = Scene(config.with_(k=chosen.n_clusters), monitor, scene.family, source)
    result = scene.answer()
    sure = cluster_profile(scene.ensemble, result.labels, monitor=monitor) if result.n_clusters > 1 else None
    return Session(
        config=scene.config,
        title=pipeline.title(config),
        source=source,
        ensemble=scene.ensemble,
        result=result,
        colors=np.arange(result.n_clusters) if truth is None else alike(result.labels, truth),
        truth=truth,
        placed=scene.placed,
        script=snippet(scene.config, result.n_clusters, _beside(sure, None)),
        profile=sure,
        chosen=chosen,
    )


def on_page(
    config: RunConfig,
    made: Ensemble,
    result: Consensus,
    colors: np.ndarray,
    placed: tuple,
    sure: Profile | None,
    stability: np.ndarray | None,
) -> Session:
    """What a page shows, as a report needs it; of the choice of k what was asked already."""
    return Session(
        config=config,
        title=pipeline.title(config),
        source=pipeline.dataset(config),
        ensemble=made,
        result=result,
        colors=colors,
        truth=pipeline.truth(config),
        placed=placed,
        script=snippet(config, result.n_clusters, _beside(sure, stability)),
        profile=sure,
        stability=stability,
        chosen=asking.known(config, made),
    )


def _beside(sure: Profile | None, stability: np.ndarray | None) -> list[str]:
    """What stands beside the labels that are taken away."""
    return ["support", "margin"] * (sure is not None) + ["stability"] * (stability is not None)


def _choice(scene: Scene, monitor: Monitor) -> ChosenK | None:
    """What the criteria say after a short look; None where nothing tells objects apart."""
    made, config = scene.ensemble, scene.config
    if len(made.microclusters) < 2:
        return None
    features = None if isinstance(scene.source, Pool) else scene.features
    params = config.method_params
    k_max = min(config.k_max, len(made.microclusters))
    return choose_k(made, config.method, params, k_max, features, seed=config.seed, monitor=monitor, effort="quick")
