"""What the documents show works as shown."""

import pkgutil
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import engine
from bench.wheels import DOCUMENTS
from docs import tables
from engine import Ensemble, consensus_methods, run_consensus
from engine.choosing_k import known_criteria
from engine.choosing_method import known_criteria as known_method_criteria
from engine.consensus import running
from engine.generators import known_generators
from engine.selection import known_strategies
from tests.strategies import random_labels, same_partition

ROOT = Path(__file__).parents[2]


def blocks(name):
    """Scripts in a document, as the source tree calls what they import; tests/test_wheel.py runs them as they are."""
    found = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), flags=re.S)
    return [script.replace("concord.data", "data").replace("from concord", "from engine") for script in found]


SCRIPTS = [script for name in DOCUMENTS for script in blocks(name) if "result = " in script]


def test_there_are_scripts_and_one_of_them_prints():
    assert sorted("print(" in script for script in SCRIPTS) == [False, False, True]


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_of_the_documents_run(script, capsys):
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


def printed_beside_ours(file):
    """Table, row and column of every number in a file of `bench/results`, and whether it lies within the spread."""
    found, table = {}, ""
    for line in (ROOT / "bench/results" / file).read_text().splitlines():
        table = line[3:] if line.startswith("## ") else table
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and cells[-1] in ("yes", "no"):
            found[table, cells[0], cells[1]] = cells[-1] == "yes"
    return found


def test_what_is_said_of_printed_numbers_is_what_the_tables_hold():
    own, others = printed_beside_ours("published.md"), printed_beside_ours("published_rivals.md")
    again = {key: within for key, within in others.items() if re.match("(EAC|LWEA)", key[1])}
    rivals = {key: within for key, within in others.items() if key not in again}
    new = [within for key, within in again.items() if key not in own]
    said = " ".join((ROOT / "docs/results.md").read_text().split())
    short = f"of {len(own)} numbers in the tables of LWEA, LWGP, PTA, PTGP and EC-CMS {sum(own.values())} lie within"
    assert short in said
    assert short.replace("EC-CMS ", "EC-CMS, ") in " ".join((ROOT / "README.md").read_text().split()).replace(
        "Of ", "of "
    )
    assert f"{len(rivals)} of the methods that papers compare with {sum(rivals.values())}." in said
    assert f"{len(again)} rows of EAC and LWEA {len(again) - len(new)} are run there once more" in said
    assert f"of the other {len(new)} {sum(new)} lie within" in said
    for table in {key[0] for key in own}:
        within = [value for key, value in own.items() if key[0] == table]
        counted = f"{sum(within)} of {len(within)}", f"all {sum(within)} numbers"
        assert any(words in said.partition("Number by number")[0] for words in counted), table


ROOMS = {found.name for found in pkgutil.iter_modules(engine.__path__)} - {"ensemble"}  # as instances are called


def test_every_place_that_notation_names_is_there():
    second = "".join(line.split("|")[2] for line in (ROOT / "docs/notation.md").read_text().splitlines() if "|" in line)
    named = [name for name in re.findall(r"`(\w+(?:\.\w+)+)", second) if name.partition(".")[0] in ROOMS]
    assert len(named) > 40
    for name in named:
        pkgutil.resolve_name(f"engine.{name}")


def test_every_reference_is_in_the_bibliography():
    written = re.findall(r"@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text())
    entries = set(written)
    assert len(written) == len(entries), "a key stands for one entry"
    assert {method.reference for method in consensus_methods().values()} <= entries
    assert {generator.reference for generator in known_generators().values()} <= entries
    assert {criterion.reference for criterion in known_criteria().values()} <= entries
    assert {criterion.reference for criterion in known_method_criteria().values()} <= entries
    assert {strategy.reference for strategy in known_strategies().values()} <= entries


def test_the_readme_is_read_in_one_sitting():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 130


@pytest.mark.parametrize("path", tables.documents(), ids=lambda path: path.name)
def test_what_a_document_links_to_is_there(path):
    targets = re.findall(r"\]\((?!https?:)([^)\s#]+)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", tables.documents(), ids=lambda path: path.name)
def test_the_tables_of_a_document_are_current(path):
    text = path.read_text()
    assert tables.current(text) == text, "python -m docs.tables"


def test_every_table_stands_in_a_document():
    found = [name for path in tables.documents() for name in tables.MARKS.findall(path.read_text())]
    assert sorted(found) == sorted(tables.TABLES)
    assert {path.name for path in tables.documents()} - {"README.md"} <= set(
        re.findall(r"\]\((\w+\.md)", (ROOT / "docs" / "README.md").read_text())
    )


def is_there(name):
    """Whether a path of the tree is there, or a dotted name can be imported."""
    if "/" in name or (ROOT / name).exists():
        return (ROOT / name).exists()
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def named(text):
    """Paths and dotted names of ours among what a document sets in code."""
    spans = re.findall(r"`([^`\n]+)`", text)
    return [span for span in spans if re.fullmatch(r"(app|engine|data|ui|pages|tests|bench|docs)([./][\w./]+)?", span)]


def test_the_architecture_names_what_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert [name for name in named(text) if not is_there(name)] == []
    assert len(set(named(text))) > 60
    prose = tables.MARKS.sub("", text).splitlines()
    assert len(prose) < 130  # two screens, and the tables


def test_a_name_that_is_gone_is_noticed():
    gone = "`ui/views.py` and `engine.run`, `ui.session.state.change` and `app.py`, `concord`, `tick`"
    assert [(name, is_there(name)) for name in named(gone)] == [
        ("ui/views.py", False),
        ("engine.run", False),
        ("ui.session.state.change", True),
        ("app.py", True),
    ]


def test_what_a_registry_learns_changes_its_table(monkeypatch):
    new = replace(consensus_methods()["eac"], key="mine", title="Mine")
    monkeypatch.setattr(tables, "consensus_methods", lambda: {**consensus_methods(), "mine": new})
    text = (ROOT / "docs" / "methods.md").read_text()
    added = set(tables.current(text).splitlines()) - set(text.splitlines())
    assert [line[:17] for line in added] == ["| `mine` | Mine |"]


def test_unanimity_of_the_helpers():
    assert same_partition([0, 1, 1], np.array([5, 2, 2]))
    assert not same_partition([0, 1, 1], [0, 0, 1])
