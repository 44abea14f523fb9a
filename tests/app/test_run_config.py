import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import consensus_methods
from engine.generators import generator_concepts, known_generators
from engine.partitions import DISTANCES
from engine.selection import known_strategies
from engine.similarities import pair_evidence
from ui.session.query import from_query
from ui.session.run_config import RunConfig
from ui.session.settings import Setting, method_concepts, settings

#: A few values of each setting; `test_every_setting_is_tried` holds that none is forgotten.
VALUES = {
    "data": ["moons", "features/d31", "upload-00ff"],
    "scaling": ["standard", "none"],
    "m": [1, 20, 1000],
    "generator": list(known_generators()),
    "seed": [0, 7, 2**31 - 1],
    "method": list(consensus_methods()),
    "k": [None, 2, 500],
    "lend": [False, True],
    "labelled": [False, True],
    "measure": ["nmi_max", "ari"],
    "view": ["plain", "tsne"],
    "switched_off": [(), (0,), (1, 5)],
    "map_distance": list(DISTANCES),
    "strategy": list(known_strategies()),
    "keep": [0.1, 0.5, 1.0],
    "method_beside": ["eac", "lwgp"],
    "panel": [1, 84],
    "pick": [(), ((0, 0), (3, 7))],
    "pair": [(), (3, 99)],
    "truth": [True, False],
    "left": ["ca", "enhanced"],
    "right": ["lwca", "truth"],
    "order": ["truth", "input"],
    "zoom": [(), (0, 20, 5, 9)],
    "families": [(), ("trees", "soft")],
    "takes": ["any", "labels"],
    "about": ["", "eac"],
    "notes": [False, True],
    "budget": [5, 60],
    "pictured": [False, True],
    "compared": ["methods", "settings"],
    "lesson": ["", "crowd"],
    "step": [1, 7],
    "lecture": [False, True],
    "k_max": [2, 10, 50],
    "confidence": [False, True],
    "sample": [None, 100, 20_000],
    "unsure": [0.02, 0.05, 0.3],
    "cluster_order": ["clustering", "tree"],
    "cluster_pair": [(), (3, 17)],
    "brightest": [0.05, 0.25, 1.0],
    "right_minus_left": [True, False],
    "color": ["truth", "density"],
    "brightest_enhanced": [0.3, 0.7],
    "ablation": ["full", "no_laplacian"],
    "warm": [True, False],
    "roots": [(), (0, 4)],
    "round": [1, 99],
    "nearest": [True, False],
    "lac_inverse_h": [0.2, 5.0, 700.0],
    "axes": [(), (0, 3)],
    "x": ["", "theta:0.2,0.4"],
    "y": ["", "T:auto,3"],
    "draws": [2, 1000],
    "policy": ["true", "page", "lifetime"],
    "internal": ["margin", "anmi", "stability"],
    "methods": [("eac",), ("lwea", "got")],
    "sets": [("iris",), ("moons", "features/d31")],
    "flow": [(), ("eac", "lwea"), ("own12", "eac")],
    "blind": [False, True],
    "own": ["", "upload-1"],
    "table": ["huang2018lwea-5"],
    "only": [(), ("iris",)],
    "printed_by": [(), ("lwea", "ptgp")],
    "k_range": ["sqrt", "half_sqrt", (3, 9)],
    "inverse_h": [(0.1, 1000.0), (0.01, 55.5), (1e-5, 3.0)],
}


def values_of(name):
    """Values to try: by hand for settings of pages, the ladder of its kind for a knob."""
    if name in VALUES:
        return VALUES[name]
    spec = {**method_concepts(), **generator_concepts()}[name]
    return [spec.default, *spec.kind.ladder()]


configs = st.builds(RunConfig, **{name: st.sampled_from(values_of(name)) for name in settings()})


def test_every_setting_of_a_page_is_tried():
    knobs = method_concepts().keys() | generator_concepts().keys()
    assert settings().keys() - knobs <= VALUES.keys() <= settings().keys()


@given(configs)
def test_a_url_holds_the_whole_state(config):
    assert from_query(config.to_query()) == (config, [])


