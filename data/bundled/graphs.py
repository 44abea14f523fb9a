"""Graphs that come with the app: communities of unequal size whose nodes have unequal degrees, from clear to hard.

They are drawn after Lancichinetti, Fortunato and Radicchi, "Benchmark graphs for testing community detection
algorithms", Physical Review E 78, 046110, 2008: degrees and sizes of communities follow power laws, and every node has
about the same share of its edges, the mixing, outside its community. The code is our own, and so are the graphs.
"""

import numpy as np

from ..errors import DataError
from ..records import Graph

#: Mixing of each graph, by name, and what people call it.
MIXINGS = {"communities": 0.3, "communities_hard": 0.5, "communities_hardest": 0.6}
TITLES = {
    "communities": "Graph of communities",
    "communities_hard": "Graph of communities (hard)",
    "communities_hardest": "Graph of communities (hardest)",
}
_NODES, _SEED = 500, 31
#: Lowest and highest degree, and size of a community, with the exponents of their power laws.
_DEGREES, _SIZES = (6, 40, 2.5), (20, 80, 1.5)


def graph_catalog() -> list[str]:
    """Return the names of the bundled graphs, from clear to hard.

    Returns
    -------
    list of str
        Every one is a valid argument of `load_graph`.

    Examples
    --------
    >>> graph_catalog()[0]
    'communities'
    """
    return list(MIXINGS)


def load_graph(name: str) -> Graph:
    """Return a bundled graph, with its communities as labels.

    Parameters
    ----------
    name : str
        One of `graph_catalog()`.

    Returns
    -------
    Graph
        500 nodes; every load gives the same.

    Raises
    ------
    DataError
        If there is no such graph.

    Examples
    --------
    >>> load_graph("communities").n_objects
    500
    """
    if name not in MIXINGS:
        raise DataError(f"There is no graph {name!r}. There are {', '.join(MIXINGS)}.")
    return communities(name, _NODES, MIXINGS[name], _SEED)


def communities(name: str, n_nodes: int, mixing: float, seed: int) -> Graph:
    """Return a graph whose nodes have about a share `mixing` of their edges outside their community.

    Parameters
    ----------
    name : str
    n_nodes : int
        At least 100.
    mixing : float
        In [0, 1): from about .5 on communities are hard to find.
    seed : int

    Returns
    -------
    Graph
        Edges once each, no loops, weights 1; labels are the communities, 0 the largest.
    """
    rng = np.random.default_rng(seed)
    labels = _sizes(n_nodes, rng)
    degrees = np.floor(_power_law(rng.random(n_nodes), *_DEGREES)).astype(np.int64)
    inner = np.minimum(np.round((1 - mixing) * degrees).astype(np.int64), np.bincount(labels)[labels] - 1)
    parts = [_wired(np.flatnonzero(labels == one), inner, rng) for one in range(labels.max() + 1)]
    across = _wired(np.arange(n_nodes), degrees - inner, rng)
    parts.append(across[labels[across[:, 0]] != labels[across[:, 1]]])
    edges = np.unique(np.concatenate(parts), axis=0)
    source = f"generated, fixed seed, mixing {mixing:g}"
    return Graph(name, n_nodes, edges[:, 0], edges[:, 1], np.ones(len(edges)), labels, source)


def _power_law(chance: np.ndarray, low: float, high: float, exponent: float) -> np.ndarray:
    """Return values between low and high that fall off with an exponent, from even chances."""
    power = 1 - exponent
    return (low**power + chance * ((high + 1) ** power - low**power)) ** (1 / power)


def _sizes(n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Return the community of every node: sizes are drawn until all nodes have one, the last take what is left."""
    drawn = np.floor(_power_law(rng.random(n_nodes), *_SIZES)).astype(np.int64)
    kept = drawn[: int(np.searchsorted(np.cumsum(drawn), n_nodes - _SIZES[0])) + 1]
    kept[-1] += n_nodes - kept.sum()  # the last community may be a little smaller or larger than drawn
    kept = np.sort(kept[kept > 0])[::-1]
    return np.repeat(np.arange(len(kept)), kept)


def _wired(nodes: np.ndarray, degrees: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return edges that give nodes about these degrees: ends are paired by chance, loops and doubles drop out."""
    ends = rng.permutation(np.repeat(nodes, degrees[nodes]))
    pairs = np.sort(ends[: len(ends) // 2 * 2].reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
