"""A consensus method as plain data."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import Params
from ..runtime.monitor import Monitor

#: Packages that only some methods need, with the words pip installs them by.
EXTRAS = {"igraph": "pip install igraph", "mtkahypar": "pip install mtkahypar", "pymetis": "pip install pymetis"}


#: Families of methods, in the order of a lecture, with the words that stand above them.
FAMILIES = {
    "trees": "Pairs of objects, and trees",
    "graphs": "Graphs of objects and clusters",
    "medians": "Median partitions",
    "learnt": "Learnt matrices",
    "growing": "Trees that grow",
    "soft": "Soft memberships",
}


def always(params: Params) -> bool:
    """True under all parameters."""
    return True


def never(params: Params) -> bool:
    """False under all parameters."""
    return False


@dataclass(frozen=True)
class ConsensusMethod:
    """A published method, described.

    Attributes
    ----------
    key, title : str
        Name in code ("lwea") and in menus ("LWEA").
    params : type of Params
        Its parameters.
    run : callable
        `run(ensemble, n_clusters, params, rng, monitor) -> labels (N,)`.
    reference : str
        Bib key of the paper (docs/references.bib).
    needs : frozenset of str
        Under all parameters: "dense" = an n x n matrix; "dense where labels are missing" = only there; "memberships" =
        soft memberships; "graph" = a graph between the objects; "igraph", "mtkahypar", "pymetis" = that package (see
        `EXTRAS`); "complete" = an ensemble without missing labels, as all methods do that do not say otherwise.
    family : str
        What kind of method it is, one of `FAMILIES`.
    summary : str
        What it does, in a sentence a student understands.
    formula : str
        What it computes, in LaTeX. A name in angle brackets, `<theta>`, is a parameter, or M, k, n: a page shows the
        symbol, and once more its value.
    try_this : str
        What to try with it, to see what it is about: a clause that follows "Try this:".
    pictures : frozenset of str
        Entries of its trace, kept only when asked for, that show what is special in it (see `engine.consensus.traces`).
    balanced : callable
        `balanced(params) -> bool`: its partitioner keeps parts of near-equal weight, also where clusters are not.
    also_needs : callable, optional
        `also_needs(params) -> frozenset`: what it needs beside `needs` under these parameters.
    takes_missing : bool
        It takes ensembles with missing labels as they are.
    finds_k : bool
        The number of clusters is an outcome: what it is asked for does not count.
    trees : callable, optional
        `trees(ensemble, settings, monitor)` yields (index, dendrogram) for a list of params, doing once what they
        share; the trees are those `run` records.
    """

    key: str
    title: str
    params: type[Params]
    run: Callable[[Ensemble, int, Any, np.random.Generator, Monitor], NDArray]
    reference: str
    needs: frozenset[str] = frozenset()
    family: str = "trees"
    summary: str = ""
    formula: str = ""
    try_this: str = ""
    pictures: frozenset[str] = frozenset()
    balanced: Callable[[Any], bool] = never
    also_needs: Callable[[Any], frozenset[str]] | None = None
    takes_missing: bool = False
    finds_k: bool = False
    trees: Callable[[Ensemble, Sequence[Any], Monitor], Iterator[tuple[int, Any]]] | None = None

    def __post_init__(self) -> None:
        if not self.takes_missing:
            object.__setattr__(self, "needs", self.needs | {"complete"})

    def requirements(self, params: Params | None = None) -> frozenset[str]:
        """What it needs under these parameters, by default its own defaults.

        Parameters
        ----------
        params : Params, optional
            Of this method.

        Returns
        -------
        frozenset of str
            Words as in `needs`; empty where any ensemble will do.
        """
        more = self.also_needs(params or self.params()) if self.also_needs else frozenset()
        return self.needs | more

    @property
    def unavailable(self) -> str | None:
        """Why it cannot run on this machine with its default parameters, and the remedy; None if it can."""
        return self.lacking_extra(self.params())

    def can_run(self, ensemble: Ensemble, params: Params | None = None) -> bool:
        """Whether it can run on an ensemble, on this machine, under these parameters.

        Parameters
        ----------
        ensemble : Ensemble
        params : Params, optional
            Of this method.

        Returns
        -------
        bool
        """
        needs = self.requirements(params)
        whole = ensemble.complete or "complete" not in needs
        soft = ensemble.memberships is not None or "memberships" not in needs
        linked = ensemble.graph is not None or "graph" not in needs
        return whole and soft and linked and not self.lacking_extra(params or self.params())

    def lacking_extra(self, params: Params) -> str | None:
        """Why it cannot run on this machine under these parameters, with the remedy; None if it can.

        Parameters
        ----------
        params : Params
            Of this method.

        Returns
        -------
        str or None
            One sentence that ends in the line that installs what is missing.
        """
        for name in sorted(self.requirements(params) & EXTRAS.keys()):
            if importlib.util.find_spec(name) is None:
                return f"{self.title} needs the package {name}, which is not installed. Install it: {EXTRAS[name]}"
        return None
