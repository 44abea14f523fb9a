"""Keys of jobs come from their inputs: every input counts, and nothing else can."""

import ast
import importlib
import inspect
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

import data
from engine import Ensemble
from engine.generators import Recipe
from engine.methods.lwea import LWEAParams
from tests.app.conftest import ROOT
from tests.strategies import random_labels
from ui.compute.jobs import State
from ui.compute.work import key_of, remember, start, token
from ui.scene import nodes


def job_functions():
    """Every node that may take long, and every other function handed to `start`, by where it is handed over."""
    found = {name: ({name: node.make}, name) for name, node in nodes().items() if node.long}
    for path in sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("[0-9]*.py")]):
        tree = ast.parse(path.read_text())
        own = any(isinstance(node, ast.FunctionDef) and node.name == "start" for node in tree.body)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
            called = ast.unparse(call.func)
            if (
                called in {"work.start", *([] if own else ["start"])}
                and isinstance(call.args[0], ast.Name | ast.Attribute)
                and ast.unparse(call.args[0]) != "node.make"
            ):
                found[f"{path.name}:{call.lineno}"] = (_names(path, tree), ast.unparse(call.args[0]))
    return found


def _names(path, tree):
    """What a file imports or defines, by name, without running a page."""
    names = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = importlib.import_module(node.module)
                value = getattr(module, alias.name, None) or importlib.import_module(f"{node.module}.{alias.name}")
                names[alias.asname or alias.name] = value
    if path.is_relative_to(ROOT / "ui"):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        names |= vars(module)
    return names


FOUND = job_functions()


def test_all_job_functions_are_seen():
    assert len(FOUND) >= 20
    assert {"mixing", "ensemble", "consensus", "influence", "stage", "run_all"} <= {
        text.split(".")[-1] for _, text in FOUND.values()
    }


@pytest.mark.parametrize("place", FOUND)
def test_a_job_is_a_function_of_a_module_that_hears_a_cancel_and_touches_no_session(place):
    names, text = FOUND[place]
    function = eval(text, names)  # a name or an attribute, from our own files
    assert inspect.isfunction(function)
    assert key_of(function)[:2] == (function.__module__, function.__qualname__)
    assert "monitor" in inspect.signature(function).parameters
    assert not {"st", "config", "session_state"} & set(function.__code__.co_names)


@dataclass(frozen=True)
class Plain:
    """A value made of values."""

    name: str
    array: np.ndarray


def ensemble(seed):
    return Ensemble.from_labels(random_labels(30, 4, 3, seed=seed))


#: Two different inputs of every type there is.
INPUTS = {
    "int and float": (1, 1.0),
    "bool and int": (True, 1),
    "str": ("a", "b"),
    "None": (None, "None"),
    "tuple": ((1, 2), (1, 3)),
    "tuple and list": ((1, 2), [1, 2]),
    "nested": ((("x", (1,)),), (("x", (2,)),)),
    "mapping": ({"a": 1}, {"a": 2}),
    "one value in a long array": (np.arange(10_000), np.where(np.arange(10_000) == 9_000, -1, np.arange(10_000))),
    "shape": (np.zeros((2, 3)), np.zeros((3, 2))),
    "dtype": (np.zeros(3, np.int32), np.zeros(3, np.float32)),
    "sparse": (sparse.csr_array(np.eye(3)), sparse.csr_array(2 * np.eye(3))),
    "params": (LWEAParams(0.4), LWEAParams(0.4000001)),
    "recipe": (Recipe(), Recipe.of(n_init=2)),
    "generator": (Recipe(), Recipe.of("subspaces")),
    "ensemble": (ensemble(0), ensemble(1)),
    "microclusters": (ensemble(0).microclusters, ensemble(1).microclusters),
    "dataset": (data.load("iris"), data.load("wine")),
    "dataclass": (Plain("a", np.zeros(2)), Plain("a", np.ones(2))),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_every_input_is_in_the_key(kind):
    one, other = INPUTS[kind]
    assert key_of(ensemble, one) != key_of(ensemble, other)
    assert key_of(ensemble, one, 1) == key_of(ensemble, one, 1)
    assert key_of(ensemble, one) != key_of(random_labels, one)
    assert hash(key_of(ensemble, one)) != hash(key_of(ensemble, other))


def test_equal_content_is_one_key():
    assert token(ensemble(3)) == token(ensemble(3))
    assert token(np.arange(5)) == token(np.arange(10)[:5].copy())
    assert token(Plain("a", np.zeros(2))) == token(Plain("a", np.zeros(2)))


def test_a_writeable_array_is_read_anew_and_a_read_only_one_once(monkeypatch):
    array = np.zeros(4)
    before = token(array)
    array[2] = 1
    assert token(array) != before
    array.setflags(write=False)
    known = token(array)
    monkeypatch.setattr("ui.compute.work._digest", lambda _: pytest.fail("hashed again"))
    assert token(array) == known


def test_a_result_stands_for_itself_by_the_key_that_made_it():
    made = Plain("result", np.zeros(3))
    remember(made, ("job", 1))
    assert token(made) == ("result of", ("job", 1))
    remember(made, ("job", 2))  # handed on by another job
    assert token(made) == ("result of", ("job", 1))


def test_what_a_function_closes_over_or_a_session_is_refused():
    from ui.session.run_config import RunConfig

    with pytest.raises(TypeError, match="closes over nothing"):
        key_of(lambda monitor: 0)
    with pytest.raises(TypeError, match="RunConfig has no token"):
        key_of(ensemble, RunConfig())


def doubled(value, monitor):
    """A job."""
    monitor.tick("doubling", 0, 1)
    return np.asarray(value) * 2


def test_a_job_started_twice_runs_once_and_its_result_feeds_another():
    first = start(doubled, (1, 2))
    assert start(doubled, (1, 2)) is first
    result = first.future.result()
    second = start(doubled, result, slot="second")
    assert second.future.result().tolist() == [4, 8]
    assert second.key == key_of(doubled, result)
    assert first.state is State.DONE
