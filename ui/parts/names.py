"""What an object and a base clustering are called, everywhere: as their file calls them, else by their number."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from data import Pool
from data.errors import shortened
from engine import Ensemble
from ui.compute import pipeline
from ui.figures.numbering import FIRST, number, numbers
from ui.figures.spec import Figure
from ui.outside import html
from ui.session.run_config import RunConfig
from ui.session.state import config

#: How a figure's hover says which object, and which base clustering, a point is.
_OBJECT = "object %{customdata:,}"
_CLUSTERINGS = {"base clustering %{customdata}": "customdata", "base clustering %{x}": "x"}


def identifiers(chosen: RunConfig | None = None) -> np.ndarray | None:
    """What the objects of the present data set are called in its file: (N,) str, "" where it does not say; or None."""
    source = pipeline.dataset_if_here(chosen or config())
    return None if source is None else source.identifiers


def object_names(objects: Iterable[int], chosen: RunConfig | None = None) -> list[str]:
    """Names of objects: "object 12", or as the file calls them."""
    own = identifiers(chosen)
    return [f"object {number(index)}" if own is None or not own[index] else shortened(own[index]) for index in objects]


def object_name(index: int, chosen: RunConfig | None = None) -> str:
    """The name of one object."""
    return object_names([index], chosen)[0]


def object_keys(objects: Iterable[int], chosen: RunConfig | None = None) -> list[Any]:
    """What stands for objects in a table or a list: as the file calls them, else their plain numbers."""
    own = identifiers(chosen)
    return [int(index) + FIRST if own is None or not own[index] else shortened(own[index]) for index in objects]


def clustering_keys(made: Ensemble, chosen: RunConfig | None = None) -> list[Any]:
    """What stands for base clusterings in a table or on an axis: as the file calls them, else their plain numbers."""
    chosen = chosen or config()
    places, source = _places(made, chosen), pipeline.dataset_if_here(chosen)
    if not isinstance(source, Pool) or not source.clustering_names:
        return numbers(places).tolist()
    drawn = made.provenance.get("columns", "all")
    columns = places if isinstance(drawn, str) else np.asarray(drawn)[places]
    return [shortened(source.clustering_names[column]) for column in columns]


def clustering_names(made: Ensemble, chosen: RunConfig | None = None) -> list[str]:
    """Names of base clusterings: "base clustering 3", or "base clustering gmm" where the file says so."""
    return [
        f"base clustering {key:,}" if isinstance(key, int) else f"base clustering {key}"
        for key in clustering_keys(made, chosen)
    ]


def _places(made: Ensemble, chosen: RunConfig) -> np.ndarray:
    """Which of the sidebar's M base clusterings each one of an ensemble is, those switched off left out: (M',) int."""
    everything = np.arange(pipeline.n_clusterings(chosen))
    left = np.setdiff1d(everything, chosen.switched_off)
    return left if made.n_clusterings == len(left) else np.arange(made.n_clusterings)


def on_hover(figure: Figure) -> Figure:
    """A figure whose points are objects, its hover naming them as their file does."""
    own = identifiers()
    for trace in figure.data if own is not None else ():
        if _OBJECT in (template := trace.get("hovertemplate", "")):
            trace["hovertext"] = [
                html(name) for name in object_names((np.asarray(trace["customdata"]) - FIRST).tolist())
            ]
            trace["hovertemplate"] = template.replace(_OBJECT, "%{hovertext}")
    return figure


def clusterings_on_hover(figure: Figure, names: Sequence[str]) -> Figure:
    """A figure whose points or bars are base clusterings, its hover naming them; one name for each of them."""
    for trace in figure.data:
        for words, where in _CLUSTERINGS.items():
            if words in (template := trace.get("hovertemplate", "")):
                trace["hovertext"] = [html(names[m]) for m in np.asarray(trace[where]).astype(int) - FIRST]
                trace["hovertemplate"] = template.replace(words, "%{hovertext}")
    return figure
