"""How base clusterings are made: what decides, what does not, what is refused."""

from dataclasses import replace

import pytest

from engine.generators import Recipe
from engine.runtime.errors import InvalidParameterError
from engine.studies.running import run_study
from engine.studies.study import Study, expand


@pytest.mark.parametrize(
    "changes",
    [
        {"generator": "subspaces", "feature_fraction": 1.0},
        {"init": "k-means++"},
        {"n_init": 4},
        {"k_range": (3, 4)},
        {"generator": "lac", "inverse_h": (1.0, 5.0)},
        {"generator": "lac", "lac_k": 5},
    ],
)
def test_every_part_of_a_recipe_decides_the_ensembles(sources, changes):
    base = Recipe(changes.get("generator", "kmeans"))
    recipe, source = Recipe.of(**changes), sources["blobs"]
    other, plain, later = (source.ensemble(one, 6, seed) for one, seed in ((recipe, 0), (base, 0), (recipe, 1)))
    assert (other.labels != plain.labels).any()
    assert (other.labels != later.labels).any()
    keys = [expand(Study(("blobs",), ("eac",), repeats=1, recipe=one), sources)[0].key for one in (recipe, base)]
    assert keys[0] != keys[1]


def test_parts_of_a_recipe_that_another_generator_uses_change_nothing(sources):
    recipes = [Recipe(), Recipe.of(feature_fraction=0.9, inverse_h=(1.0, 2.0), lac_k=7)]
    keys = [expand(Study(("blobs",), ("eac",), repeats=1, recipe=one), sources)[0].key for one in recipes]
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"generator": "x"},
        {"init": "x"},
        {"n_init": 0},
        {"n_init": True},
        {"feature_fraction": 0},
        {"lac_k": 1},
        {"feature_fraction": "a"},
        {"inverse_h": (2.0, 1.0)},
        {"inverse_h": (0, 1)},
        {"inverse_h": 3.0},
        {"k_range": "x"},
    ],
)
def test_a_recipe_refuses_what_makes_no_sense(changes):
    with pytest.raises(InvalidParameterError, match=next(iter(changes)).removeprefix("lac_")):
        Recipe.of(**changes)


def test_lac_ensembles_feed_soft_methods(sources, store):
    study = Study(("blobs",), ("wbpa", "lwea"), repeats=2, recipe=Recipe("lac"), n_clusterings=(4, 6))
    records = run_study(study, sources, store)
    assert [record.error for record in records] == [""] * 8
    hard = run_study(replace(study, recipe=Recipe()), sources, store)
    assert {record.error.split(":")[0] for record in hard if record.method == "wbpa"} == {"MissingEvidenceError"}
