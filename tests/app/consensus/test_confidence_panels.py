"""Consensus: how firmly objects sit, where k starts without classes, and what the download holds."""

import io
import time

import numpy as np
import pandas as pd
import pytest

from engine import Monitor, confidence, run_consensus
from engine.tables import labels_csv
from tests.app.conftest import words
from ui.scene import Scene
from ui.scene.consensus import firmness
from ui.session.run_config import from_query


@pytest.fixture
def wine():
    config, _ = from_query({"data": "wine", "m": "8", "k": "3"})
    made = Scene(config).ensemble
    return made, run_consensus("lwea", made, 3, seed=config.seed)


def test_the_least_sure_objects_are_listed_and_can_be_picked_or_set_aside(app, wine):
    made, result = wine
    margin = confidence.margin(made, result.labels)
    at = app("consensus", data="wine", m="8", k="3")
    assert "How firmly does each object sit?" in words(at)
    table = next(frame.value for frame in at.dataframe if "margin" in frame.value and "cluster" in frame.value)
    assert table.index.tolist() == (np.argsort(margin, kind="stable")[: len(table)] + 1).tolist()
    at.button(key="pick_unsure").click().run()
    assert "9 objects" in words(at)
    at.button(key="pick_sure").click().run()
    assert "169 objects" in words(at)


def test_the_switch_makes_loose_objects_faint(app, wine):
    import json

    made, result = wine
    plain, faint = (app("consensus", data="wine", m="8", k="3", confidence=value) for value in ("no", "yes"))

    def opacities(at):
        figures = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
        return figures[1]["data"][0]["marker"]["opacity"]

    assert opacities(plain) == 0.9
    assert isinstance(opacities(faint), dict)
    assert (firmness(made, result, Monitor()).margin <= 1).all()


def test_the_download_has_a_column_for_every_value(wine):
    made, result = wine
    found = confidence.cluster_profile(made, result.labels)
    text = labels_csv(result.labels, {"support": found.own, "margin": found.margin}).decode()
    table = pd.read_csv(io.StringIO(text))
    assert list(table.columns) == ["object", "label", "support", "margin"]
    assert np.allclose(table["margin"], found.margin, atol=1e-5)
    assert labels_csv(np.array([1, 0])) == b"object,label\n0,1\n1,0\n"


def test_stability_is_measured_when_asked_for(app):
    at = app("consensus", data="iris", m="6", k="3")
    at.button(key="measure_stability").click().run()
    until = time.monotonic() + 60
    while "element-centric" not in words(at) and time.monotonic() < until:
        at.run()
    assert "element-centric consistency" in words(at)
    assert "to take away now have a column of it" in words(at)
    assert "'stability'" in at.code[0].value, "script, report and labels follow the sentence at once"
