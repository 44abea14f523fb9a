"""Every page lives with missing labels: they are shown, counted, and said where a method needs them."""

import io

import numpy as np
import pytest

from engine import Ensemble, MissingEvidenceError, save_ensemble
from engine.monitor import SILENT
from engine.similarities import pair_evidence
from engine.tables import labels_csv
from tests.app.conftest import ROOT, executed, words
from tests.app.test_one_k import as_csv
from tests.scenes import scene_of
from tests.strategies import random_labels
from ui.compute import data_sets, uploads
from ui.compute.keeping import Kept
from ui.consensus.downloads import labels_file
from ui.export.script import beside
from ui.export.script import script as script_of
from ui.figures.style import alike, painted
from ui.report.making import gathered
from ui.report.tables import data_rows, ensemble_rows
from ui.scene import Scene
from ui.session.run_config import from_query
from ui.studies import study_panel, sweeps
from ui.why import Pair, of_votes, values, votes

GAPPY = {"data": "iris", "m": "8", "generator": "subsampling", "k": "3"}
PAGES = sorted(path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("[0-9]*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_lives_with_missing_labels(app, page):
    assert not app(page, **GAPPY).exception


def test_the_ensemble_page_says_how_many_and_where(app):
    config, _ = from_query(GAPPY)
    made = Scene(config).ensemble
    said = words(app("ensemble", **GAPPY))
    share = made.n_missing / made.labels.size
    assert f"{made.n_missing:,} labels are missing** ({share:.0%})" in said
    assert "seen together" in said


def test_base_clusterings_that_share_no_object_are_counted(app):
    labels = np.random.default_rng(0).integers(1, 4, (60, 4)).astype(object)
    labels[:30, 0] = labels[30:, 1] = ""
    name = uploads.keep_file("parts.csv", as_csv(labels), "labels").id
    assert "1 pair of base clusterings shares no object: its NMI is taken to be 0." in words(app("ensemble", data=name))
    assert "of base clusterings share" not in words(app("ensemble", data="iris", generator="subsampling", m="4"))


def test_a_few_labels_that_are_missing_are_no_share_of_0(app):
    rows = [["0", "1", "0"] if i < 60 else ["1", "0", "1"] for i in range(120)]
    rows[3][0] = rows[7][2] = ""
    few = uploads.keep_file("few.csv", "\n".join(map(",".join, rows)).encode(), "labels").id
    assert "2 labels are missing** (below 1%)" in words(app("ensemble", data=few, m="3"))


def test_labels_can_be_lent_and_left_missing_again(app):
    at = app("consensus", **GAPPY, method="got")
    at.button(key="lend_labels").click().run()
    config = at.session_state.run_config
    assert config.lend
    assert "are missing" not in words(at)
    scope = executed(script_of(Scene(config.with_(k=3))))
    made = Scene(config).ensemble
    assert made.complete
    assert scope["ensemble"].fingerprint == made.fingerprint
    page = app("ensemble", **GAPPY, lend="yes")
    assert "missing labels were lent" in words(page)
    page.button(key="no_lending").click().run()
    assert "labels are missing" in words(page)


REFUSES = {"consensus", "ensemble", "how_many", "start", "matrices", "walks", "compare"}
REFUSES |= {"growing_trees", "enhanced_matrix"}  # they show what GoT and EC-CMS do


@pytest.mark.parametrize("page", PAGES)
def test_wherever_a_method_refuses_a_button_completes_the_labels(app, page, gappy_pool):
    """GoT, and on Compare two methods of which one refuses; afterwards the page says what was done, or shows it."""
    asked = {"data": gappy_pool, "m": "6", "k": "3", "method": "got", "methods": "got,eac"}
    for button in ("lend_labels", "labelled_only"):
        at = app(page, **asked)
        keys = {one.key for one in at.button}
        assert (button in keys) == (page in REFUSES)
        assert ("needs a label of every object" in words(at) + said_of_errors(at)) == (page in REFUSES)
        if button in keys:
            at.button(key=button).click().run()
            assert not at.exception
            assert "needs a label of every object" not in words(at) + said_of_errors(at)


def said_of_errors(at):
    return " ".join(one.value for one in [*at.error, *at.info, *at.caption])


@pytest.mark.parametrize(
    ("asked", "said", "undo"),
    [
        ({"lend": "yes"}, "2 missing labels were lent", "no_lending"),
        ({"labelled": "yes"}, "2 of 30 objects that miss a label are set aside.", "all_objects"),
    ],
)
def test_completed_labels_are_said_on_the_page_in_the_report_and_in_the_file(app, gappy_pool, asked, said, undo):
    query = {"data": gappy_pool, "m": "6", "k": "3", "method": "got", **asked}
    at = app("consensus", **query)
    assert said in words(at)
    config = at.session_state.run_config
    made = Scene(config).ensemble
    assert said.split()[0] in str(made.provenance.get("completed", made.provenance.get("objects")))
    session = gathered(config)
    told = " ".join(map(" ".join, [*data_rows(session), *ensemble_rows(session)]))
    assert ("Missing labels lent 2, each" if undo == "no_lending" else said) in told
    at.button(key=undo).click().run()
    assert "needs a label of every object" in words(at)


@pytest.fixture
def gappy_pool(tmp_path):
    """30 objects, 6 base clusterings made elsewhere; objects 3 and 7 miss a label."""
    labels = (np.arange(30)[:, None] // 10 + (np.random.default_rng(2).random((30, 6)) < 0.1)) % 3
    rows = [list(map(str, row)) for row in labels]
    rows[3][0] = rows[7][2] = ""
    content = "\n".join(map(",".join, rows)).encode()
    (tmp_path / "gappy.csv").write_bytes(content)
    return uploads.keep_file("gappy.csv", content, "labels").id


def test_objects_that_miss_a_label_can_be_set_aside_and_brought_back(app, gappy_pool):
    at = app("consensus", data=gappy_pool, m="6", k="3", method="got")
    assert at.button(key="labelled_only").label == "Set 2 objects aside"
    at.button(key="labelled_only").click().run()
    config = at.session_state.run_config
    assert "are missing" not in words(at)
    made = Scene(config).ensemble
    assert (made.complete, made.n_objects) == (True, 28)
    table = labels_csv(np.zeros(28, int), rows=Scene(config).source.rows).decode().splitlines()
    assert [int(row.split(",")[0]) for row in table[1:]] == [n for n in range(30) if n not in (3, 7)]
    page = app("ensemble", data=gappy_pool, m="6", labelled="yes")
    assert "2 of 30 objects that miss a label are set aside." in words(page)
    page.button(key="all_objects").click().run()
    assert "2 labels are missing" in words(page)


def test_the_script_sets_the_same_objects_aside(gappy_pool, tmp_path):
    config, _ = from_query({"data": gappy_pool, "m": "6", "labelled": "yes", "method": "eac"})
    scope = executed(script_of(Scene(config.with_(k=3))), tmp_path)
    assert scope["ensemble"].fingerprint == Scene(config).ensemble.fingerprint


def test_rows_that_the_file_left_out_are_not_brought_back(app):
    """Only who was set aside by a button comes back by one."""
    for last, labelled, kept in ((b"1,1,1", "", [0, 1, 3, 4]), (b"1,1,", "yes", [0, 1, 3])):
        id = uploads.keep_file("runs.csv", b"0,0,1\n0,0,1\nx,1,0\n1,1,0\n" + last, "labels", "drop").id
        at = app("ensemble", data=id, m="3", k="2", method="eac", **({"labelled": labelled} if labelled else {}))
        assert Scene(at.session_state.run_config).source.rows.tolist() == kept
        assert ("all_objects" in [button.key for button in at.button]) == bool(labelled)


def test_places_in_a_saved_ensemble_are_those_of_page_and_script(tmp_path):
    labels = random_labels(12, 5, 3, seed=2)
    held = io.BytesIO()
    save_ensemble(Ensemble.from_labels(labels), held, rows=np.arange(12) * 2)
    (tmp_path / "made.npz").write_bytes(held.getvalue())
    config, _ = from_query({"data": uploads.keep_file("made.npz", held.getvalue(), "labels").id, "k": "3"})
    scene = Scene(config)
    assert labels_file(scene).decode().splitlines()[2].startswith("2,")
    executed(script_of(scene, beside(scene)), tmp_path)
    (written,) = tmp_path.glob("*.csv")
    assert written.read_bytes() == labels_file(scene)


def test_objects_are_not_set_aside_where_none_would_stay(app):
    id = uploads.keep_file("all.csv", b"0,,1\n,1,1\n1,1,\n0,0,\n", "labels").id
    at = app("consensus", data=id, m="3", k="2", method="got")
    assert "are missing" in words(at)
    assert "labelled_only" not in [button.key for button in at.button]


def test_why_names_the_base_clusterings_that_saw_both():
    config, _ = from_query(GAPPY)
    made = Scene(config).ensemble
    micro = made.microclusters
    lacking = np.flatnonzero((made.labels < 0).sum(axis=1) >= 2)
    pair = Pair(int(lacking[0]), int(lacking[1]), Scene(config))
    first, second = made.labels[micro.representatives[[pair.a, pair.b]]]
    both = (first >= 0) & (second >= 0)
    table = votes(pair)
    assert sorted(table["no."]) == (np.flatnonzero(both) + 1).tolist()
    assert table["together"].sum() == (first[both] == second[both]).sum()
    assert f"{both.sum()} of the 8 base clusterings saw both" in next(iter(of_votes(pair)))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("0,0,,1\n0,0,,1\n1,,0,0\n1,1,0,0\n", "All 3 base clusterings that saw both put them together"),
        ("0,,\n0,,\n1,0,1\n1,1,0\n", "The one base clustering that saw both puts them together"),
        ("0,0\n0,0\n1,1\n1,0\n", "All 2 base clusterings put them together"),
    ],
)
def test_what_nothing_can_part_is_told_also_where_labels_are_missing(rows, said):
    id = uploads.keep_file("gaps.csv", rows.encode(), "labels").id
    text = " ".join(item for item in of_votes(Pair(0, 1, scene_of(data=id, k="2"))) if isinstance(item, str))
    assert f"{said}: they share a *microcluster*" in text
    assert ("no label for one of them, or for both" in text) == ("saw both" in said)


def test_what_was_lent_to_those_that_are_off_is_not_counted(gappy_pool):
    query = {"data": gappy_pool, "m": "6", "k": "3", "lend": "yes"}
    assert scene_of(**query).ensemble.provenance["completed"] == 2
    assert scene_of(**query, switched_off="1.2").ensemble.provenance["completed"] == 1
    assert scene_of(**query, switched_off="0.1.2").ensemble.provenance["completed"] == 0


def test_missing_labels_stay_grey_when_others_are_renamed():
    labels = np.array([1, 1, 0, -1, 0])
    colors = alike(labels, np.array([0, 0, 1, 1, -1]))
    assert painted(labels, colors).tolist() == [0, 0, 1, -1, 1]
    assert alike(np.array([1, 1, 0]), np.array([0, 0, 1])).tolist() == [1, 0]


@pytest.mark.parametrize("compared", ["settings", "methods"])
def test_without_classes_studies_score_internally_and_say_so(app, compared, monkeypatch):
    monkeypatch.setattr(sweeps, "without_classes", lambda names: [*names])
    monkeypatch.setattr(data_sets, "numbered", lambda source: None)
    monkeypatch.setattr(study_panel, "_SOURCES", Kept(32))  # what stands there afterwards has classes again
    asked = {"sets": "wine", "methods": "eac,lwea", "x": "theta:0.2,0.8"}
    at = app("compare", compared=compared, data="wine", m="6", k="3", draws="2", **asked)
    assert at.selectbox(key="internal").value == "margin"
    assert (at.session_state.run_config.policy, at.selectbox(key="policy").value) == ("true", "page")
    assert "as many as classes" not in at.selectbox(key="policy").options
    if compared == "settings":
        assert "internal" in words(at)


SIMILAR_CLUSTERS = ("wct", "wtq", "srs", "asrs", "ecpcs")


def test_similarity_of_clusters_is_offered_and_answered_only_where_no_label_is_missing(app):
    """A missing label has no cluster: it had been looked up as the last of all."""
    scene = scene_of(**GAPPY)
    assert set(scene_of(data="iris", m="8").matrix_titles) - set(scene.matrix_titles) == set(SIMILAR_CLUSTERS)
    for key in SIMILAR_CLUSTERS:
        one = pair_evidence()[key]
        with pytest.raises(MissingEvidenceError, match="Co-association takes them as they are"):
            one.matrix(scene.ensemble, one.params(), SILENT)
        with pytest.raises(MissingEvidenceError, match="Co-association takes them as they are"):
            one.value(scene.ensemble, one.params(), 0, 1)
    at = app("matrices", **GAPPY, left="wct")
    assert at.session_state.run_config.left == "ca"
    told = "; ".join(values(Pair(0, 1, scene)))
    assert pair_evidence()["ca"].title in told
    assert not any(pair_evidence()[key].title in told for key in SIMILAR_CLUSTERS)
