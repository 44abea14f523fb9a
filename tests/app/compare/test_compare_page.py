"""Compare: tables, reports, answers on one ensemble, and the page."""

import csv
import io
import json
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.offline
import pytest

import data
from engine import __version__, consensus_methods, metrics, run_consensus
from engine.generators import kmeans_ensemble
from engine.monitor import SILENT
from engine.studies.files import read_study, write_study
from engine.studies.records import Record, record_of
from engine.tables import as_csv, labels_csv
from tests.app.conftest import finished, words
from ui import outside
from ui.compare import comparing, panels, results
from ui.compute import uploads
from ui.figures import line_figure
from ui.pictures import drawn
from ui.scene import Scene
from ui.scene.methods import Answers, two_methods
from ui.session.bound import DRAWN_WITHIN
from ui.session.run_config import RunConfig, from_query
from ui.session.settings import settings
from ui.session.state import user
from ui.studies import score_tables, study_panel, sweeps
from ui.widgets import progress

SMALL = RunConfig(data="iris", m=8, methods=("eac", "lwea", "lwgp"), sets=("iris", "wine", "moons"), draws=3)


def test_the_state_is_in_the_url():
    config = RunConfig(methods=("got", "eac"), sets=("pools/a.b", "iris"), draws=9, policy="best", flow=("got", "eac"))
    assert from_query(config.to_query()) == (config, [])
    read, (problem,) = from_query({"methods": "eac,magic"})
    assert read.methods == RunConfig().methods
    assert problem.startswith(f"methods=eac,magic: must be one of {', '.join([*consensus_methods()][:8])} and ")


def test_scores_stand_where_they_belong():
    study = comparing.study(SMALL)
    found = [
        Record("a", "wine", "lwea", "{}", 8, 2, 9, 3, {"nmi_max": 0.5}, seconds=2.0),
        Record("b", "iris", "eac", "{}", 8, 0, 7, error="x"),
    ]
    table = comparing.scores(study, found, "nmi_max")
    assert table.shape == (3, 3, 3)
    assert table[1, 1, 2] == 0.5
    assert np.isfinite(table).sum() == 1
    assert comparing.scores(study, found, "seconds")[1, 1, 2] == 2.0


def test_the_best_and_the_tied_are_marked():
    scores = np.array([[[0.9, 0.91, 0.89]], [[0.9, 0.905, 0.892]], [[0.1, 0.12, 0.11]], [[np.nan] * 3]])
    (a,), (b,), (c,), (d,) = score_tables.cells(scores)
    assert (a.best, b.tied, c.tied, d.text) == (True, True, False, "–")
    assert a.text == "0.900 ± 0.010"


def test_all_that_prints_as_the_best_is_bold():
    scores = np.array([[[0.9001, 0.9]], [[0.8999, 0.9]], [[0.89, 0.89]]])
    (a,), (b,), (c,) = score_tables.cells(scores)
    assert (a.best, b.best, c.best) == (True, True, False)
    assert (a.tied, b.tied) == (False, False)


def test_without_any_score_none_is_the_best():
    assert not any(row[0].best or row[0].tied for row in score_tables.cells(np.full((2, 1, 3), np.nan)))


def test_tables_in_three_languages():
    rows = score_tables.cells(np.array([[[0.9, 0.9]], [[0.1, 0.1]]]))
    names, sets = ["A_1", "B"], ["<wine> & more"]
    assert "| **A\\_1** | **0.900\xa0±\xa00.000** |" in score_tables.as_markdown(rows, names, sets)
    assert "<b>0.900 ± 0.000</b>" in score_tables.as_html(rows, names, sets)
    assert "&lt;wine&gt;" in score_tables.as_html(rows, names, sets)
    latex = score_tables.as_latex(rows, names, sets, "NMI")
    assert r"A\_1 & $\mathbf{0.900} \pm 0.000$ \\" in latex
    assert r"<wine> \& more" in latex
    assert "a_b ± 0; underlined: tied" in score_tables.as_latex(rows, names, sets, "a_b ± 0; ≈: tied").split("\n")[0]
    tied = score_tables.cells(np.array([[[0.9, 0.91, 0.89]], [[0.9, 0.905, 0.892]]]))
    assert r"\underline{0.899}" in score_tables.as_latex(tied, names, ["50 %, $x$"], "NMI")
    named = r"& 50 \%, \$x\$ \& \#\{\} \textasciitilde{}\textasciicircum{}\textbackslash{}y \\"
    assert named in score_tables.as_latex(tied, names, ["50 %, $x$ & #{} ~^\\y"], "NMI")


