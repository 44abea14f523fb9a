"""A graph between the objects of an ensemble: which are linked, and how strongly."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..runtime.errors import InvalidParameterError, shown
from ..runtime.memory import require_memory
from .microclusters import frozen
from .reading_labels import as_numbers

#: Of a graph's own arrays, for every node.
_BYTES_A_NODE = 40

#: Rounds in which a node is told from others by its neighbours, then by theirs, and so on.
ROUNDS = 8
_MOST_NODES = 2**31
_ODD_1, _ODD_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, eq=False)
class Graph:
    """N nodes and the edges between them: undirected, none to itself, each once, weights above 0.

    Build it with `Graph.of_edges` or `Graph.of_matrix`; all arrays are read-only.

    Attributes
    ----------
    n_nodes : int
        N, isolated nodes included.
    sources, targets : (E,) int32
        The two ends of every edge, sources < targets, in lexicographic order.
    weights : (E,) float64
        Finite and positive.
    notes : tuple of str
        What was decided on the way: loops left out, edges given twice, isolated nodes, components.
    """

    n_nodes: int
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    weights: NDArray[np.float64]
    notes: tuple[str, ...] = ()

    @classmethod
    def of_edges(
        cls, sources: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None, n_nodes: int | None = None
    ) -> "Graph":
        """Build a graph from its edges.

        Parameters
        ----------
        sources, targets : (E,) int
            Ends of every edge, numbered from 0, in any order and either direction.
        weights : (E,) float, optional
            1 each by default. Edges of weight 0 or below are left out.
        n_nodes : int, optional
            N; by default up to the largest number that occurs.

        Returns
        -------
        Graph
            Loops are left out, and of an edge that is given more than once, in either direction, the largest weight
            counts; `notes` says so.

        Raises
        ------
        InvalidParameterError
            If an end is no node, or a weight not finite.

        Examples
        --------
        >>> graph = Graph.of_edges([0, 1, 2, 1], [1, 0, 2, 3])
        >>> graph.n_nodes, graph.sources.tolist(), graph.targets.tolist()
        (4, [0, 1], [1, 3])
        >>> graph.notes[:2]
        ('1 edge from a node to itself left out.', '1 edge given more than once; the largest weight counts.')
        """
        ends = [_whole(one) for one in (sources, targets)]
        values = np.ones(len(ends[0])) if weights is None else _numbers(weights, "weights", "iufb").astype(np.float64)
        if not len(ends[0]) == len(ends[1]) == len(values):
            raise InvalidParameterError(
                "sources, targets and weights must be of one length. "
                f"Got {len(ends[0])}, {len(ends[1])} and {len(values)}"
            )
        last = max((int(one.max(initial=-1)) for one in ends), default=-1)
        n = _count(last + 1 if n_nodes is None else n_nodes)
        if min((int(one.min(initial=0)) for one in ends), default=0) < 0 or last >= n:
            raise InvalidParameterError(f"ends of edges must be nodes 0..{n - 1}. Got {last if last >= n else 'less'}")
        _check_finite(values)
        require_memory(f"a graph of {n:,} nodes", _BYTES_A_NODE * n)
        low, high = np.minimum(*ends), np.maximum(*ends)
        loops, positive = low == high, values > 0
        kept = ~loops & positive
        low, high, values = low[kept], high[kept], values[kept]
        codes, place = np.unique(low * n + high, return_inverse=True)
        strongest = np.zeros(len(codes))
        np.maximum.at(strongest, place, values)
        first, second = np.divmod(codes, max(n, 1))
        one = cls(n, frozen(first.astype(np.int32)), frozen(second.astype(np.int32)), frozen(strongest))
        said = (
            (int(loops.sum()), "edge", "from a node to itself left out."),
            (int((~loops & ~positive).sum()), "edge", "of weight 0 or below left out."),
            (len(low) - len(codes), "edge", "given more than once; the largest weight counts."),
            (one.n_isolated, "node", "without any edge: each is a community of its own."),
        )
        notes = [f"{count:,} {noun}{'' if count == 1 else 's'} {rest}" for count, noun, rest in said if count]
        parts = one.n_components - one.n_isolated
        notes += [f"{parts:,} parts that no edge links."] if parts > 1 else []
        object.__setattr__(one, "notes", tuple(notes))
        return one

    @classmethod
    def of_matrix(cls, matrix: sparse.sparray | sparse.spmatrix | NDArray) -> "Graph":
        """Build a graph from a square matrix of weights, 0 where there is no edge.

        Parameters
        ----------
        matrix : (N, N) sparse or dense
            Where (i, j) and (j, i) differ the larger one counts.

        Returns
        -------
        Graph
            As of `of_edges`.

        Raises
        ------
        InvalidParameterError
            If it is not square, or a weight not finite.
        """
        if not sparse.issparse(matrix):
            matrix = as_numbers(matrix, "a graph")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidParameterError(f"a graph must be a square matrix. Got the shape {matrix.shape}")
        found, n = sparse.coo_array(matrix, copy=True), matrix.shape[0]
        if found.data.dtype.kind not in "biuf":
            raise InvalidParameterError(f"a graph must be a matrix of numbers. Got {found.data.dtype}")
        found.sum_duplicates()  # several entries of one cell are summands, as scipy takes them
        _check_finite(found.data)
        rows, columns = (end.astype(np.int64) for end in found.coords)
        codes, place = np.unique(np.minimum(rows, columns) * n + np.maximum(rows, columns), return_inverse=True)
        larger = np.full(len(codes), -np.inf)
        np.maximum.at(larger, place, found.data.astype(np.float64))
        return cls.of_edges(*np.divmod(codes, max(n, 1)), larger, n)

    @property
    def n_edges(self) -> int:
        """E."""
        return len(self.sources)

    @cached_property
    def n_isolated(self) -> int:
        """Nodes without any edge."""
        return int((self.degrees == 0).sum())

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Edges of every node: (N,)."""
        ends = np.concatenate([self.sources, self.targets])
        return frozen(np.bincount(ends, minlength=self.n_nodes))

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Symmetric weights, no diagonal: CSR (N, N)."""
        rows, columns = np.concatenate([self.sources, self.targets]), np.concatenate([self.targets, self.sources])
        return sparse.csr_array((np.tile(self.weights, 2), (rows, columns)), shape=(self.n_nodes, self.n_nodes))

    @cached_property
    def components(self) -> NDArray[np.int32]:
        """Which connected component every node lies in: (N,)."""
        return frozen(csgraph.connected_components(self.matrix, directed=False)[1])

    @property
    def n_components(self) -> int:
        """Connected components, isolated nodes among them."""
        return int(self.components.max(initial=-1)) + 1

    @cached_property
    def fingerprint(self) -> str:
        """Hash of nodes, edges and weights, 32 hexadecimal digits."""
        digest = hashlib.blake2b(str(self.n_nodes).encode(), digest_size=16)
        for array in (self.sources, self.targets, self.weights):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def of_nodes(self, nodes: ArrayLike) -> "Graph":
        """The graph of some nodes, in the order given, and of the edges between them.

        Parameters
        ----------
        nodes : (N',) int or (N,) bool
            Each at most once.

        Returns
        -------
        Graph

        Raises
        ------
        InvalidParameterError
            If a node is there twice, or is none.
        """
        asked = np.asarray(nodes)
        try:
            chosen = np.arange(self.n_nodes)[asked if asked.size else asked.astype(np.int64)]
        except IndexError as error:
            raise InvalidParameterError(f"nodes must be numbers of nodes, or a mask of all. Got {error}") from None
        if len(np.unique(chosen)) < len(chosen):
            raise InvalidParameterError("nodes of a graph must be chosen at most once. Got some of them twice")
        place = np.full(self.n_nodes, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        ends = place[self.sources], place[self.targets]
        kept = (ends[0] >= 0) & (ends[1] >= 0)
        return Graph.of_edges(ends[0][kept], ends[1][kept], self.weights[kept], len(chosen))

    def codes(self, begun: NDArray[np.integer]) -> NDArray[np.uint64]:
        """A code for every node that no order of nodes changes.

        Each round adds the multiset of (weight, neighbour's code); nodes alike in the end are symmetric, or nearly so.

        Parameters
        ----------
        begun : (N,) int
            What tells nodes apart already.

        Returns
        -------
        (N,) uint64
            Equal codes, equal places in the graph, as far as the rounds see.
        """
        start, near, bits = self.matrix.indptr, self.matrix.indices, self.matrix.data.view(np.uint64)
        codes, n_apart = _mixed(begun.astype(np.uint64) + np.uint64(1)), 0
        for _ in range(ROUNDS):
            if (found := len(np.unique(codes))) in (n_apart, self.n_nodes):
                break
            n_apart = found
            sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_mixed(codes[near] ^ _mixed(bits)))])
            codes = _mixed(codes * _ODD_1 + sums[start[1:]] - sums[start[:-1]])  # sums wrap, their differences too
        return codes


def _whole(ends: ArrayLike) -> NDArray[np.int64]:
    return _numbers(ends, "ends", "iu").astype(np.int64)


def _numbers(values: ArrayLike, what: str, kinds: str) -> NDArray:
    """Values of edges in a row, all of them there, of some kinds of numbers."""
    try:
        array = np.asanyarray(values)
    except ValueError as error:
        raise InvalidParameterError(f"{what} of edges must be in a row. Got rows of different lengths") from error
    if np.ma.is_masked(array):
        raise InvalidParameterError(f"{what} of edges must all be there. Got hidden ones")
    if array.size and array.dtype.kind not in kinds:
        rule = "whole numbers" if kinds == "iu" else "numbers"
        raise InvalidParameterError(f"{what} of edges must be {rule}. Got {array.dtype}")
    return np.asarray(array).ravel()


def _count(n_nodes: object) -> int:
    """How many nodes there are, as many as 32 bits number."""
    if not isinstance(n_nodes, int | np.integer) or not 0 <= n_nodes < _MOST_NODES:
        raise InvalidParameterError(
            f"n_nodes must be a whole number from 0 to {_MOST_NODES - 1:,}. Got {shown(n_nodes)}"
        )
    return int(n_nodes)


def _check_finite(weights: NDArray) -> None:
    if not np.isfinite(weights).all():
        first = int(np.argmin(np.isfinite(weights)))
        raise InvalidParameterError(f"weights of edges must be finite. Got {weights[first]} for edge {first + 1:,}")


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Well mixed bits of 64-bit words (splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * _ODD_1
    values = (values ^ (values >> np.uint64(27))) * _ODD_2
    return values ^ (values >> np.uint64(31))
