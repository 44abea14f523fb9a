"""What a study comes to, what it refuses, and what its keys hang on."""

import json
import tomllib
from dataclasses import replace

import pytest

from engine import __version__
from engine.generators import Recipe
from engine.monitor import SILENT
from engine.studies.files import read_study, write_study
from engine.studies.sources import Source
from engine.studies.study import BEST_UP_TO, InvalidStudyError, Study, expand
from engine.studies.units import Ensembles


def test_a_study_comes_to_all_combinations(sources):
    study = Study(
        ("blobs", "pool"),
        ("eac", "lwea"),
        repeats=2,
        k=(2, 3),
        n_clusterings=(5, 9),
        seed=4,
        grid={"lwea": {"theta": (0.2, 0.4, 1.0)}},
    )
    tasks = expand(study, sources)
    assert len(tasks) == 2 * 2 * 2 * (1 + 3) * 2
    assert len({task.key for task in tasks}) == len(tasks)
    assert {task.seed for task in tasks} == {4, 5}
    assert {task.params for task in tasks if task.method == "lwea"} == {f'{{"theta": {t}}}' for t in (0.2, 0.4, 1.0)}
    assert {task.params for task in tasks if task.method == "eac"} == {'{"linkage": "average"}'}
    assert {task.n_clusterings for task in tasks} == {5, 9}
    assert {task.generator for task in tasks if task.dataset == "pool"} == {'{"generator": "pool"}'}
    made = json.loads(next(task.generator for task in tasks if task.dataset == "blobs"))
    assert (made["generator"], made["k_range"], made["scaling"]) == ("kmeans", "sqrt", "standard")


def test_a_study_says_what_it_does():
    given = Study(("blobs",), ("eac", "pta"), grid={"pta": {"T": (5.0, 9)}, "got": {"refine": (True,)}})
    assert given.grid["pta"] == {"T": (5, 9), "K": (None,), "linkage": ("average",)}
    assert [type(value) for value in given.grid["pta"]["T"]] == [int, int]
    assert set(given.grid) == {"eac", "pta"}
    assert given == replace(given, grid={"pta": {"T": (5, 9)}})
    text = write_study(given)
    assert f'version = "{__version__}"' in text
    assert tomllib.loads(text)["grid"]["pta"] == {"T": [5, 9], "K": ["auto"], "linkage": ["average"]}
    assert 'generator = "kmeans"' in text
    assert "n_init = 1" in text


def test_keys_hang_on_content_alone(sources):
    study = Study(("blobs",), ("lwea",), repeats=1)
    (one,) = expand(study, sources)
    same = {"blobs": Source("blobs", features=sources["blobs"].features.copy(), truth=sources["blobs"].truth)}
    assert expand(replace(study, name="another", grid={"lwea": {"theta": (0.4,)}}), same)[0].key == one.key
    moved = {"blobs": Source("blobs", features=sources["blobs"].features + 1e-9, truth=sources["blobs"].truth)}
    assert expand(study, moved)[0].key != one.key
    for change in (
        {"seed": 1},
        {"k": "best"},
        {"k": "best-sqrt"},
        {"n_clusterings": (11,)},
        {"recipe": Recipe.of(k_range=(2, 5))},
        {"recipe": Recipe("subspaces")},
    ):
        assert expand(replace(study, **change), sources)[0].key != one.key


def test_the_measure_that_chooses_k_is_part_of_the_key_only_where_it_chooses(sources):
    def key(**changes):
        return expand(Study(("blobs",), ("lwea",), repeats=1, **changes), sources)[0].key

    for policy in BEST_UP_TO:
        assert key(k=policy) == key(k=policy, best_by="nmi_max") != key(k=policy, best_by="ari")
    assert key(best_by="ari") == key()


