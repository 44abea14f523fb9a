"""Trees in the words of other programs."""

import re

import numpy as np
import pytest
from scipy.cluster import hierarchy

from engine import Ensemble, evidence, run_consensus
from engine.partition import Dendrogram, cut, linkage, linkage_matrix, newick
from engine.runtime.errors import InvalidParameterError
from tests.strategies import random_labels


def read(text: str):
    """A tree of Newick as (name, length, children), by a parser of its own."""
    tokens = re.findall(r"'(?:[^']|'')*'|[(),;:]|[^(),;:']+", text)
    place = 0

    def node():
        nonlocal place
        children = []
        if tokens[place] == "(":
            while tokens[place] in "(,":
                place += 1
                children.append(node())
            assert tokens[place] == ")"
            place += 1
        name = ""
        if tokens[place] not in "(),;:":
            name = tokens[place]
            name = name[1:-1].replace("''", "'") if name.startswith("'") else name.replace("_", " ")
            place += 1
        length = 0.0
        if tokens[place] == ":":
            length, place = float(tokens[place + 1]), place + 2
        return name, length, children

    found = node()
    assert tokens[place:] == [";"]
    return found


def paths(node, before=()):
    """Every leaf with the lengths on the way to it from the root, and its ancestors."""
    name, length, children = node
    way = (*before, (id(node), length))
    if not children:
        yield name, way
    for child in children:
        yield from paths(child, way)


@pytest.fixture
def made():
    """An ensemble with microclusters of several objects, and its average-link tree."""
    ensemble = Ensemble.from_labels(random_labels(60, 4, 3, noise=0.25, seed=2))
    micro = ensemble.microclusters
    assert 3 < len(micro) < 60
    return ensemble, linkage(evidence.co_association(ensemble), micro.sizes, "average")


def distance(ensemble, tree, a: int, b: int) -> float:
    """Distance of the merge that joins two objects, climbing the tree by hand."""
    n, up = tree.n_leaves, {}
    for place, pair in enumerate(tree.merges.tolist()):
        up |= dict.fromkeys(pair, n + place)

    def ancestors(node):
        while node is not None:
            yield node
            node = up.get(node)

    a, b = (int(ensemble.microclusters.assignment[one]) for one in (a, b))
    above = set(ancestors(a))
    first = next(node for node in ancestors(b) if node in above)
    return 0.0 if first < n else max(1.0, tree.similarities[0]) - tree.similarities[first - n]


def test_branch_lengths_add_up_to_the_distance_of_the_merge(made):
    ensemble, tree = made
    names = [f"object {place}" for place in range(60)]
    ways = dict(paths(read(newick(tree, names, ensemble.microclusters.assignment))))
    assert sorted(ways) == sorted(names)
    total = [sum(length for _, length in way) for way in ways.values()]
    np.testing.assert_allclose(total, max(1.0, tree.similarities[0]) - tree.similarities[-1], atol=1e-9)
    rng = np.random.default_rng(0)
    for a, b in rng.integers(60, size=(200, 2)):
        if a == b:
            continue
        one, two = ways[names[a]], ways[names[b]]
        apart = sum(length for place, length in one if place not in dict(two))
        np.testing.assert_allclose(apart, distance(ensemble, tree, a, b), atol=1e-9)


def test_scipy_takes_the_linkage_matrix_and_cuts_as_we_do(made):
    ensemble, tree = made
    found = linkage_matrix(tree, ensemble.microclusters.assignment)
    assert hierarchy.is_valid_linkage(found, throw=True)
    assert hierarchy.is_monotonic(found)
    assert found[-1, 3] == 60
    cophenet = hierarchy.cophenet(found)
    pairs = [(a, b) for a in range(60) for b in range(a + 1, 60)]
    expected = [distance(ensemble, tree, a, b) for a, b in pairs]
    np.testing.assert_allclose(cophenet, expected, atol=1e-9)
    for k in (2, 3, 5):
        apart = np.diff(found[:, 2])[-k + 1 :] if k > 1 else [1]
        if min(apart) == 0:
            continue  # a tie at the cut is settled by a rule of each program
        ours = ensemble.microclusters.expand(cut(tree, k))
        theirs = hierarchy.fcluster(found, k, "maxclust")
        assert len({*zip(ours.tolist(), theirs.tolist(), strict=True)}) == k
    assert hierarchy.is_valid_linkage(linkage_matrix(tree), throw=True)


@pytest.mark.parametrize("method", ["eac", "lwea", "pta", "wct"])
def test_trees_of_methods_are_valid(method):
    ensemble = Ensemble.from_labels(random_labels(50, 6, 3, noise=0.3, seed=1))
    found = run_consensus(method, ensemble, 3)
    tree, assignment = found.trace["dendrogram"], found.microclusters.assignment
    assert hierarchy.is_valid_linkage(linkage_matrix(tree, assignment), throw=True)
    assert (np.diff(linkage_matrix(tree, assignment)[:, 2]) >= 0).all()
    assert len(dict(paths(read(newick(tree, None, assignment))))) == 50


def test_a_long_chain_needs_no_deep_recursion():
    n = 20_000
    merges = np.array([[0, 1], *([n + place, place + 2] for place in range(n - 2))])
    tree = Dendrogram(merges, np.linspace(1, 0, n - 1), np.ones(n, int))
    assert newick(tree).count("(") == n - 1


@pytest.mark.parametrize("name", ["it's", "two words", "a(b)", "x:1", "semi;colon", "under_score", "[1]", ""])
def test_any_name_comes_back(name):
    tree = Dendrogram(np.array([[0, 1]]), np.array([0.5]), np.ones(2, int))
    assert sorted(dict(paths(read(newick(tree, [name, "b"]))))) == sorted([name, "b"])


def test_what_does_not_fit_is_refused(made):
    ensemble, tree = made
    with pytest.raises(InvalidParameterError, match="names must be one for each"):
        newick(tree, ["a"])
    with pytest.raises(InvalidParameterError, match="each of"):
        linkage_matrix(tree, np.zeros(60, int))
