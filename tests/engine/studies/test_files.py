"""Study files: read as they were written, explained where they are bad."""

import pytest

from engine.generators import Recipe
from engine.studies.files import read_study, write_study
from engine.studies.study import InvalidStudyError, Study


def test_a_study_file_is_read_as_it_was_written():
    study = Study(
        ("wine", "pools/x"),
        ("pta", "got"),
        name='with "quotes"',
        n_clusterings=(5, 10),
        k=(2, 3),
        seed=3,
        grid={"pta": {"K": (None, 5), "linkage": ("average", "single")}, "got": {"refine": (True, False)}},
        scaling="minmax",
        best_by="ari",
        stability=12,
        recipe=Recipe.of("lac", inverse_h=(0.5, 50.0), lac_k=4),
    )
    assert read_study(write_study(study)) == study


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("datasets = [", "not valid TOML"),
        ('datasets = ["a"]', "Missing: methods"),
        ('datasets = ["a"]\nmethods = ["eac"]\ncolour = 1', "Got colour"),
        ('datasets = "a"\nmethods = ["eac"]', "datasets must be a list of names"),
        ('datasets = ["a"]\nmethods = ["eac"]\ngrid = 3', "one table a method"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[grid.lwea]\ntheta = 0.4', "must be a list of values"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nrepeats = "many"', "repeats must be an integer"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ngenerator = "magic"', "generator must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nk_range = "cubic"', "k_range must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ninverse_h = 4', "inverse_h must be a pair"),
    ],
)
def test_a_bad_study_file_is_explained(text, words):
    with pytest.raises(InvalidStudyError) as caught:
        read_study(text)
    assert words in str(caught.value)
