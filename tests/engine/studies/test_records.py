"""Records: what they say of themselves."""

import tomllib
from dataclasses import replace
from pathlib import Path

from engine import __version__
from engine.studies.records import record_of
from engine.studies.study import Study, expand
from tests.engine.studies.examples import sample

ROOT = Path(__file__).parents[3]


def test_the_version_stands_in_one_place():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["project"]["version"] == __version__


def test_what_a_record_says_of_itself_stays(store, sources):
    (task,) = expand(Study(("blobs",), ("lwea",), repeats=1), sources)
    store.add([record_of(task, k=3), sample("b", generator="mine")])
    assert store.of([task, replace(task, key="b")])["b"].generator == "mine"
    assert store.find(["b"])["b"].params == "{}"
