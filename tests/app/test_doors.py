"""Page, lesson and report of one address say the same: labels, numbers, sentences."""

import numpy as np
import pytest

import data
from engine import EngineError, Ensemble, run_consensus
from engine.cli import main
from engine.generators import kmeans_ensemble
from engine.metrics import MEASURES
from tests.app.conftest import charts, words
from tests.app.test_one_k import as_csv
from ui.compute import uploads
from ui.export.script import beside, script
from ui.figures.numbering import FIRST
from ui.report import making, tables
from ui.report.making import gathered
from ui.saying import three_digits
from ui.scene import Scene
from ui.session.run_config import from_query

#: Two crossed factors: rows and columns are mirror images.
GRID = np.stack(np.unravel_index(np.arange(64), (8, 8)), axis=1)


def brought(name: str) -> str:
    """Ids of files as people bring them."""
    rng = np.random.default_rng(5)
    points = np.concatenate([rng.normal(at, 0.5, (40, 2)) for at in ((0, 0), (4, 0), (0, 4))]).round(3)
    labels = kmeans_ensemble(points, 10, (2, 8), seed=5).labels
    holes = labels.astype(object)
    holes[::7, 2] = ""
    files = {
        "features": (points, "features"),
        "labels": (labels, "labels"),
        "missing": (holes, "labels"),
        "two": (labels[:, :1] > 0, "labels"),
        "grid": (GRID, "labels"),
    }
    table, kind = files[name]
    return uploads.keep_file(f"{name}.csv", as_csv(table), kind).id


ADDRESSES = [
    {"data": "iris"},
    {"data": "wine", "seed": "3"},
    {"data": "moons", "m": "5"},
    {"data": "spirals", "theta": "0.2"},
    {"data": "uneven_blobs", "k": "4"},
    {"data": "circles", "method": "eac"},
    {"data": "iris", "method": "lwgp"},
    {"data": "iris", "method": "pta", "K": "4", "T": "3"},
    {"data": "iris", "method": "ec_cms", "alpha": "0.7"},
    {"data": "iris", "method": "got"},
    {"data": "wine", "off": "0.3"},
    {"data": "wine", "scaling": "none", "measure": "ari"},
    {"data": "iris", "m": "1"},
    {"data": "iris", "generator": "lac", "method": "wspa"},
    {"data": "digits", "sample": "500", "method": "eac", "m": "8"},
    {"data": "features"},
    {"data": "labels"},
    {"data": "labels", "m": "4", "k": "3"},
    {"data": "missing"},
    {"data": "two"},
    {"data": "grid", "k": "2", "seed": "4"},
]


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: "-".join(address.values()))
def test_one_address_is_one_answer(app, address):
    query = {**address, "data": brought(address["data"]) if address["data"] not in data.catalog() else address["data"]}
    config, problems = from_query({name: text for name, text in query.items() if name != "off"})
    config = config.with_(switched_off=(0, 3)) if "off" in query else config
    if "off" in query:
        query = config.to_query()
    assert not problems
    session = gathered(config)
    at = app("consensus", **query)
    dots = charts(at)["consensus_labels"]["data"][0]
    shown = np.array(dots["marker"]["color"])[np.argsort(dots["customdata"])] - FIRST
    assert (shown == session.consensus.labels).all()
    scene = Scene(at.session_state.run_config, source_if_here=session.source)
    assert (scene.consensus.labels == session.consensus.labels).all()
    assert f"into **{session.consensus.n_clusters:,} clusters**" in words(at)
    assert ("Clusters k", f"{session.consensus.n_clusters:,}") in tables.method_rows(session)
    if session.truth is not None:
        score = scene.score(session.consensus.labels)
        assert f"It scores **{three_digits(score)}** ({MEASURES[config.measure]})" in words(at)
        rows = {row[0]: row[1] for row in tables.score_rows(session)}
        assert rows[MEASURES[config.measure]] == f"{score:.3f}"
    assert script(session, beside(session)).strip() == at.code[0].value.strip()
    assert "Traceback" not in making.report(session)


def test_one_microcluster_is_refused_in_the_same_words_at_every_door(app):
    name = uploads.keep_file("four.csv", as_csv(np.ones((4, 3), int)), "labels").id
    config, _ = from_query({"data": name})
    with pytest.raises(EngineError, match="there is one microcluster: no base clustering tells any two objects apart"):
        gathered(config)
    at = app("consensus", data=name)
    assert "There is one microcluster: no base clustering tells any two objects apart" in words(at)


@pytest.mark.long
def test_a_toss_between_mirror_images_falls_alike_at_every_door(tmp_path, capsys):
    """Page, library and command; over seeds it falls one way and the other."""
    (tmp_path / "grid.csv").write_bytes(as_csv(GRID))
    found = set()
    for seed in range(6):
        config, _ = from_query({"data": brought("grid"), "k": "2", "seed": str(seed)})
        scene = Scene(config)
        labels = scene.consensus.labels
        assert (scene.consensus.microclusters.assignment == scene.ensemble.microclusters.assignment).all()
        assert (labels == run_consensus("lwea", Ensemble.from_labels(GRID), 2, seed=seed).labels).all()
        main(["consensus", str(tmp_path / "grid.csv"), "--k", "2", "--seed", str(seed)])
        rows = capsys.readouterr().out.splitlines()
        assert [int(row.split(",")[1]) for row in rows[1:]] == labels.tolist()
        found.add(tuple(labels.tolist()))
    assert len(found) > 1