def test_every_part_of_a_task_is_in_its_key(sources):
    wide = Study(
        ("blobs",),
        ("lwea", "lwgp"),
        repeats=2,
        k=(2, 3),
        n_clusterings=(4, 5),
        grid={name: {"theta": (0.2, 0.4)} for name in ("lwea", "lwgp")},
    )
    tasks = expand(wide, sources)
    assert len({task.key for task in tasks}) == len(tasks) == 2**5
    features, truth = sources["blobs"].features, sources["blobs"].truth
    for other in (Source("blobs", features=features, truth=None), Source("blobs", features=features, truth=truth % 2)):
        assert expand(wide, {"blobs": other})[0].key != tasks[0].key
    renamed = expand(replace(wide, datasets=("b",)), {"b": Source("b", features=features, truth=truth)})
    assert not {task.key for task in renamed} & {task.key for task in tasks}


def test_a_later_repeat_is_not_the_first_of_another_seed(sources):
    study = Study(("blobs",), ("lwea",), repeats=2)
    second, first = expand(study, sources)[1], expand(replace(study, seed=1), sources)[0]
    assert (second.seed, second.repeat, first.seed, first.repeat) == (1, 1, 1, 0)
    assert second.key != first.key


def test_draws_from_a_pool_do_not_hang_on_the_recipe(sources):
    study = Study(("pool",), ("eac",), repeats=1)
    assert expand(study, sources)[0].key == expand(replace(study, recipe=Recipe("lac")), sources)[0].key
    more = {"pool": Source("pool", pool=sources["pool"].pool[:, ::-1], truth=sources["pool"].truth)}
    assert expand(study, more)[0].key != expand(study, sources)[0].key


def test_params_of_a_task_stand_in_alphabetical_order(sources):
    (task,) = expand(Study(("blobs",), ("ec_cms",), repeats=1), sources)
    names = list(json.loads(task.params))
    assert names == sorted(names) != list(task.setting.as_dict())


def test_a_study_may_have_a_million_tasks():
    assert Study(("blobs",), ("lwea",), repeats=1_000_000).repeats == 1_000_000
    with pytest.raises(InvalidStudyError, match="at most 1,000,000 tasks. Got 1,000,002"):
        Study(("blobs",), ("lwea",), repeats=500_001, k=(2, 3))


def test_tasks_are_counted_before_any_setting_is_built(monkeypatch):
    monkeypatch.setattr(Study, "settings", lambda self, method: pytest.fail("settings were built"))
    steps, links = tuple(range(1, 1001)), tuple(range(1, 5001))
    with pytest.raises(InvalidStudyError, match="at most 1,000,000 tasks. Got 50,000,000"):
        Study(("blobs",), ("pta",), grid={"pta": {"T": steps, "K": links}})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"datasets": ()}, "at least one"),
        ({"methods": ("magic",)}, "Got magic"),
        ({"repeats": 0}, "repeats must be an integer of at least 1"),
        ({"repeats": True}, "repeats must be an integer of at least 1. Got True"),
        ({"seed": -1}, "seed must be an integer of at least 0. Got -1"),
        ({"n_clusterings": (0,)}, "n_clusterings[0] must be an integer of at least 1. Got 0"),
        ({"n_clusterings": ()}, "n_clusterings must name at least one"),
        ({"k": ()}, "k must be"),
        ({"grid": {"magic": {}}}, "Got magic"),
        ({"grid": {"eac": {"linkage": "average"}}, "methods": ("eac",)}, "grid.eac.linkage must be a list of values"),
        ({"k": "most"}, '"true", "best"'),
        ({"k": (1,)}, "at least 2"),
        ({"grid": {"lwea": {"K": (3,)}}}, "Got K"),
        ({"grid": {"lwea": {"theta": (-1.0,)}}}, "theta must be a number in"),
        ({"grid": {"lwea": {"theta": ()}}}, "list of values"),
        ({"scaling": 3}, "scaling must be a name"),
        ({"best_by": "rand"}, "best_by must be one of nmi_max"),
        ({"seed": 10**5000}, "seed must be at most 9,007,199,254,740,992. Got an integer of more than 80 digits"),
        ({"n_clusterings": (10**8,)}, "n_clusterings[0] must be at most 10,000"),
        ({"stability": 10**9}, "at most 1,000"),
        ({"k": True}, "list of integers. Got True"),
        ({"k": {}}, "list of integers. Got {}"),
        ({"k": (2, 3, 2)}, "k must name each once. Got 2 twice"),
        ({"datasets": ("blobs", "blobs")}, "datasets must name each once. Got 'blobs' twice"),
        ({"methods": ("lwea", "lwea")}, "methods must name each once"),
        ({"n_clusterings": (5, 5)}, "n_clusterings must name each once"),
        ({"grid": {"lwea": {"theta": (1, 0.4, 1.0)}}}, "grid.lwea.theta must name each once. Got 1.0 twice"),
        ({"name": "x" * 201}, "name must be a name of at most 200 characters"),
        ({"datasets": (3,)}, "datasets must be a list of names"),
        ({"repeats": 10**6, "k": tuple(range(2, 9))}, "at most 1,000,000 tasks"),
    ],
)
def test_a_study_refuses_at_the_door(changes, words):
    with pytest.raises(InvalidStudyError, match=None) as caught:
        Study(**{"datasets": ("blobs",), "methods": ("lwea",), **changes})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"datasets": ("elsewhere",)}, "Got 'elsewhere'"),
        ({"datasets": ("blind",)}, 'k = "true" needs classes, and blind has none'),
        ({"datasets": ("blind",), "k": "best"}, 'k = "best" needs classes, and blind has none'),
        ({"datasets": ("blind",), "k": "best-sqrt"}, 'k = "best-sqrt" needs classes, and blind has none'),
        ({"datasets": ("pool",), "n_clusterings": (31,)}, "at most 30"),
    ],
)
def test_a_study_refuses_what_its_sources_lack(sources, changes, words):
    with pytest.raises(InvalidStudyError) as caught:
        expand(Study(**{"datasets": ("blobs",), "methods": ("lwea",), **changes}), sources)
    assert words in str(caught.value)


