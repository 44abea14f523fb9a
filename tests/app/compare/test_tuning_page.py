"""Tuning: axes from URLs, the study they come to, its records as a table, and the page."""

from dataclasses import replace

import numpy as np
import pytest

from data import DataError
from data.roles import columns_of
from engine import consensus_methods
from engine.choosing_method import ChosenSetting, choose_setting, tuning_losses
from engine.studies.files import read_study, write_study
from engine.studies.records import Record, record_of
from engine.studies.store import Store, StoreError, default_path
from engine.studies.study import BEST_UP_TO, Study
from tests.app.compute.test_jobs import until
from tests.app.conftest import finished, words
from ui.compare import comparing
from ui.compute import uploads
from ui.scene import Scene
from ui.session.run_config import RunConfig, from_query
from ui.studies import policies, study_panel, sweeps, tuning_panels
from ui.widgets import progress


def test_an_axis_comes_back_from_the_url():
    config = RunConfig(method="pta", x="T:1,2,4", y="linkage:average,single")
    first, second = sweeps.asked(config)
    assert (first.values, second.values) == ((1, 2, 4), ("average", "single"))
    assert first.text == "T:1,2,4"
    assert from_query(config.to_query()) == (config, [])
    assert sweeps.read("K:auto,5", "pta").values == (None, 5)


@pytest.mark.parametrize("text", ["", "nothing:1,2", "theta:-1,0", "theta:x"])
def test_what_a_method_lacks_falls_back(text):
    first, second = sweeps.asked(RunConfig(x=text))
    assert first.name == "theta"
    assert len(first.values) > 3
    assert second is None


def test_a_range_becomes_values():
    specs = sweeps.candidates("lwea")
    assert specs["theta"].kind.ladder(0.1, 1.6, 5) == (0.1, 0.2, 0.4, 0.8, 1.6)
    assert specs["k"].kind.ladder(2, 6, 5) == (2, 3, 4, 5, 6)
    assert specs["k"].kind.ladder(2, 3, 9) == (2, 3)


def test_one_parameter_is_no_second_axis_beside_itself():
    assert sweeps.asked(RunConfig(method="pta", x="T:1,2", y="T:3,4"))[1] is None


def test_a_record_stands_at_the_k_that_was_asked_for_whatever_was_found():
    config = RunConfig(data="iris", method="lwea", x="k:2,4", draws=1)
    found = [Record("", "iris", "lwea", "{}", 20, 0, 0, 3, {"nmi_max": k / 10}, k_asked=str(k)) for k in (2, 4)]
    found.append(Record("", "iris", "lwea", "{}", 20, 1, 0, 4, {"nmi_max": 0.9}))  # of another draw, from before
    table = sweeps.scores(config.with_(draws=2), found)[:, 0]  # k = 2, 3 (the classes), 4
    np.testing.assert_array_equal(table, [[0.2, np.nan], [np.nan, np.nan], [0.4, 0.9]])


def test_a_study_file_sets_only_what_it_holds_at_one_value():
    file = Study(("wine",), ("lwea",), n_clusterings=(5, 8), grid={"lwea": {"theta": (0.2, 0.4)}})
    taken = sweeps.taken_over(RunConfig(), file)
    assert taken.method_params.theta == 0.4  # the present value is among those swept
    assert taken.m == 8


def test_the_present_value_is_always_among_the_values():
    config = RunConfig(x="theta:0.1,1.0", theta=0.3)
    assert sweeps.axes(config)[0].values == (0.1, 0.3, 1.0)
    assert sweeps.axes(RunConfig(method="pta", x="K:3,5"))[0].values == (None, 3, 5)
    assert sweeps.asked(config)[0].values == (0.1, 1.0)


