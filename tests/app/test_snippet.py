"""The exported script, executed, gives the labels on the page."""

import numpy as np
import pytest

from engine import consensus_of_sample, run_consensus
from tests.app.conftest import words
from ui.compute import uploads
from ui.session.query import from_query


def labels_on_the_page(config):
    from ui.compute import pipeline

    job = pipeline.ensemble(config)
    made = job.future.result()
    k = pipeline.wanted_k(config)
    if config.sample:
        return consensus_of_sample(config.method, made, k, config.sample, config.method_params, config.seed).labels
    return run_consensus(config.method, made, k, config.method_params, config.seed).labels


QUERIES = [
    {"data": "moons"},
    {"data": "wine", "m": "9", "seed": "5", "method": "lwgp", "k": "4", "theta": "0.15", "scaling": "minmax"},
    {"data": "iris", "m": "12", "krange": "3-6", "init": "k-means++", "ninit": "2", "method": "eac"},
    {"data": "iris", "m": "5", "generator": "subspaces", "subspace": "0.3", "method": "eac"},
    {"data": "iris", "m": "5", "generator": "lac", "hlow": "0.5", "hhigh": "50", "lack": "4", "method": "wbpa"},
    {"data": "wine", "m": "9", "method": "lwea", "theta": "0.15", "sample": "100"},
    {"data": "iris", "m": "6", "off": "0.4", "method": "eac", "linkage": "complete"},
]


@pytest.mark.parametrize("query", QUERIES)
def test_the_script_reproduces_the_labels(query):
    from ui.consensus.snippet import snippet

    config, problems = from_query(query)
    assert not problems
    expected = labels_on_the_page(config)
    scope: dict = {}
    exec(snippet(config, int(expected.max()) + 1), scope)  # the script is what is tested
    assert (scope["labels"] == expected).all()


@pytest.mark.parametrize(("m", "call"), [("3", "generators.draw"), ("6", "Ensemble.from_labels")])
def test_the_script_of_an_upload_reads_the_file(m, call, tmp_path, monkeypatch):
    from ui.consensus.snippet import snippet

    rng = np.random.default_rng(1)
    content = "\n".join(",".join(map(str, row)) for row in rng.integers(4, size=(50, 6))).encode()
    (tmp_path / "members.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    config, _ = from_query({"data": uploads.keep_file("members.csv", content, "labels").id, "m": m, "k": "4"})
    expected, script, scope = labels_on_the_page(config), snippet(config, 4), {}
    assert call in script
    exec(script, scope)
    assert (scope["labels"] == expected).all()


def test_the_page_shows_the_script(app):
    at = app("consensus", data="iris", m="5")
    assert "run_consensus('lwea', ensemble, n_clusters=3, seed=7)" in at.code[0].value
    assert "LWEA joins" in words(at)
