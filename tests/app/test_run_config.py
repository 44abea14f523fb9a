import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.run_config import RunConfig, from_query

configs = st.builds(
    RunConfig,
    data=st.sampled_from(["moons", "features/d31", "upload-00ff"]),
    scaling=st.sampled_from(["standard", "none"]),
    m=st.integers(1, 1000),
    krange=st.sampled_from(["sqrt", "half_sqrt", "3-9"]),
    ninit=st.integers(1, 50),
    subspace=st.sampled_from([1.0, 0.35]),
    seed=st.integers(0, 2**31 - 1),
    method=st.sampled_from(["eac", "lwgp"]),
    k=st.none() | st.integers(2, 500),
    off=st.sampled_from([(), (0,), (1, 5)]),
)


@given(configs)
def test_a_url_holds_the_whole_state(config):
    assert from_query(config.to_query()) == (config, [])


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