def test_the_study_holds_axes_and_fixed_parameters():
    config = RunConfig(data="iris", method="ec_cms", x="M:5,10", y="alpha:0.7,0.9", m=8, lam=0.01)
    made = sweeps.study(config)
    assert made.n_clusterings == (5, 8, 10)
    defaults = {spec.name: (spec.default,) for spec in consensus_methods()["ec_cms"].params.specs()}
    assert made.grid == {"ec_cms": defaults | {"lam": (0.01,), "alpha": (0.7, 0.8, 0.9)}}
    assert sweeps.study(RunConfig(data="iris", x="k:2,3,4")).k == (2, 3, 4)
    assert sweeps.study(RunConfig(data="iris", policy="page", k=5)).k == (5,)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"generator": "subspaces", "feature_fraction": 0.3},
        {"init": "k-means++", "n_init": 3},
        {"k_range": (3, 4)},
        {"generator": "lac", "inverse_h": (0.5, 20.0)},
        {"generator": "lac", "lac_k": 5},
        {"scaling": "none", "seed": 3},
    ],
)
def test_the_first_draw_is_the_ensemble_of_the_other_pages(fields):
    config = RunConfig(data="wine", m=6, **fields)
    for made in (sweeps.study(config), comparing.study(config.with_(sets=("wine",)))):
        first = study_panel.sources(made)["wine"].ensemble(made.recipe, 6, made.seed)
        assert (first.labels == Scene(config).ensemble.labels).all()
        taken = RunConfig(data="wine").with_(**sweeps.common_fields(read_study(write_study(made))))
        assert taken.recipe == made.recipe


def test_records_find_their_cells():
    config = RunConfig(data="iris", x="theta:0.1,0.4", y="M:5,20", draws=2)

    def record(theta, m, repeat, score):
        return Record("key", "iris", "lwea", f'{{"theta": {theta}}}', m, repeat, repeat, 3, {"nmi_max": score})

    table = sweeps.scores(
        config, [record(0.1, 5, 0, 0.5), record(0.4, 20, 1, 0.75), record(0.9, 5, 0, 1.0), record(0.1, 5, 2, 0.1)]
    )
    assert table.shape == (2, 2, 2)
    assert (table[0, 0, 0], table[1, 1, 1]) == (0.5, 0.75)
    assert np.isnan(table).sum() == 6


def test_a_cell_is_loaded_everywhere():
    config = RunConfig(method="pta", x="T:1,9", y="M:5,20")
    moved = sweeps.moved_to(config, list(zip(sweeps.asked(config), (1, 0), strict=True)))
    assert (moved.method_params.T, moved.m) == (9, 5)


def test_a_study_file_sets_the_page():
    config = RunConfig(data="wine", method="pta", x="K:3,5", y="T:2,4", draws=4, seed=3, m=12, policy="best")
    again = sweeps.taken_over(RunConfig(), read_study(write_study(sweeps.study(config))))
    assert sweeps.study(again) == sweeps.study(config)
    file = Study(("wine",), ("lwea",), grid={"lwea": {"theta": (1.0, 2.0)}})  # not the page's present value
    assert sweeps.study(sweeps.taken_over(RunConfig(), file)).settings("lwea") == file.settings("lwea")


PLANTS = b"w,h,site\n" + b"".join(f"{i % 7},{i // 10 * 5 + i % 3},{'ab'[i // 20]}\n".encode() for i in range(40))


def brought(**roles):
    sheet = uploads.sheet(uploads.File("plants.csv", PLANTS), "features")
    given = {int(place): role for place, role in roles.items()}
    return uploads.keep(sheet, columns_of(sheet.table, "features", given), "refuse", given)


