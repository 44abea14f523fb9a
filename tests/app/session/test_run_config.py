import importlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import consensus_methods
from engine.generators import known_generators
from engine.params import Float, Number
from engine.similarities import pair_evidence
from ui.session.run_config import RunConfig, from_query
from ui.session.settings import Places, Ranges, Setting, Several, Written, settings

#: Text of every pattern that settings have.
WRITTEN = ("", "word", "upload-1", "features/d31", "theta:0.2,0.4", "T:auto,3")
#: What the kind alone would not try.
ALSO = {"k_range": [(3, 9)], "inverse_h": [(0.01, 55.5), (1e-5, 3.0)], "flow": [("own12", "eac")]}


def values_of(name):
    """The default of a setting, and values that its kind takes."""
    one = settings()[name]
    return [one.default, *([None] if one.kind.optional else []), *taken_by(one.kind), *ALSO.get(name, ())]


def taken_by(kind):
    if isinstance(kind, Number):
        low, high = max(kind.span[0], 1e-3 if kind.low_open else 0), min(kind.span[1], 2**31 - 1)
        return kind.ladder(low, high) if not kind.log else kind.ladder()
    if isinstance(kind, Places):
        return [tuple(range(3, 3 + (kind.n or 2)))]
    if isinstance(kind, Ranges):
        return [((0, 0), (3, 7))]
    if isinstance(kind, Several):
        some = list(dict.fromkeys(taken_by(kind.of)))[-3:]
        return [tuple(some[:1]), tuple(some)]
    if isinstance(kind, Written):
        return [text for text in WRITTEN if re.fullmatch(kind.pattern, text)]
    return kind.ladder()


configs = st.builds(RunConfig, **{name: st.sampled_from(values_of(name)) for name in settings()})


@pytest.mark.parametrize("name", settings())
def test_a_kind_takes_what_it_writes_and_refuses_the_rest(name):
    one = settings()[name]
    tried = [value for value in values_of(name) if one.text(value)]  # nothing chosen has no text
    assert tried
    assert [one.read(one.text(value)) for value in tried] == tried
    for wrong in one.kind.refused():
        with pytest.raises(ValueError):  # noqa: PT011 - of the kind, with the value alone
            one.kind.read(wrong)


@given(configs)
def test_a_url_holds_the_whole_state(config):
    assert from_query(config.to_query()) == (config, [])


@pytest.mark.parametrize("name", "it's|50%|R&D|[1]|a,b|a:b|a;b|q#1|v1~2|x=y|x@y|a%2Cb|50%25".split("|"))
def test_files_may_be_called_as_people_call_them(name):
    config = RunConfig(data=name, sets=(name, "iris"), only=("iris", name))
    assert from_query(config.to_query()) == (config, [])


def test_settings_are_declared_once(monkeypatch):
    module = importlib.import_module("ui.scene.data_set")
    twice = Setting("theta", 1.0, Float(), "Another theta.")
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
        ({"m": "0"}, "an integer in [1, 1000]"),
        ({"k": "1"}, "an integer in [2, inf)"),
        ({"k_range": "9-3"}, "k_range=9-3: must be one of sqrt"),
        ({"seed": "-1"}, "an integer in [0, 2147483647]"),
        ({"feature_fraction": "0"}, "must be a number in"),
        ({"inverse_h": "5-1"}, "a pair of numbers"),
        ({"K": "0"}, "must be an integer"),
        ({"theta": "much"}, "must be a number in"),
        ({"thetta": "0.4"}, "nothing here has that name"),
        ({"switched_off": "a"}, "numbers joined by dots"),
        ({"right_minus_left": "1"}, "must be yes or no"),
        ({"color": "rainbow"}, "must be one of truth"),
        ({"data": "<script>"}, "must be the name of a data set"),
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
