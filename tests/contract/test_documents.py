"""What the documents show works as shown."""

import re
from pathlib import Path

import numpy as np
import pytest

from engine import Ensemble, consensus_methods, run_consensus
from engine.choosing_k import known_criteria
from engine.consensus import running
from tests.strategies import random_labels, same_partition

ROOT = Path(__file__).parents[2]


def blocks(name):
    """Scripts in a document, as the source tree calls what they import; tests/test_wheel.py runs them as they are."""
    found = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), flags=re.S)
    return [script.replace("concord.data", "data").replace("from concord", "from engine") for script in found]


SCRIPTS = [script for script in blocks("README.md") if "result = " in script]


def test_the_readme_has_scripts_and_one_of_them_prints():
    assert sorted("print(" in script for script in SCRIPTS) == [False, False, True]


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_of_the_readme_run(script, capsys):
    scope: dict = {}
    exec(script, scope)  # the document is what is tested
    assert scope["result"].n_clusters in (3, 4)
    said = capsys.readouterr().out
    if "print(" in script:
        consensus_score, base_score = map(
            float, re.match(r"consensus (0\.\d{3}), best base (0\.\d{3})\n", said).groups()
        )
        assert consensus_score > 0.7 < base_score
    else:
        assert said == ""


def test_the_example_method_becomes_a_method(monkeypatch, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(blocks("docs/adding_a_method.md")[0])
    scope: dict = {"__name__": "mine"}
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), scope)
    monkeypatch.setattr(running, "consensus_methods", lambda: {**consensus_methods(), "mine": scope["METHOD"]})
    labels = random_labels(80, 6, 3, noise=0.02)
    result = run_consensus("mine", Ensemble.from_labels(labels), 3, {"power": 3.0})
    assert result.n_clusters == 3
    assert "dendrogram" in result.trace


def test_every_reference_is_in_the_bibliography():
    written = re.findall(r"@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text())
    entries = set(written)
    assert len(written) == len(entries), "a key stands for one entry"
    assert {method.reference for method in consensus_methods().values()} <= entries
    assert {criterion.reference for criterion in known_criteria().values()} <= entries


def test_every_method_and_page_is_in_the_readme():
    text = (ROOT / "README.md").read_text()
    for key in consensus_methods():
        assert f"`{key}`" in text
    for page in (ROOT / "pages").glob("[0-9]*.py"):
        title = page.stem.split("_", 1)[1].replace("_", " ").capitalize()
        assert f"**{title}**" in text


def test_unanimity_of_the_helpers():
    assert same_partition([0, 1, 1], np.array([5, 2, 2]))
    assert not same_partition([0, 1, 1], [0, 0, 1])
