"""Numbers in a lesson's words are those of the pictures and the state beside them; others are found."""

import itertools

import numpy as np
import pytest

from engine.evidence import trajectory_similarity
from tests.app.lessons.conftest import LESSON
from ui.lessons.checking import check_step, misread, typed
from ui.lessons.facts import facts
from ui.lessons.lesson import read_quantity
from ui.lessons.reading import read_lesson
from ui.pictures import drawn, pictures
from ui.scene import Scene
from ui.scene.walks import T_LADDER
from ui.session.run_config import from_query

READ = [(picture.name, fact) for picture in pictures().values() for fact in picture.reads]
#: What stands in the brackets of a fact that is read off these pictures.
INSIDE = {"copies_lead": "10, 5", "mean_score": "lwea, 10", "inside": "pts", "between": "pts"}


def complaints(old, new, step=1):
    """What the checker says of a step of a lesson with a change."""
    assert old in LESSON
    lesson = read_lesson(LESSON.replace(old, new, 1), "mine")
    return [failure.words for failure in check_step(lesson, step, lesson.steps[step - 1])]


def test_true_words_are_left_alone():
    assert not complaints("First", "First")


@pytest.mark.parametrize(
    "words", ["There are 501 objects.", "There are {objects} objects, 271 of them left.", "It scores .97."]
)
def test_a_typed_number_that_nothing_founds_is_found(words):
    (found,) = complaints("There are {objects} objects.", words)
    assert "is no setting, quantity or claim" in found


@pytest.mark.parametrize(
    "words", ["There are {objects} objects, 500.", "Five runs with 10 to 20 clusters.", "At 1/h nothing is 1 or 0."]
)
def test_settings_and_what_was_measured_may_be_typed(words):
    assert not complaints("There are {objects} objects.", words)


def test_a_range_of_k_is_not_told_by_what_was_drawn_from_it():
    (found,) = complaints("There are {objects} objects.", "From {fewest_clusters} to 20.")
    assert "the range of k 10" in found


def test_one_run_beside_a_curve_of_means_is_found():
    text = LESSON.replace('data = "moons"', 'data = "breast_cancer"\nlac_inverse_h = 1').replace(
        'shows = ["truth"]', 'shows = ["error_by_h"]'
    )
    for fact, wrong in (("lac_wrong", True), ("mean_lac_wrong", False)):
        words = text.replace("There are {objects} objects.", f"Wrong: {{{fact}}}.").replace("500", "569")
        lesson = read_lesson(words, "mine")
        assert [
            failure.words for failure in check_step(lesson, 1, lesson.steps[0]) if "error_by_h" in failure.words
        ] == (["{lac_wrong} says 9.1%, the picture error_by_h 8.4%"] if wrong else [])


def test_one_run_is_found_between_two_places_of_the_curve_as_well():
    """What is said there is the mean at the nearest of them."""
    scene = Scene(from_query({"data": "two_gaussian_overlap", "generator": "lac", "m": "13", "lac_inverse_h": "5"})[0])
    assert 5 not in scene.tried_h
    (step,) = read_lesson(
        LESSON[: LESSON.rindex("[[step]]")]
        .replace('data = "moons"\nk_range = "10-20"\nm = 5', 'data = "two_gaussian_overlap"\ngenerator = "lac"\nm = 13')
        .replace('shows = ["truth"]', 'shows = ["error_by_h"]')
        .replace("There are {objects} objects.", "{lac_wrong(lac_inverse_h=5)}, {mean_lac_wrong(lac_inverse_h=5)}"),
        "mine",
    ).steps
    figures = {"error_by_h": drawn("error_by_h", scene, "light")}
    assert [words.split(" says")[0] for words in misread(step, scene, figures)] == ["{lac_wrong(lac_inverse_h=5)}"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("fact", "wrong"), [("inconsistency", True), ("inconsistency(m=15)", False), ("resolution_inconsistency", False)]
)
def test_the_runs_of_the_state_beside_the_curve_of_others_are_found(fact, wrong):
    """The curve over resolutions has runs of its own."""
    state = 'data = "communities_hard"\ngenerator = "leiden"\nleiden_resolution = "1-1"'
    text = LESSON.replace('data = "moons"', state).replace('"truth"', '"resolution_curve"', 1)
    lesson = read_lesson(text.replace("There are {objects} objects.", f"IC is {{{fact}}}."), "mine")
    found = [failure.words for failure in check_step(lesson, 1, lesson.steps[0])]
    assert any("the picture resolution_curve 1.77" in words for words in found) is wrong


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("With 5 runs the vote scores {score(eac)}.", True),
        ("With 5 runs, {score(eac, m=5)}, with all {score(eac)}.", False),
        ("With 5 runs it scores {score(eac, m=5)}. Now it is {score(eac)}.", False),
        ("With 5 runs {base_best} is best, and {score(eac)} the vote's, {score(eac, m=5)}.", True),
        ("Now it is {score(eac)}, and was {score(eac, m=5)} with 5 runs.", False),
        ("The vote scores {score(eac)}, with 20 runs {score(eac, m=20)}.", False),
        ("There are {objects} objects and 5 runs.", False),
    ],
)
def test_a_quantity_that_leaves_its_sentence_as_the_knob_moves_is_found(words, wrong):
    found = complaints("The vote scores {score(eac)}, with 20 runs {score(eac, m=20)}.", words, step=2)
    said = "{score(eac)} goes with the knob beside words that say m = 5: give it this value in its brackets"
    assert [one for one in found if "base_best" not in one] == [said] * wrong


