"""What is declared in one file is found by everything: generators, evidence, methods, readers, lessons, pages."""

import importlib
import re
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import data.readers
import engine.choosing_k.criteria
import engine.generators
import engine.methods
import engine.selection.strategies
import engine.similarities
import ui
import ui.pictures
import ui.scene
from data.readers import known_readers
from data.reading import elsewhere
from engine import InvalidParameterError, Monitor, consensus_methods
from engine.choosing_k import choose_k, known_criteria
from engine.generators import Recipe, known_generators, make_ensemble
from engine.selection import known_strategies, select
from engine.similarities import pair_evidence
from engine.studies.files import read_study, write_study
from engine.studies.study import Study
from tests.app.conftest import ROOT, end_all_jobs, executed, words
from ui.export.script import script as script_of
from ui.lessons.__main__ import main as check_lessons
from ui.pictures import drawn, pictures
from ui.scene import Scene, nodes
from ui.scene.scene import rests_on
from ui.session import run_config
from ui.session.run_config import RunConfig, from_query
from ui.session.settings import method_concepts, settings

CACHES = (known_generators, pair_evidence, consensus_methods, known_criteria, method_concepts, settings, known_readers)
CACHES += (nodes, rests_on, pictures, run_config._concepts, known_strategies)


#: Modules that tests put into packages.
ADDED = ("coin", "unanimous", "mine", "evenness", "moderate", "json_rows", "group_sizes_node", "group_sizes_picture")


def blocks(document, language="python"):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / document).read_text(), flags=re.S)


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """Put files into a package, from a folder that is gone after the test."""
    end_all_jobs()  # a job of an earlier page that looks a list up while a file is added would keep the list of before
    before = set(sys.modules)

    def put(package, **files):
        folder = tmp_path / package.__name__
        folder.mkdir()
        for name, text in files.items():
            place = folder.joinpath(*name.split("/"))
            place.parent.mkdir(exist_ok=True)
            place.with_suffix(".py").write_text(text)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        forget()

    def forget():
        importlib.invalidate_caches()
        for cache in CACHES:
            cache.cache_clear()

    yield put
    end_all_jobs()
    monkeypatch.undo()
    forget()
    for name in set(sys.modules) - before:
        if name.rsplit(".", 1)[-1] in ADDED:
            del sys.modules[name]


def test_a_generator_in_a_file_is_in_menu_url_study_file_and_script(declare, app):
    declare(engine.generators, coin=blocks("adding_a_generator.md")[0])
    config, problems = from_query({"data": "iris", "m": "6", "generator": "coin", "coin_sides": "4", "seed": "3"})
    assert not problems
    assert config.to_query()["coin_sides"] == "4"
    made = Scene(config).ensemble
    assert made.n_clusters_each.tolist() == [4] * 6
    longer = Scene(config.with_(m=9)).ensemble
    assert (longer.labels[:, :6] == made.labels).all()
    study = Study(("iris",), ("eac",), recipe=config.recipe)
    assert "coin_sides = 4" in write_study(study)
    assert read_study(write_study(study)).recipe == Recipe.of("coin", coin_sides=4)
    scope = executed(script_of(Scene(config.with_(k=3))))
    assert scope["ensemble"].fingerprint == made.fingerprint
    at = app("consensus", **config.to_query())
    assert "random partitions" in at.sidebar.selectbox(key="generator").options
    assert at.sidebar.select_slider(key="param_coin_sides").value == 4
    points = np.eye(5)
    asked = {"seed": (1.5, "7", -1), "n_clusterings": (0, 2.5), "features": ([["a"], ["b"]], points * np.nan)}
    for name, values in asked.items():  # its file checks nothing
        for value in values:
            with pytest.raises(InvalidParameterError, match=f"^{name} must be"):
                make_ensemble(**({"key": "coin", "features": points, "n_clusterings": 2, "seed": 0} | {name: value}))


def test_a_kind_of_evidence_in_a_file_is_on_matrices_in_why_and_in_ec_cms(declare, app):
    declare(engine.similarities, unanimous=blocks("adding_evidence.md")[0])
    scene = Scene(RunConfig(data="iris", m=6, method="eac", left="unanimous"))
    made = scene.ensemble
    assert scene.matrix_titles["unanimous"] == "unanimous pairs"
    shown = scene.matrix_left.matrix
    kind = pair_evidence()["unanimous"]
    values = [kind.value(made, kind.params(), 0, j) for j in range(0, 150, 7)]
    micro = made.microclusters.assignment
    assert values == [shown[micro[0], micro[j]] for j in range(0, 150, 7)]
    at = app("matrices", data="iris", m="6", left="unanimous")
    assert at.selectbox(key="left").value == "unanimous"
    assert any("unanimous pairs" in table.value.to_string() for table in at.dataframe)
    assert kind.matrix(made, kind.params(), Monitor()).dtype == "float32"


def test_a_parameter_that_evidence_alone_has_is_a_knob_of_its_own(declare, app):
    field = """least: float = param(
        1.0, symbol="u", doc="Least share of the base clusterings.", raising="Stricter.", low=0.0, slider=(0.1, 1.0)
    )"""
    module = blocks("adding_evidence.md")[0].replace("import Params\n", "import Params, param\n")
    module = module.replace('"""Unanimity has no parameters."""', f'"""Who is together."""\n\n    {field}')
    declare(engine.similarities, unanimous=module.replace("monitor) == 1)", "monitor) >= params.least)"))
    config, problems = from_query({"data": "iris", "m": "6", "method": "eac", "left": "unanimous", "least": "0.5"})
    assert not problems
    assert Scene(config).matrix_left.matrix.mean() > Scene(config.with_(least=1.0)).matrix_left.matrix.mean()
    at = app("matrices", **config.to_query())
    assert at.select_slider(key="param_least").value == 0.5
    app("matrices", data="iris", m="6", method="eac")


