import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import consensus_methods
from ui import run_config
from ui.query import READERS, from_query
from ui.run_config import RunConfig

configs = st.builds(
    RunConfig,
    data=st.sampled_from(["moons", "features/d31", "upload-00ff"]),
    scaling=st.sampled_from(["standard", "none"]),
    m=st.integers(1, 1000),
    krange=st.sampled_from(["sqrt", "half_sqrt", "3-9"]),
    ninit=st.integers(1, 50),
    generator=st.sampled_from(run_config.GENERATORS),
    subspace=st.sampled_from([1.0, 0.35]),
    hlow=st.sampled_from([0.01, 0.1]),
    hhigh=st.sampled_from([55.5, 1000.0]),
    lack=st.none() | st.integers(2, 100),
    h=st.sampled_from([0.2, 5.0, 700.0]),
    axes=st.sampled_from([(), (0, 3)]),
    seed=st.integers(0, 2**31 - 1),
    method=st.sampled_from(["eac", "lwgp"]),
    k=st.none() | st.integers(2, 500),
    off=st.sampled_from([(), (0,), (1, 5)]),
    truth=st.booleans(),
    bright=st.sampled_from([0.05, 0.25, 1.0]),
    glow=st.sampled_from([0.3, 0.7]),
    minus=st.booleans(),
    ablation=st.sampled_from(run_config.ABLATIONS),
    warm=st.booleans(),
    color=st.sampled_from(run_config.NODE_COLORS),
    panel=st.integers(1, 84),
    round=st.integers(1, 99),
    nearest=st.booleans(),
)


@given(configs)
def test_a_url_holds_the_whole_state(config):
    assert from_query(config.to_query()) == (config, [])


def test_every_field_can_be_read_from_a_url_and_none_is_named_like_a_parameter():
    fields = {field.name for field in dataclasses.fields(RunConfig)} - {"params"}
    assert fields == set(READERS)
    parameters = {spec.name for method in consensus_methods().values() for spec in method.params.specs()}
    assert not fields & parameters


@given(st.sampled_from([0.05, 0.333, 2.0]))
def test_parameters_travel_too(theta):
    config = RunConfig().with_param("theta", theta)
    assert from_query(config.to_query()) == (config, [])


@given(
    st.dictionaries(st.sampled_from(["m", "k", "seed", "theta", "off", "krange", "data", "x"]), st.text(max_size=20))
)
def test_no_url_breaks_anything(query):
    config, problems = from_query(query)
    assert from_query(config.to_query()) == (config, [])
    assert len(problems) <= len(query)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"m": "0"}, "whole number from 1 to 1,000"),
        ({"k": "1"}, "whole number from 2"),
        ({"krange": "9-3"}, "must be one of sqrt"),
        ({"seed": "-1"}, "whole number from 0"),
        ({"subspace": "0"}, "share above 0"),
        ({"theta": "much"}, "theta must be a number in"),
        ({"method": "eac", "theta": "0.4"}, "nothing here has that name"),
        ({"off": "a"}, "numbers joined by dots"),
        ({"minus": "1"}, "must be one of yes, no"),
        ({"color": "rainbow"}, "must be one of truth"),
        ({"data": "<script>"}, "no name of a data set"),
    ],
)
def test_each_bad_value_is_named_with_its_rule(query, problem):
    config, problems = from_query(query)
    assert problem in problems[0]
    assert config == RunConfig(method=query.get("method", "lwea"))


def test_a_new_ensemble_switches_everything_on_again():
    config = RunConfig(off=(1, 2))
    assert config.with_(m=9).off == ()
    assert config.with_(k=5).off == (1, 2)


def test_places_in_a_run_are_left_when_the_run_changes():
    config = RunConfig(panel=3, round=4, minus=True)
    changed = config.with_(data="spirals")
    assert (changed.panel, changed.round, changed.minus) == (1, 1, True)
    assert config.with_(off=(1,)).panel == 3