def test_methods_that_find_k_need_no_classes(sources):
    study = Study(("blind",), ("ecg",), n_clusterings=(4,), repeats=1)
    assert [task.k for task in expand(study, sources)] == ["true"]
    with pytest.raises(InvalidStudyError, match="needs classes"):
        expand(replace(study, methods=("ecg", "eac")), sources)


def test_a_draw_of_all_columns_is_taken_with_replacement_and_has_keys_of_its_own(sources):
    pool = sources["pool"]
    draws = [pool.ensemble(Recipe(), 30, seed) for seed in range(5)]
    assert len({one.fingerprint for one in draws}) == 5
    assert all(len(set(one.provenance["columns"])) < 30 for one in draws)
    fewer = pool.ensemble(Recipe(), 29, 0)
    assert len(set(fewer.provenance["columns"])) == 29
    study = replace(Study(("pool",), ("eac",), repeats=1), n_clusterings=(29, 30))
    told = [json.loads(task.generator) for task in expand(study, sources)]
    assert told == [{"generator": "pool"}, {"generator": "pool", "replacement": True}]


def test_a_study_over_sizes_keeps_the_first_of_a_draw_and_redraws_all(sources):
    pool, kept = sources["pool"], Ensembles()
    whole = kept.get(pool, Recipe(), 30, 30, 3, SILENT)
    part = kept.get(pool, Recipe(), 10, 30, 3, SILENT)
    assert whole.fingerprint == pool.ensemble(Recipe(), 30, 3).fingerprint
    assert part.fingerprint == pool.ensemble(Recipe(), 10, 3).fingerprint
    assert kept.get(pool, Recipe(), 10, 20, 3, SILENT).fingerprint == part.fingerprint


def test_a_file_with_a_grid_of_no_method_of_the_study_is_refused():
    text = 'datasets = ["blobs"]\nmethods = ["lwea"]\n[grid.eac]\nlinkage = ["single"]\n'
    with pytest.raises(InvalidStudyError, match="Not among methods: eac"):
        read_study(text)
    assert read_study(text.replace('["lwea"]', '["lwea", "eac"]')).grid["eac"] == {"linkage": ("single",)}