def test_settings_are_declared_once(monkeypatch):
    module = importlib.import_module("ui.start")
    twice = Setting("theta", 1.0, float, "Another theta.")
    monkeypatch.setattr(module, "SETTINGS", (*module.SETTINGS, twice))
    with pytest.raises(ValueError, match="two settings are called 'theta'"):
        settings.__wrapped__()


def test_parameters_of_one_concept_have_one_kind_and_one_default():
    every = [*consensus_methods().values(), *known_generators().values(), *pair_evidence().values()]
    found = {}
    for spec in (spec for one in every for spec in one.params.specs()):
        found.setdefault(spec.concept, set()).add((spec.kind, spec.default))
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_a_knob_has_one_value_for_the_whole_app():
    config = RunConfig(method="lwea", theta=4.0, K=1)
    assert config.with_(method="ec_cms").method_params.theta == 4.0
    assert config.with_(method="pta").method_params.K == 1
    assert from_query(config.with_(method="eac").to_query())[0].with_(method="lwgp").method_params.theta == 4.0


def test_parameters_that_only_share_a_letter_are_other_knobs():
    config = RunConfig(generator="lac", lac_k=5)
    assert config.recipe.params.k == 5
    assert config.k is None


@pytest.mark.parametrize("name", ["krange", "eci", "elite", "steps", "hlow", "off", "glow"])
def test_names_that_no_setting_has_are_said_and_left_out(name):
    assert from_query({name: "1"}) == (RunConfig(), [f"{name}=1: nothing here has that name. It was left out."])


def test_matrices_are_found_under_the_names_of_the_trace_too():
    assert from_query({"left": "co_association", "right": "trajectories"}) == (RunConfig(left="ca", right="pts"), [])


@given(
    st.dictionaries(
        st.sampled_from(["m", "k", "seed", "theta", "switched_off", "k_range", "data", "x", "inverse_h"]),
        st.text(max_size=20),
    )
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
        ({"k_range": "9-3"}, "k_range must be one of sqrt"),
        ({"seed": "-1"}, "whole number from 0"),
        ({"feature_fraction": "0"}, "feature_fraction must be a number in"),
        ({"inverse_h": "5-1"}, "a pair of numbers"),
        ({"K": "0"}, "K must be an integer"),
        ({"theta": "much"}, "theta must be a number in"),
        ({"thetta": "0.4"}, "nothing here has that name"),
        ({"switched_off": "a"}, "numbers joined by dots"),
        ({"right_minus_left": "1"}, "must be one of yes, no"),
        ({"color": "rainbow"}, "must be one of truth"),
        ({"data": "<script>"}, "no name of a data set"),
    ],
)
def test_each_bad_value_is_named_with_its_rule(query, problem):
    config, problems = from_query(query)
    assert problem in problems[0]
    assert config == RunConfig(method=query.get("method", "lwea"))


def test_a_new_ensemble_switches_everything_on_again():
    config = RunConfig(switched_off=(1, 2), k=4)
    for name in [name for name, one in settings().items() if one.makes_ensemble]:
        other = next(value for value in values_of(name) if value != getattr(config, name))
        assert config.with_(**{name: other}).switched_off == (), name
    assert config.with_(k=5).switched_off == (1, 2)


def test_other_data_forget_what_belonged_to_the_old():
    config = RunConfig(k=4, lac_k=5, zoom=(0, 2, 0, 2), pair=(1, 2), axes=(0, 1), theta=0.2)
    changed = config.with_(data="iris")
    assert (changed.k, changed.lac_k, changed.zoom, changed.pair, changed.axes) == (None, None, (), (), ())
    assert changed.theta == 0.2
    assert config.with_(data="iris", k=6).k == 6
    assert config.with_(order="tree").zoom == ()


def test_a_run_config_never_changes():
    with pytest.raises(AttributeError, match="never changes"):
        RunConfig().m = 3
    with pytest.raises(TypeError, match="no setting is called thetta"):
        RunConfig(thetta=3)


def test_places_in_a_run_are_left_when_the_run_changes():
    config = RunConfig(panel=3, round=4, right_minus_left=True)
    changed = config.with_(data="spirals")
    assert (changed.panel, changed.round, changed.right_minus_left) == (1, 1, True)
    assert config.with_(switched_off=(1,)).panel == 3