def test_a_study_leaves_with_the_file_that_was_brought_and_comes_back_to_it():
    plain, less = brought(), brought(**{"0": "ignore"})
    study = Study((plain.id, "iris", less.id), ("eac",), n_clusterings=(5,))
    told, called = study_panel.shared(study)
    assert told.datasets == ("plants.csv", "iris", "plants.csv (2)")
    assert called == {plain.id: "plants.csv", less.id: "plants.csv (2)"}
    assert "upload-" not in write_study(told)
    rows = [record_of(task) for task in study_panel.tasks(study)]
    whole, records, needed = study_panel.told(study, rows)
    assert (whole, needed) == (told, ["plants.csv", "plants.csv (2)"])
    assert {record.dataset for record in records} == set(told.datasets)
    assert study_panel.with_uploads(read_study(write_study(told))) == study
    unlike = Study(("plants.csv",), ("eac",), files={"plants.csv": {"kind": "labels"}})
    with pytest.raises(DataError, match="plants.csv is here, but read in another way"):
        study_panel.with_uploads(unlike)


def test_a_study_of_a_file_asks_for_it_where_it_was_not_uploaded(app):
    text = write_study(Study(("nowhere.csv",), ("lwea",), files={"nowhere.csv": {"kind": "features"}}))
    at = app("compare", compared="settings", data="iris", m="5")
    at.file_uploader(key="study_file").set_value(("study.toml", text.encode(), "application/toml")).run()
    assert "nowhere.csv is not here. Upload it on the page Data" in words(at)


@pytest.mark.parametrize(("name", "content"), [("book.xlsx", b"PK\x03\x04\x00"), ("labels.csv", b"a,b\n1,2\n")])
def test_a_file_that_is_no_study_is_refused_in_the_words_of_reading(app, name, content):
    at = app("compare", compared="settings", data="iris", m="5")
    given = at.file_uploader(key="study_file")
    assert not given.proto.type  # the widget would name its own list of endings, and nothing else
    given.set_value((name, content, "")).run()
    assert "not valid TOML" in words(at)


def test_records_and_hint_name_the_file_of_an_upload(app):
    upload = brought()
    at = app("compare", compared="settings", data=upload.id, m="5", x="theta:0.2,0.4", draws="2", k="2")
    assert not at.exception
    button = next(one for one in at.get("download_button") if one.key == "get_study")
    assert "with plants.csv beside it: concord study run LWEA_on_plants.csv.toml" in button.proto.help
    study = sweeps.study(at.session_state.run_config)
    assert study.name == "LWEA on plants.csv"


def test_a_page_says_what_it_leaves_out_of_a_study_file(app):
    wide = Study(("wine", "iris"), ("lwea", "pta"), n_clusterings=(5, 8), grid={"pta": {"T": (2, 3)}})
    assert study_panel.left_out(wide, sweeps.study(sweeps.taken_over(RunConfig(), wide))) == ["data sets", "methods"]
    assert study_panel.left_out(wide, comparing.study(comparing.taken_over(RunConfig(), wide))) == [
        "numbers of base clusterings",
        "parameters",
    ]
    at = app("compare", compared="settings", data="iris", draws="2")
    at.file_uploader(key="study_file").set_value(("wide.toml", write_study(wide).encode(), "application/toml")).run()
    assert "it changes: data sets, methods" in words(at)
    at.button(key="use_study").click().run()
    assert at.session_state.run_config.data == "wine"
    assert at.session_state.run_config.x == "M:5,8"
    unknown = write_study(replace(wide, datasets=("nowhere",))).encode()
    at.file_uploader(key="study_file").set_value(("wide.toml", unknown, "application/toml")).run()
    assert "nowhere" in words(at)
    assert "use_study" not in {button.key for button in at.button}
    odd = write_study(replace(wide, scaling="log")).encode()
    at.file_uploader(key="study_file").set_value(("odd.toml", odd, "application/toml")).run()
    assert "scaling must be one of standard, minmax, none" in words(at).lower()
    assert "use_study" not in {button.key for button in at.button}


