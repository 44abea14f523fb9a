from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

from engine import InvalidParameterError, Params
from engine.params import Choice, Float, Int, Switch, param


@dataclass(frozen=True)
class Example(Params):
    """One of each kind."""

    theta: float = param(0.4, "θ", "a number", low=0, low_open=True, slider=(0.1, 4))
    K: int | None = param(None, "K", "neighbours", low=1, high=50)
    link: Literal["a", "b"] = param("a", "link", "a choice")
    refine: bool = param(True, "refine", "a switch")


def test_specs_describe_the_fields():
    theta, k, link, refine = Example.specs()
    assert (theta.kind, theta.default) == (Float(low=0, low_open=True, slider=(0.1, 4)), 0.4)
    assert k.kind == Int(optional=True, low=1, high=50)
    assert link.kind == Choice(choices=("a", "b"))
    assert refine.kind == Switch()
    assert Example.specs() is Example.specs()


def test_values_are_brought_to_one_type():
    made = Example.of({"theta": 1, "K": np.int64(3), "refine": np.bool_(False)})
    assert made == Example(theta=1.0, K=3, refine=False)
    assert [type(v) for v in made.as_dict().values()] == [float, int, str, bool]
    assert hash(made) == hash(Example(theta=1.0, K=3, refine=False))
    assert Example.of({"K": 4.0}).K == 4
    assert Example.of(made) is made


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"theta": 0}, r"theta must be a number in \(0, inf\). Got 0"),
        ({"theta": float("nan")}, "Got nan"),
        ({"theta": "0.4"}, "Got '0.4'"),
        ({"theta": True}, "Got True"),
        ({"K": 0}, r"K must be an integer in \[1, 50\], or None \(automatic\). Got 0"),
        ({"K": 2.5}, "Got 2.5"),
        ({"K": float("inf")}, "Got inf"),
        ({"link": "c"}, "link must be one of 'a', 'b'. Got 'c'"),
        ({"refine": 1}, "refine must be True or False. Got 1"),
        ({"thetta": 1}, "'thetta' is no parameter here; known: theta, K, link, refine"),
    ],
)
def test_a_refusal_has_the_name_the_rule_and_the_value(values, message):
    with pytest.raises(InvalidParameterError, match=message):
        Example.of(values)
