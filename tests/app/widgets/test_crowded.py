"""Where so much of one visitor's work waits that no more may: pages go on, and say so."""

import numpy as np
import pytest

from tests.app.conftest import at_rest, words
from ui.compute import uploads
from ui.compute.jobs import CrowdedError, Jobs
from ui.compute.work import jobs
from ui.lessons.library import lessons
from ui.scene import Scene
from ui.scene.scene import PENDING, AtOnce
from ui.session.run_config import RunConfig
from ui.widgets.page_scene import begin


@pytest.fixture
def crowded(monkeypatch):
    """A function that refuses jobs of a function, by its name; those of earlier tests are forgotten."""
    plain, refused = Jobs._enter, set()

    def enter(lanes, job, compute, user):
        if refused & set(job.key):
            raise CrowdedError("48 computations of yours are waiting, and no more may")
        plain(lanes, job, compute, user)

    def refuse(name):
        refused.add(name)
        for key in [key for key in jobs()._jobs if name in key]:
            jobs().forget(key)

    monkeypatch.setattr(Jobs, "_enter", enter)
    return refuse


def test_without_an_answer_of_the_criteria_a_page_goes_on(app, crowded):
    crowded("quick_look")
    labels = np.random.default_rng(11).integers(0, 3, (60, 5))
    rows = "\n".join(["a,b,c,d,e", *(",".join(map(str, row)) for row in labels.tolist())])
    name = uploads.keep_file("crowd.csv", rows.encode(), "labels").id
    at = at_rest(app, "consensus", data=name)
    assert "48 computations of yours are waiting" in words(at)


@pytest.mark.parametrize(
    ("page", "query", "key", "job"),
    [
        ("how_many", {"data": "wine", "k_max": "4"}, "full_k", "long_look"),
        ("consensus", {"data": "wine", "m": "9"}, "measure_stability", "stability"),
        ("compare", {"compared": "methods", "data": "wine"}, "run_study", "run_all"),
    ],
)
def test_a_button_whose_job_may_not_wait_says_so(app, crowded, page, query, key, job):
    at = at_rest(app, page, **query)
    crowded(job)
    at.button(key=key).click().run()
    assert [one.value for one in at.toast] == ["48 computations of yours are waiting, and no more may."]
    assert at.button(key=key)
    assert not at.exception


def test_a_lesson_whose_picture_cannot_be_drawn_hides_no_other(app, crowded):
    crowded("stage")
    at = app("lessons")
    assert {f"open_{lesson.key}" for lesson in lessons()} <= {button.key for button in at.button}
    assert words(at).count("No picture") == len(lessons())


def test_a_button_does_no_harm_while_what_its_work_is_made_from_is_made_again():
    class Waiting(AtOnce):
        def __call__(self, node, inputs, slot=""):
            return PENDING

    assert begin(Scene(RunConfig(data="iris", m=5), Waiting()), "stability") is None