@pytest.mark.parametrize("own", ["[2em] mine", "*mine"])
def test_no_heading_of_a_row_is_an_option_of_what_stands_above(own):
    rows = score_tables.cells(np.full((2, 1, 2), 0.5))
    lines = score_tables.as_latex(rows, ["EAC", own], ["wine"], "NMI").splitlines()
    assert any(line.startswith("{}" + own) for line in lines)


def test_the_table_of_scores_says_how_every_score_was_found():
    study = comparing.study(SMALL.with_(sets=("wine",), methods=("ec_cms", "eac"), draws=2, policy="best"))
    tasks = study_panel.tasks(study)
    found = [record_of(task, k=3 + task.repeat, ari=0.9 - 0.8 * (task.method == "eac")) for task in tasks]
    rows = score_tables.cells(comparing.scores(study, found, "ari"))
    found.append(record_of(tasks[0], error="x"))  # without a k
    shown, titles = [*rows, *rows[:1]], ["EC-CMS", "EAC", "=mine"]
    text = score_tables.as_csv(shown, titles, study, ["<wine>, red"], found, "ARI", "the best")
    first, second, own = csv.DictReader(io.StringIO(text))
    assert (own["method"], own["mean"], own["k"], own["k_policy"]) == ("'=mine", "0.9", "", "")
    assert list(first) == [
        "method",
        "dataset",
        "measure",
        "mean",
        "sd",
        "best",
        "tied",
        "draws",
        "k_policy",
        "params",
        "n_clusterings",
        "k",
        "generator",
        "version",
    ]
    assert (first["method"], first["dataset"]) == ("EC-CMS", "<wine>, red")
    assert (first["mean"], first["sd"], first["best"], first["tied"]) == ("0.9", "0.0", "True", "False")
    assert (second["mean"], second["best"], second["draws"]) == (str(0.9 - 0.8), "False", "2")
    assert json.loads(first["params"]) == study.settings("ec_cms")[0].as_dict()
    assert (first["k"], first["n_clusterings"], first["version"]) == ("3, 4", "8", __version__)
    assert json.loads(second["generator"])["generator"] == "kmeans"


def test_a_report_stands_alone():
    figure = line_figure([1, 2], {"a": [0, 1]}, "light", x_name="x", y_name="y")
    made = results.report(
        "T <1>",
        ["words & more"],
        "<table></table>",
        [("one", figure, "p < 1"), ("two", figure, "")],
        [("of pairs", pd.DataFrame([["", "2 / 1 / 0"], ["0 / 1 / 2", ""]], ["<a>", "b"], ["<a>", "b"]))],
        "k = 1 < 2",
        'a,"b"',
    )
    text = made.decode()
    assert text.startswith("<!doctype html>")
    assert "T &lt;1&gt;" in text
    assert "words &amp; more" in text
    assert "<table></table>" in text
    assert "<pre>k = 1 &lt; 2</pre>" in text
    assert "<p>of pairs.</p>" in text
    assert "2 / 1 / 0" in text
    assert "&lt;a&gt;" in text
    assert "<pre>a,&#34;b&#34;</pre>" in text
    assert f"Concord {__version__}" in text
    assert text.count("<p>p &lt; 1</p>") == 1
    drawn = text[text.index("<h2>one") :]
    assert drawn.index("<h2>one</h2>") < drawn.index("Plotly.newPlot") < drawn.index("<h2>two</h2>")
    assert len(text) < 1.5 * len(plotly.offline.get_plotlyjs())  # the library is there once
    assert 'src="http' not in text