@pytest.mark.parametrize(
    ("present", "told"),
    [([0.51, 0.5, 0.52], "worse by a paired t-test"), ([0.99, 0.8, 0.9], "no sure difference")],
)
def test_the_present_setting_is_told_from_the_best_only_where_the_draws_do(app, present, told):
    config = RunConfig(data="iris", x="theta:0.1,0.2,0.4", draws=3)
    scores = {0.1: [0.999], 0.2: [0.92, 0.91, 0.915], 0.4: present}  # the first has one draw only: not yet to be judged
    for task in study_panel.tasks(sweeps.study(config)):
        known = scores[task.setting.theta]
        if task.repeat < len(known):
            study_panel.store().add([record_of(task, k=3, nmi_max=known[task.repeat])])
    text = words(app("compare", compared="settings", data="iris", x="theta:0.1,0.2,0.4", draws="3"))
    assert "Best of the 2 of 3 settings that have all scores over 3 draws: **0.915** (sd 0.005) at θ = 0.2." in text
    assert told in text


def test_settings_that_all_score_the_same_have_no_best(app):
    config = RunConfig(data="iris", x="theta:0.1,0.2,0.4", draws=2)
    for task in study_panel.tasks(sweeps.study(config)):
        study_panel.store().add([record_of(task, k=3, nmi_max=[0.85, 0.87][task.repeat])])
    text = words(app("compare", compared="settings", data="iris", x="theta:0.1,0.2,0.4", draws="2"))
    assert "Every setting scores **0.860** (sd 0.014) over 2 draws: it makes no difference here." in text
    assert "Best" not in text


def test_every_way_to_choose_k_has_a_name():
    assert set(sweeps.POLICY_NAMES) == set(policies())
    assert set(sweeps.BY_CLASSES) == {"true", *BEST_UP_TO}


def test_settings_that_differ_draw_by_draw_are_not_the_same(monkeypatch):
    said = []
    monkeypatch.setattr(tuning_panels, "say", said.append)
    config = RunConfig(data="iris", x="theta:0.2,0.4", draws=2)
    tuning_panels.sentence(config, np.array([[[0.8, 0.9]], [[0.9, 0.8]]]))
    tuning_panels.sentence(config, np.array([[[0.8, 0.9]], [[0.9, np.nan]]]))
    assert said[0].startswith("Best over 2 draws")
    assert said[1] == "One of 2 settings has all its scores: **0.850** (sd 0.071) over 2 draws."


def test_of_equal_settings_the_present_one_is_the_best(monkeypatch):
    said = []
    monkeypatch.setattr(tuning_panels, "say", said.append)
    config = RunConfig(data="iris", x="theta:0.2,0.4,0.8", draws=2)
    now = config.method_params.theta
    tuning_panels.sentence(config, np.array([[[0.8, 0.9]], [[0.9, 0.8]], [[0.1, 0.2]]]))
    assert now == 0.4
    assert "at θ = 0.4 (and 1 other). That is the present setting." in said[0]


def test_what_compare_found_with_default_parameters_is_scored(app):
    compared = RunConfig(data="iris", m=8, methods=("lwea",), sets=("iris",), draws=3)
    finished(comparing.study(compared))
    config = RunConfig(data="iris", m=8, x="theta:0.1,1", draws=3)
    there = study_panel.records(study_panel.tasks(sweeps.study(config)))
    table = sweeps.scores(config, there)
    values = sweeps.axes(config)[0].values
    assert np.isfinite(table[values.index(0.4)]).all()
    assert np.isfinite(table).sum() == 3


def test_the_page_runs_a_sweep(app):
    at = app("compare", compared="settings", data="iris", m="8", x="theta:0.1,1", draws="3")
    assert "Here the score appears, over 9 tasks" in words(at)
    at.button(key="run_study").click().run()
    finished(sweeps.study(RunConfig(data="iris", m=8, x="theta:0.1,1", draws=3)))
    at.run()
    assert "Best over 3 draws" in words(at)
    assert len(Store(default_path())) == 9
    assert not [button for button in at.button if button.key == "run_study"]


