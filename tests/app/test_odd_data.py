"""Every page on every odd data set: something calm is shown, and nothing fails.

Each data set meets every third page here, another third for each; all meet with CONCORD_ALL=1 (`make test-all`).
"""

import io
import os
import re

import numpy as np
import pytest

from tests.app.conftest import words
from tests.app.test_pages import PAGES
from ui.compute import uploads

pytestmark = pytest.mark.long

rng = np.random.default_rng(0)


def npy(array) -> bytes:
    held = io.BytesIO()
    np.save(held, array)
    return held.getvalue()


def csv(rows, header="") -> bytes:
    lines = [",".join(map(str, row)) for row in rows]
    return "\n".join([header, *lines] if header else lines).encode()


def mtx(n, edges) -> bytes:
    rows = "".join(f"{i + 1} {j + 1}\n" for i, j in edges)
    return f"%%MatrixMarket matrix coordinate pattern symmetric\n{n} {n} {len(edges)}\n{rows}".encode()


#: Two groups of five, each linked throughout, without a link between them.
PARTS = [(5 * g + i, 5 * g + j) for g in range(2) for i in range(5) for j in range(i)]
SPREAD = rng.normal(size=(40, 3)).round(3) + 4 * (np.arange(40)[:, None] // 20)
MARKUP = "<b>a</b>,![x](http://127.0.0.1:9/x),$\\alpha$,class"
#: Name of the file, its content, and what it holds.
ODD = {
    "no column names": ("odd.npy", npy(SPREAD), "features"),
    "one column": ("odd.csv", csv(SPREAD[:, :1], "height"), "features"),
    "2 rows": ("odd.csv", csv([[1, 2], [3, 5]], "a,b"), "features"),
    "5,000 features": ("odd.npy", npy(rng.normal(size=(12, 5000))), "features"),
    "a constant column": ("odd.csv", csv(np.column_stack([SPREAD, np.ones(40)]), "a,b,c,d"), "features"),
    "all objects equal": ("odd.csv", csv([[1, 2, 3]] * 30, "a,b,c"), "features"),
    "names with markup": (
        "<i>odd.csv",
        csv([[*row, ["*oak*", "<b>elm"][i // 20]] for i, row in enumerate(SPREAD.tolist())], MARKUP),
        "features",
    ),
    "26 classes": (
        "odd.csv",
        csv([[*row, chr(97 + i % 26)] for i, row in enumerate(np.tile(SPREAD, (2, 1)).tolist())], "a,b,c,class"),
        "features",
    ),
    "M = 1": ("odd.csv", csv([[i // 10] for i in range(40)]), "labels"),
    "one cluster": ("odd.csv", csv([[1, 1, 1]] * 20), "labels"),
    "all equal": ("odd.csv", csv([[i % 3] * 4 for i in range(24)]), "labels"),
    "all distinct": ("odd.csv", csv([[i, 30 - i, (7 * i) % 30] for i in range(30)]), "labels"),
    "two objects": ("odd.csv", csv([[0, 1], [1, 1]]), "labels"),
    "a graph of 1 node": ("odd.csv", csv([["a", "a"]], "source,target"), "graph"),
    "a graph of 2 nodes": ("odd.csv", csv([["*a*", "<b>"]], "source,target"), "graph"),
    "a graph without edges": ("odd.mtx", mtx(12, []), "graph"),
    "a graph in two parts": ("odd.csv", csv(PARTS, "source,target"), "graph"),
    "isolated nodes": ("odd.mtx", mtx(16, PARTS), "graph"),
}
EVERY = 1 if os.environ.get("CONCORD_ALL") else 3
MEETINGS = [(name, page) for i, name in enumerate(ODD) for j, page in enumerate(PAGES) if (i + j) % EVERY == 0]


#: What says something on a page.
SAYING = ("markdown", "caption", "info", "warning", "error", "success")
#: Terms that are explained stand between marks: of HTML, or of a link with its title.
MARKS = re.compile(r"<[^>]*>|\[|\]\([^)]*\)")
#: One of what there are usually several of.
MISCOUNTED = re.compile(
    r"(?<![\d=] )(?<![\d.,])\b1\** (?:base clusterings|classes|clusterings|clusters|edges|features|groups|labels"
    r"|links|members|microclusters|neighbours|nodes|objects|partitions|rounds|runs|steps|times|trees|votes)\b"
)


#: One that does what several do.
MISVERBED = re.compile(
    r"(?:^|[,:;.(] |\*\*)1\**(?: of [\d,]+\**(?: \w+)?| \w+| \w+\** of \w+)?\** "
    r"(?:are|do|form|grow|hang|have|join|keep|lie|share|stand|wait)\b"
)


@pytest.mark.parametrize(("name", "page"), MEETINGS)
def test_a_page_bears_an_odd_data_set(app, name, page):
    at = app(page, data=uploads.keep_file(*ODD[name]).id, m="6")
    assert at.title
    said = [str(element.value) for kind in SAYING for element in at.get(kind)]
    assert not [words for words in said if MISCOUNTED.search(plain := MARKS.sub("", words)) or MISVERBED.search(plain)]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("**1 pair** of microclusters share a cluster", True),
        ("1 of 60 rows are dropped", True),
        ("round 1: 1 joins at threshold 0.1, 1 wait", True),
        ("**1 objects** hang on one link", True),
        ("**1 pair** of microclusters shares a cluster", False),
        ("The weights of cluster 1 are alike", False),
        ("21 of 60 rows are dropped", False),
    ],
)
def test_what_is_miscounted_is_seen(words, wrong):
    assert bool(MISCOUNTED.search(words) or MISVERBED.search(words)) == wrong


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("ensemble", "there is no other that it could be like"),
        ("matrices", "All links are as strong as each other"),
        ("enhanced_matrix", "nothing is held fast, and along nothing knowledge spreads"),
    ],
)
def test_of_a_single_base_clustering_no_page_says_what_takes_several(app, page, said):
    assert said in words(app(page, data="iris", m="1", seed="7"))


EDGES = [
    {"x": "theta:0.2"},
    {"x": "theta:"},
    {"x": "K:auto", "method": "pta"},
    {"x": "k:2,3", "y": "k:2,3"},
    {"zoom": "0.1.0.1", "pair": "999999.999999", "pick": "0-99999999"},
    {"m": "1000", "seed": "-1", "k": "1", "theta": "nan", "K": "0", "T": "1e9"},
    {"switched_off": "0.1.2.3.4.5.6.7", "roots": "5.5.5", "axes": "9.9"},
    {"cluster_pair": "9999.0", "k_range": "9-2", "panel": "999", "round": "99"},
    {"pick": "9" * 400, "data": "<b>x</b>" * 40},
]
ASKED = ("start", "matrices", "compare", "growing_trees", "ensemble")
ADDRESSES = [(page, edge) for i, page in enumerate(ASKED) for j, edge in enumerate(EDGES) if (i + 2 * j) % EVERY == 0]


@pytest.mark.parametrize(("page", "edge"), ADDRESSES, ids=str)
def test_a_page_bears_the_edges_of_its_address(app, page, edge):
    assert app(page, **({"data": "iris", "m": "6"} | edge)).title


def test_a_sweep_of_one_value_is_a_sweep(app):
    assert app("compare", compared="settings", data="iris", m="6", x="theta:0.2").title