def test_answers_are_those_of_every_method():
    found = Scene(SMALL.with_(methods=("eac", "lwea", "wspa"))).answers
    assert list(found.labels) == ["eac", "lwea"]
    assert "soft memberships" in found.reasons["WSPA"]
    agreement = found.agreement
    np.testing.assert_allclose(np.diag(agreement), 1)
    assert agreement[0, 1] == metrics.nmi(found.labels["eac"], found.labels["lwea"], "max")


def own_file(columns, name="mine.csv"):
    """A file of own labels that was brought, and its id."""
    file = uploads.File(name, as_csv(columns))
    return panels.taken(file, user(), SILENT)


def test_own_labels_stand_beside_the_methods_by_the_name_of_their_column():
    truth = data.load("iris").labels
    own = own_file({"object": list(range(150)), "label": truth.tolist(), "EAC": [0, 1] * 75, "gaps": [""] + [1] * 149})
    scene = Scene(SMALL.with_(own=own))
    found = scene.answers
    assert found.titles() == ["EAC", "LWEA", "LWGP", "label", "EAC (own)"]
    assert scene.score(found.labels["own1"]) == 1
    assert found.labels["own2"].tolist() == [0, 1] * 75
    assert found.reasons == {"gaps": "it has no label for 1 object"}
    alone = Scene(SMALL).answers
    assert all((found.labels[key] == labels).all() for key, labels in alone.labels.items())
    beside_wine = Scene(SMALL.with_(data="wine").with_(own=own)).answers
    assert beside_wine.reasons == {"mine": "it has 150 rows, and there are 178 objects"}
    assert SMALL.with_(own=own).with_(data="wine").own == ""


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([f"f{i}" for i in range(29, -1, -1)], ""),
        ([f"f{i}" for i in range(35, -1, -1)], ""),
        ([f"bottle {i}" for i in range(30)], ""),
        ([f"f{i + 5}" for i in range(30)], "it names 25 of the 30 objects"),
    ],
)
def test_own_labels_are_matched_by_name_where_both_name_the_objects(names, reason):
    """And by rows where no name is known."""
    flowers = "".join(f"f{i},{i % 3 * 5 + i % 2},{i}\n" for i in range(30))
    held = uploads.keep_file("flowers.csv", f"id,a,b\n{flowers}".encode(), "features").id
    own = own_file({"id": names, "mine": [int(name.split()[-1].strip("f")) % 3 for name in names]})
    found = Scene(SMALL.with_(data=held).with_(own=own)).own_answers
    assert list(found.reasons.values()) == [reason] * bool(reason)
    if not reason:
        assert found.labels["own1"].tolist() == [i % 3 for i in range(30)]


@pytest.mark.parametrize("support", [0.5, 1])
def test_the_file_of_labels_that_a_page_gives_away_stands_beside_the_methods(support):
    truth = data.load("iris").labels
    names = None if support == 1 else [f"flower {i}" for i in range(150)]
    given = labels_csv(truth, {"support": np.full(150, support), "margin": np.ones(150)}, None, names)
    found = Scene(SMALL.with_(own=panels.taken(uploads.File("iris_k3.csv", given), user(), SILENT))).answers
    assert found.titles() == ["EAC", "LWEA", "LWGP", "label"]
    assert found.reasons == {}