def test_a_study_whose_store_was_in_use_can_be_tried_again(app, monkeypatch):
    at = app("compare", compared="settings", data="iris", m="8", x="theta:0.1,1", draws="3")

    def locked(*_):
        raise StoreError("the store is in use by another program")

    with monkeypatch.context() as held:
        held.setattr(study_panel, "run_study", locked)
        at.button(key="run_study").click().run()
        assert "in use by another program" in at.error[0].value
    at.button(key="again_study").click().run()
    finished(sweeps.study(RunConfig(data="iris", m=8, x="theta:0.1,1", draws=3)))
    assert "Best over 3 draws" in words(at.run())


def test_records_are_there_after_a_restart_and_only_the_rest_runs(app):
    small = RunConfig(data="iris", m=8, x="theta:0.1,1", draws=3)
    finished(sweeps.study(small))
    assert study_panel.records(study_panel.tasks(sweeps.study(small))) == study_panel.store().all()
    at = app("compare", compared="settings", data="iris", m="8", x="theta:0.1,1", draws="4")
    assert at.button(key="run_study").label == "Run 3 tasks (9 are there)"


def test_other_knobs_reach_the_url(app):
    at = app("compare", compared="settings", data="iris", m="8", method="pta")
    at.selectbox(key="sweep_x").set_value("T").run()
    at.select_slider(key="range_x").set_value((2, 10)).run()
    values = at.query_params["x"].removeprefix("T:").split(",")
    assert (values[0], values[-1], len(values)) == ("2", "10", 7)
    at.selectbox(key="sweep_y").set_value("linkage").run()
    assert at.query_params["y"] == "linkage:average,complete,single"
    assert "over 120 tasks" in words(at)  # 7 values and the present one, 3 links, 5 draws


def test_failures_are_named(app):
    config = RunConfig(data="iris", m=4, x="k:2,400", draws=2)
    finished(sweeps.study(config))
    at = app("compare", compared="settings", data="iris", m="4", x="k:2,400", draws="2")
    assert "2 tasks failed" in [expander.label for expander in at.expander]
    assert "**LWEA on Iris** (2 tasks): n\\_clusters must be at most" in words(at)
    at.button(key="forget_failures").click().run()
    assert at.button(key="run_study").label == "Run 2 tasks (4 are there)"