def test_a_method_in_a_file_is_in_the_menu_and_its_knob_in_the_url(declare, app):
    declare(engine.methods, mine=blocks("adding_a_method.md")[0])
    config, problems = from_query({"method": "mine", "power": "3.0"})
    assert not problems
    assert config.method_params.power == 3.0
    at = app("consensus", data="iris", m="6", method="mine", power="3.0")
    assert "Mine joins" in words(at)
    assert at.select_slider(key="param_power").value == 3.0


def test_a_criterion_in_a_file_is_asked_and_not_counted(declare):
    declare(engine.choosing_k.criteria, evenness=blocks("adding_a_criterion.md")[0])
    assert "evenness" in known_criteria()
    found = choose_k(Scene(RunConfig(data="iris", m=6)).ensemble, k_max=4, effort="quick")
    assert found.curves["evenness"].shape == (3,)
    assert found.readings["evenness"] == f"{found.picks['evenness']} clusters are the most even."
    assert "evenness" not in found.counted


def test_a_strategy_in_a_file_is_asked_and_missed_by_nobody(declare):
    declare(engine.selection.strategies, moderate=blocks("adding_a_selection.md")[0])
    assert "moderate" in known_strategies()
    made = Scene(RunConfig(data="iris", m=7)).ensemble
    chosen = select(made, "moderate", 3)
    extremes = {int(select(made, "snmi", 1)[0]), *set(range(7)) - set(select(made, "snmi", 6).tolist())}
    assert len(chosen) == 3
    assert extremes.isdisjoint(chosen.tolist())


def test_a_reader_in_a_file_takes_uploads(declare, app, tmp_path, monkeypatch):
    (module,) = blocks("adding_a_reader.md")
    declare(data.readers, json_rows=module)
    tree = shutil.copytree(
        Path(data.__file__).parent, tmp_path / "tree" / "data"
    )  # uploads are read by another process
    (tree / "readers" / "json_rows.py").write_text(module)
    monkeypatch.setattr(elsewhere, "_HOME", tree)
    monkeypatch.setattr(elsewhere.READY, "_spare", None)
    at = app("data")
    uploader = at.file_uploader(key="file_features")
    assert "JSON" in uploader.label
    assert "Parquet, H5AD, JSON" in uploader.label
    rows = ", ".join(f'{{"width": {i % 7}, "height": {i}, "class": "{"ab"[i % 2]}"}}' for i in range(12))
    uploader.set_value(("plants.json", f"[{rows}]".encode(), "")).run()
    end = time.monotonic() + 30  # the process that reads starts anew
    while "12 objects with 2 features" not in words(at) and time.monotonic() < end:
        time.sleep(0.2)
        at.run()
    assert not at.exception
    assert "12 objects with 2 features" in words(at)
    with pytest.raises(data.DataError, match="not a JSON file"):
        data.read_upload("plants.json", b'[{"width": 1}, {"height": 2}]', "features")


def test_a_lesson_in_a_file_is_on_its_page_and_passes_its_own_check(app, tmp_path, monkeypatch, capsys):
    (lesson,) = blocks("writing_a_lesson.md", "toml")
    (tmp_path / "many_runs.toml").write_text(lesson)
    assert check_lessons(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 lesson, 2 steps, 2 claims hold"
    monkeypatch.setenv("CONCORD_LESSONS", str(tmp_path))
    at = app("lessons")
    at.button(key="open_many_runs").click().run()
    assert not at.exception
    assert "Many clusters, each of them pure" in words(at)


def test_a_page_in_a_file_is_in_the_navigation_and_its_settings_in_the_url(declare, tmp_path):
    page, node, picture = blocks("adding_a_page.md")
    declare(ui.scene, group_sizes_node=node)
    declare(ui.pictures, group_sizes_picture=picture)
    config, problems = from_query({"smallest": "3", "m": "6"})
    assert not problems
    assert (config.smallest, config.with_(m=7).smallest) == (3, 1)
    house = tmp_path / "house"
    (house / "pages").mkdir(parents=True)
    (house / "ui" / "frame").mkdir(parents=True)
    (house / "ui" / "frame" / "icon.svg").write_text((ROOT / "ui" / "frame" / "icon.svg").read_text())
    (house / "ui" / "frame" / "main.py").write_text((ROOT / "ui" / "frame" / "main.py").read_text())
    (house / "pages" / "01_start.py").write_text((ROOT / "pages" / "01_start.py").read_text())
    (house / "pages" / "99_sizes.py").write_text(page)
    at = AppTest.from_file(str(house / "ui" / "frame" / "main.py"), default_timeout=60).run()
    at.switch_page("../../pages/99_sizes.py").run()
    end = time.monotonic() + 30
    while "The largest group has" not in words(at) and time.monotonic() < end:
        at.run()
        assert not at.exception
    assert at.title[0].value == "How large are the groups nobody tells apart?"
    assert at.session_state.run_config.smallest == 1
    assert "The largest group has" in words(at)
    scene = Scene(config)
    assert scene.group_size.min() >= 3
    assert "smallest" in rests_on("group_size")
    assert drawn("group_sizes", scene, "light").data