def test_a_picture_with_nothing_to_show_is_said():
    (found,) = complaints('"truth"', '"resolution_curve"')
    assert found.startswith("cannot be shown: a picture has nothing to show")


def test_a_reason_is_read_with_its_question():
    (found,) = complaints('question = "Which?"', 'question = "What do 5 runs score?"', step=2)
    assert found.startswith("{score(eac)} goes with the knob")


@pytest.fixture(scope="module")
def scene():
    query = {"data": "iris", "m": "5", "seed": "3", "method": "lwea", "pair": "3.99", "K": "5", "T": "5"}
    return Scene(from_query(query)[0])


def communities():
    """A graph, in the resolution of a dot of its curve."""
    query = {"data": "communities_hard", "generator": "leiden", "leiden_resolution": "1-1", "m": "5", "seed": "3"}
    return Scene(from_query(query)[0])


def test_no_single_dot_stands_for_several_resolutions():
    near = communities()
    read = pictures()["resolution_curve"].reads["resolution_inconsistency"].read
    several = near.varied(leiden_resolution=(1.0, 2.0))
    assert read(drawn("resolution_curve", near, "light"), several, ()) is None


@pytest.mark.parametrize(("picture", "fact"), READ)
def test_what_is_read_off_a_picture_is_the_fact(scene, picture, fact):
    quantity = read_quantity(fact + (f"({INSIDE[fact]})" if fact in INSIDE else ""))
    near = scene.varied(lac_inverse_h=1.0)  # a place of its curve
    if picture == "resolution_curve":
        near = communities()
    read = pictures()[picture].reads[fact].read(drawn(picture, near, "light"), near, quantity.words)
    if (picture, fact) in {("error_by_h", name) for name in ("lac_wrong", "base_wrong", "wrong")} | {
        ("error_by_h", "base_wrong_least"),
        ("error_by_h", "base_wrong_most"),
    }:  # one run, where the picture shows means: this is what must be noticed
        assert fact in facts()
    elif (picture, fact) == ("resolution_curve", "inconsistency"):
        assert read != pytest.approx(quantity.of(near), abs=0.01), "these are other runs, and this must be noticed"
    elif (picture, fact) == ("error_by_h", "mean_wrong"):
        assert read is None, "it shows WSPA and LWGP alone"
    else:
        assert read == pytest.approx(quantity.of(near), abs=1e-6)


def test_numbers_are_read_as_people_type_them():
    assert [value for value, _ in typed("1,000 of 20.5, .3; 8 % and 1/h, T = 20.")] == [1000, 20.5, 0.3, 0.08, 20]


def test_mixing_is_the_mean_over_pairs_of_objects(scene):
    micro = scene.ensemble.microclusters
    pts = trajectory_similarity(scene.graph, micro.sizes, T_LADDER[2], dtype=np.float64)
    means = {True: [], False: []}
    for i, j in itertools.combinations(range(scene.ensemble.n_objects), 2):
        means[bool(scene.truth[i] == scene.truth[j])].append(pts[micro.assignment[i], micro.assignment[j]])
    assert scene.mixing[2] == pytest.approx([np.mean(means[True]), np.mean(means[False])])