def test_without_classes_the_score_is_internal_and_said_so(app):
    from ui.compute import uploads

    labels = (np.arange(40)[:, None] // 10 + (np.random.default_rng(2).random((40, 6)) < 0.1)) % 4
    rows = "\n".join(",".join(map(str, row)) for row in labels).encode()
    query = {"data": uploads.keep_file("members.csv", rows, "labels").id, "m": "6", "draws": "2", "x": "theta:0.2,0.4"}
    at = app("compare", compared="settings", **query)
    assert "The score is *internal*" in words(at)
    config = at.session_state.run_config
    assert (config.policy, config.internal) == ("true", "margin")
    assert at.selectbox(key="policy").value == "page"
    assert "k = 4, as on the pages." in words(at)
    assert (config.k, sweeps.study(config).k) == (4, (4,))
    finished(sweeps.study(config))
    at.run()
    assert "over 2 draws: it makes no difference here." in words(at)
    at.selectbox(key="internal").set_value("stability").run()
    asked = sweeps.study(at.session_state.run_config)
    assert asked.stability == sweeps.STABILITY_DRAWS
    finished(asked)
    at.run()
    assert "Best over 2 draws" in words(at)


def test_a_damaged_store_is_a_message(app):
    default_path().write_bytes(b"no database at all, but long enough to look like one" * 100)
    at = app("compare", compared="settings", data="iris", m="4")
    assert "the file is damaged" in at.error[0].value


def test_a_store_that_was_removed_while_the_page_was_open_is_made_anew(app):
    at = app("compare", compared="settings", data="iris", m="4")
    default_path().unlink()
    assert not at.run().error
    assert default_path().is_file()


def test_workers_are_listed_where_a_scheduler_is_named(app, monkeypatch):
    from engine.studies import dask_workers

    monkeypatch.setenv("CONCORD_SCHEDULER", "tcp://127.0.0.1:8786")
    busy = {"worker": "one", "threads": 2, "tasks": 3, "CPU, %": 97.25, "memory, MB": 512.0}
    monkeypatch.setattr(dask_workers, "workers", lambda address: [busy])
    at = app("compare", compared="settings", data="iris", m="4")
    assert "Workers at tcp://127.0.0.1:8786" in [expander.label for expander in at.expander]
    table = at.dataframe[-1].value
    assert table.loc[0].tolist() == ["one", 2, 3, 97.2, 512.0]


def test_an_absent_scheduler_is_a_message(app, monkeypatch):
    from engine.studies import dask_workers

    monkeypatch.setattr(dask_workers, "PATIENCE", 1)
    monkeypatch.setenv("CONCORD_SCHEDULER", "tcp://127.0.0.1:9")
    at = app("compare", compared="settings", data="iris", m="4")
    assert "no scheduler answers at tcp://127.0.0.1:9" in at.error[0].value


def test_a_setting_is_chosen_without_the_classes(app, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    query = {"data": "iris", "m": "8", "compared": "settings", "x": "theta:0.05,0.4", "draws": "2"}
    assert "Without the classes" not in words(app("compare", **query))
    at = app("compare", **query, blind="yes")
    scene = Scene(from_query({**query, "blind": "yes"})[0])
    kind = consensus_methods()["lwea"].params
    found = choose_setting(scene.ensemble, "lwea", 3, [kind(theta=0.05), kind(theta=0.4)], scene.config.seed)
    text, scores = words(at), [scene.score(labels) for labels in found.answers]
    assert f"Without the classes: θ = {(0.05, 0.4)[found.chosen]}" in text
    assert f"by {found.stability[found.chosen]:.2f} (ARI" in text
    better = int(np.argmax(scores)) if max(scores) > scores[found.chosen] else None
    assert f"The classes would have chosen {'no better' if better is None else f'θ = {(0.05, 0.4)[better]}'}" in text
    assert "1 draw" not in str([figure.proto for figure in at.get("plotly_chart")][0])
    lost = tuning_losses("lwea", "theta", ["iris"])
    assert f"lost {lost['stability'].mean:.3f} of ARI" in text
    assert f"the default lost {lost['default'].mean:.3f}" in text
    at.button(key="use_blind").click().run()
    assert at.session_state.run_config.theta == (0.05, 0.4)[found.chosen]
    assert not at.exception


def test_what_the_classes_would_have_chosen_is_said(app, monkeypatch):
    """Of answers to a stable setting that is wrong, and to another that is right."""
    monkeypatch.setattr(progress, "PATIENCE", 60)
    right, wrong = np.repeat([0, 1, 2], 50), np.repeat([0, 1, 1], 50)
    told = ChosenSetting(0, np.array([0.9, 0.5]), (wrong, right), {})
    monkeypatch.setattr(tuning_panels, "choose_setting", lambda *asked: told)
    query = {"data": "iris", "m": "9", "compared": "settings", "x": "theta:0.1,0.4", "draws": "2", "blind": "yes"}
    text = words(app("compare", **query))
    assert "Without the classes: θ = 0.1" in text
    assert (
        f"θ = 0.4 on this ensemble: NMI (max) 1.000 instead of {Scene(from_query(query)[0]).score(wrong):.3f}" in text
    )


def test_what_is_no_parameter_of_the_method_is_not_chosen_by_stability(app):
    at = app("compare", data="iris", m="8", compared="settings", x="k:2,3", blind="yes")
    assert "M and k are no parameters" in words(at)
    other = app(
        "compare", data="iris", m="8", compared="settings", x="linkage:average,single", method="eac", blind="yes"
    )
    until(lambda: "was not measured" in words(other.run()), 60)