def test_own_labels_are_scored_on_the_objects_of_the_study(app):
    labels = np.column_stack([np.repeat([0, 1, 2], 8)] * 3)
    labels[[0, 9, 10, 20], [0, 1, 2, 0]] = -1
    table = {
        name: ["" if one < 0 else one for one in column] for name, column in zip("abc", labels.T.tolist(), strict=True)
    }
    gaps = uploads.keep_file("gaps.csv", as_csv(table | {"class": np.repeat([0, 1, 2], 8).tolist()}), "labels").id
    own = own_file({"mine": [i // 8 if (labels[i] >= 0).all() else 3 for i in range(24)]})
    asked = SMALL.with_(data=gaps).with_(own=own, sets=(gaps,), labelled=True)
    names, [[cell]] = comparing.own_rows(Scene(asked), comparing.study(asked))
    assert names == ["mine"]
    whole = Scene(asked.with_(labelled=False))
    assert cell.mean == whole.score(whole.own_answers.labels["own1"]) < 1
    at = app("compare", **asked.to_query())
    assert "Studies take data as they are: no object is set aside there." in words(at)
    off = asked.with_(labelled=False, lend=True, switched_off=(1,))
    assert "no label is lent, no base clustering is switched off there." in words(app("compare", **off.to_query()))


def test_own_answers_among_the_columns_of_the_data_do_the_same():
    content = as_csv({"a": [i % 7 for i in range(30)], "mine": [i % 3 for i in range(30)]})
    sheet = uploads.sheet(uploads.File("a.csv", content), "features")
    roles = {1: "answer"}
    name = uploads.keep(sheet, uploads.columns(sheet, roles), roles=roles).id
    scene = Scene(RunConfig(data=name, m=4, k=2, methods=("eac",)))
    assert scene.answers.titles() == ["EAC", "mine"]
    assert scene.answers.labels["own1"].tolist() == [i % 3 for i in range(30)]
    assert scene.features.shape == (30, 1)


@pytest.mark.long
def test_the_table_has_own_labels_without_draws(app, query):
    truth = data.load("iris").labels
    name = "m*i*ne <b>q</b>"
    own = own_file({name: truth.tolist(), "flat": [0] * 150})
    finished(comparing.study(SMALL))
    at = app("compare", **query, own=own, flow="own1,eac")
    text = words(at)
    assert f"| **{outside.markdown(name)}** | 1.000 | – | – |" in text
    assert "no part in marks, ranks and tests" in text
    _, cells = comparing.own_rows(Scene(SMALL.with_(own=own)), comparing.study(SMALL))
    assert [cell.draws for cell in cells[0]] == [1, 0, 0]
    assert at.selectbox(key="flow_0").value == "own1"
    assert not at.exception
    assert "<b>q" not in str(drawn("method_agreement", Scene(SMALL.with_(own=own)), "light"))
    at.button(key="no_own").click().run()
    assert "no part in marks" not in words(at)


def test_a_file_of_own_labels_is_brought_on_the_page(app, query, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 30)
    at = app("compare", **query)
    content = as_csv({"mine": data.load("iris").labels.tolist()})
    at.file_uploader(key="own_file").set_value(("mine.csv", content, "text/csv")).run()
    assert at.session_state.run_config.own
    assert "mine" in at.selectbox(key="flow_0").options
    at.sidebar.selectbox(key="data").set_value("wine").run()
    assert "mine" not in at.selectbox(key="flow_0").options
    at.sidebar.selectbox(key="data").set_value("iris").run()
    assert "mine" in at.selectbox(key="flow_0").options
    at.button(key="no_own").click().run()
    assert at.session_state.run_config.own == ""
    assert "mine" not in at.selectbox(key="flow_0").options


def test_the_pair_that_is_looked_at_first_differs_most():
    """Two methods that say the same would show nothing."""
    one = np.repeat([0, 1, 2], 10)
    near = np.where(np.arange(30) == 4, 1, one)
    found = Answers({"eac": one, "lwea": one, "wea": near, "got": np.arange(30) % 3}, {})
    assert "got" in two_methods(found, ())
    two = Answers({"eac": one, "lwea": one, "got": near}, {})
    assert two_methods(two, ()) == ("eac", "got")
    assert two_methods(found, ("lwea", "eac")) == ("lwea", "eac")
    assert two_methods(found, ("lwea",)) == ("lwea", "got")
    same = Answers({"eac": one, "lwea": one}, {})
    assert two_methods(same, ()) == ("eac", "lwea")


def test_the_method_of_the_session_answers_with_its_parameters():
    config = SMALL.with_(data="wine", method="lwea", theta=0.05)
    made, found = Scene(config).ensemble, Scene(config).answers
    own = run_consensus("lwea", made, 3, {"theta": 0.05}, config.seed).labels
    assert found.labels["lwea"].tolist() == own.tolist()
    assert own.tolist() != run_consensus("lwea", made, 3, None, config.seed).labels.tolist()


def test_a_study_file_sets_the_page():
    study = comparing.study(SMALL.with_(policy="best", seed=3))
    assert comparing.study(comparing.taken_over(RunConfig(), read_study(write_study(study)))) == study
    one_theta = {method: {"theta": (0.1,)} for method in study.methods if method != "eac"}
    set_by_hand = replace(study, grid=one_theta)
    assert comparing.study(comparing.taken_over(RunConfig(), set_by_hand)) == set_by_hand
    two_thetas = replace(study, grid={**one_theta, "lwea": {"theta": (0.2,)}})
    taken = comparing.study(comparing.taken_over(RunConfig(), two_thetas))
    assert study_panel.left_out(two_thetas, taken) == ["parameters"]


@pytest.fixture
def query():
    return {"data": "iris", "m": "8", "methods": "eac,lwea,lwgp", "sets": "iris,wine,moons", "draws": "3"}


def test_the_page_shows_a_comparison(app, query):
    at = app("compare", **query)
    assert at.button(key="run_study").label == "Run 27 tasks"
    finished(comparing.study(SMALL))
    at.run()
    text = words(at)
    assert "| **LWEA** |" in text
    assert "Friedman's test" in text
    assert "mean ± sd over 3 draws" in text
    assert not at.error


def test_few_data_sets_have_no_ranks(app, query):
    finished(comparing.study(SMALL.with_(sets=("iris",))))
    at = app("compare", **{**query, "sets": "iris"})
    assert "Paired differences, draw by draw" in words(at)
    assert "Wilcoxon" not in words(at)
    assert "One data set tells nothing of others" in words(at)


def test_draws_from_ones_own_labels_differ_and_the_table_says_how_they_are_taken(app):
    labels = kmeans_ensemble(data.load("wine").features, 12, seed=2).labels
    rows = np.column_stack([labels, np.asarray(data.load("wine").labels)])
    text = "\n".join(
        [",".join([*(f"c{m}" for m in range(12)), "class"]), *(",".join(map(str, r)) for r in rows.tolist())]
    )
    name = uploads.keep_file("own.csv", text.encode(), "labels").id
    config = RunConfig(data=name, methods=("lwea", "eac"), sets=(name,), draws=4)
    study = comparing.study(config)
    assert study.n_clusterings == (12,)
    finished(study)
    query = {"data": name, "methods": "lwea,eac", "sets": name, "draws": "4"}
    at = app("compare", **query)
    assert "each draw takes 12 with replacement" in words(at)
    assert "± 0.000" not in words(at)
    fewer = comparing.study(config.with_(m=6))
    assert "6 without replacement" in sweeps.drawn(fewer)


def test_nothing_chosen_is_no_failure(app, query):
    at = app("compare", **query)
    at.multiselect(key="methods").set_value([]).run()
    assert "Choose at least one method" in words(at)
    at.multiselect(key="methods").set_value(["eac", "got"]).run()
    assert at.query_params["methods"] == "eac,got"


def test_the_flow_is_chosen_and_kept(app, query):
    at = app("compare", **query)
    first, second = (at.selectbox(key=f"flow_{place}") for place in (0, 1))
    other = next(key for key in at.session_state.run_config.methods if key not in (first.value, second.value))
    first.set_value(other).run()
    assert at.query_params["flow"] == f"{other},{second.value}"
    assert not at.exception


def test_a_set_that_is_not_there_is_named(app, query):
    at = app("compare", **{**query, "sets": "iris,nowhere"})
    assert "nowhere" in words(at)
    assert not at.exception


def test_words_on_draws_count_those_that_have_scores(app, query):
    """Of LWGP four of ten draws have a score: the others are no part of a difference, nor of who leads."""
    config = RunConfig(data="wine", m=8, methods=("lwea", "lwgp"), sets=("wine",), draws=10)
    study = comparing.study(config)
    for task in study_panel.tasks(study):
        lwgp, late = task.method == "lwgp", task.repeat >= 4
        value = 0.5 if lwgp else (0.9 if late else 0.4)
        found = {"error": "TooLargeError: x"} if lwgp and late else {"k": 3, "nmi_max": value}
        study_panel.store().add([record_of(task, **found)])
    text = words(app("compare", data="wine", m="8", methods="lwea,lwgp", sets="wine", draws="10"))
    assert "mean ± sd over 4 draws, without 6 that some method has not answered" in text
    assert ("**0.500" in text, "| 0.400" in text, "0.700" in text) == (True, True, False)  # .7 over all ten of LWEA
    assert "Mean difference on the same 4 draws" in text
    assert "behind LWGP?" in text


def test_data_without_classes_leave_the_choice_of_k_as_it_was(app):
    own = uploads.keep_file("plain.csv", as_csv({"a": range(30), "b": [i * i % 7 for i in range(30)]}), "features").id
    query = {"m": "4", "methods": "eac,lwea", "sets": f"{own},moons", "k": "5", "policy": "best"}
    at = app("compare", data=own, **query)
    policy = at.selectbox(key="policy")
    assert (policy.value, policy.options[0]) == ("page", "as on the pages")
    assert "k = 5 for every data set." in words(at)
    assert "No classes are known of plain.csv. The score is *internal*" in words(at)
    at.slider(key="draws").set_value(4).run()
    assert (at.query_params["policy"], at.query_params["draws"]) == ("best", "4")
    at.multiselect(key="sets").set_value(["moons"]).run()
    assert at.selectbox(key="policy").value == "best"
    assert "No classes are known" not in words(at)
    begun = app("compare", data="moons", m="4", methods="eac,lwea", sets="moons", k="5", policy="lifetime")
    begun.selectbox(key="policy").set_value("best").run()
    begun.session_state.run_config = begun.session_state.run_config.with_(sets=(own, "moons"))
    assert begun.run().selectbox(key="policy").value == "page"  # what is taken, not what the link had begun with


def test_more_clusters_than_there_can_be_are_said_to_be_fewer(app):
    at = app("compare", data="iris", m="2", methods="eac,lwea", k="140")
    made = Scene(at.session_state.run_config).ensemble
    assert f"k = 140 was asked for, but only {len(made.microclusters)} groups of objects can be told apart" in words(at)


def test_tasks_that_all_fail_make_no_table(app):
    config = RunConfig(data="iris", m=4, k=149, policy="page", methods=("eac", "lwea"), sets=("iris",), draws=2)
    finished(comparing.study(config))
    at = app("compare", **config.to_query())
    text = words(at)
    assert "None of the tasks that were run came to a score." in text
    assert "± sd" not in text
    assert "**EAC, LWEA on Iris** (4 tasks): n\\_clusters must be at most" in text


def test_the_data_of_the_sidebar_are_compared_until_a_hand_says_otherwise(app):
    at = app("compare", data="circles", m="6", methods="eac,lwea", draws="2")
    usual = list(settings()["sets"].default)
    assert at.multiselect(key="sets").value == ["circles", *usual]
    at.session_state.run_config = at.session_state.run_config.with_(sets=tuple(usual))  # as after Back, and here again
    assert at.run().multiselect(key="sets").value == ["circles", *usual]
    at.selectbox(key="data").set_value("two_gaussian").run()
    assert at.run().multiselect(key="sets").value == ["two_gaussian", *usual]
    at.selectbox(key="data").set_value("wine").run()
    assert at.run().multiselect(key="sets").value == usual
    at.selectbox(key="data").set_value("circles").run()
    time.sleep(DRAWN_WITHIN)  # nobody is faster
    at.multiselect(key="sets").set_value(usual).run()
    assert at.run().multiselect(key="sets").value == usual
