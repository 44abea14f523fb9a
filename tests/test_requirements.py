"""Lists of packages: all that is imported is listed, all that is listed is locked, and nothing weak is."""

import ast
import re
import sys
import tomllib
from datetime import UTC, date, datetime
from importlib.metadata import packages_distributions

import pytest
from packaging.version import Version

from bench import audit
from bench.wheels import ROOT

OURS = {"bench", "concord", "data", "engine", "tests", "ui"}
#: Packages that are optional even for the app, as pip knows them: whoever needs one says so, and how to install it.
OPTIONAL = {"dask", "distributed", "mtkahypar", "typst", "imageio-ffmpeg"}
LOCK = (ROOT / "requirements.lock").read_text()


def listed(name):
    text = (ROOT / name).read_text()
    return {found.lower(): version for found, version in re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+)", text, re.M)}


def plain(name):
    """A name as package indexes compare it."""
    return re.sub("[-_.]+", "-", name).lower()


def imported(rooms):
    """Top-level names of all imports, those by name (`imported("x")`) too."""
    found = set()
    for path in [*(file for room in rooms for file in (ROOT / room).rglob("*.py")), ROOT / "app.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(node.module)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "imported":
                found.add(ast.literal_eval(node.args[0]))
    return {name.partition(".")[0] for name in found} - set(sys.stdlib_module_names) - OURS


def test_all_that_the_app_imports_is_listed():
    distributions, names = packages_distributions(), imported(["engine", "data", "ui", "pages"])
    assert {"numpy", "pyarrow", "PIL", "streamlit"} <= names
    missing = {
        name
        for name in names
        if plain(name) not in OPTIONAL
        and not {re.sub("[-_.]+", "-", one).lower() for one in distributions.get(name, [name])}
        & listed("requirements.txt").keys()
    }
    assert not missing


def test_what_is_optional_is_not_installed_with_the_app_but_for_the_tests():
    assert not OPTIONAL & listed("requirements.txt").keys()
    assert not OPTIONAL & audit.locked(LOCK).keys()
    assert OPTIONAL - {"distributed"} <= listed("requirements-dev.txt").keys()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {re.split(r"[\[>]", one)[0] for extra in project.values() for one in extra}
    assert OPTIONAL - {"distributed"} <= named


def test_all_that_is_listed_is_locked_in_that_version_and_with_hashes():
    versions = audit.locked(LOCK)
    assert {name: str(versions[name]) for name in listed("requirements.txt")} == listed("requirements.txt")
    blocks = re.split(r"^(?=[a-z])", LOCK, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(versions)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", block) for block in blocks)
    assert not re.search(r"https?:|//|--index|--find-links|--extra|--trusted", LOCK)


def test_nothing_that_is_locked_is_on_the_pinned_list():
    content = tomllib.loads((ROOT / ".ci" / "advisories.toml").read_text())
    assert isinstance(content["written"], date)
    assert date(2026, 11, 1) <= content["written"] <= datetime.now(UTC).date()
    assert {one["package"] for one in content["advisory"]} <= audit.locked(LOCK).keys()
    assert all(re.fullmatch(r"(CVE|GHSA|PYSEC)-[\w-]+", one["id"]) for one in content["advisory"])
    assert not audit.pinned(audit.locked(LOCK), content["advisory"])


def test_a_weak_version_is_named():
    versions = audit.locked("jinja2==3.1.5 \\\n    --hash=sha256:0\nnumpy==2.0 ; python_version < '3'\n")
    assert versions == {"jinja2": Version("3.1.5"), "numpy": Version("2.0")}
    advisories = [{"package": "jinja2", "fixed": "3.1.6", "id": "CVE-1"}, {"package": "x", "fixed": "1", "id": "CVE-2"}]
    assert audit.pinned(versions, advisories) == ["jinja2 3.1.5: CVE-1, mended in 3.1.6"]


@pytest.mark.parametrize(
    ("said", "weaknesses", "looked_up"),
    [
        ('{"dependencies": [{"name": "a", "skip_reason": "not found"}]}', [], 0),
        ("", [], 0),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1"}]},'
            ' {"name": "b", "version": "1", "vulns": []}]}',
            ["a 1: X-1"],
            2,
        ),
    ],
)
def test_what_pip_audit_says_is_read_and_its_silence_is_no_answer(said, weaknesses, looked_up, monkeypatch):
    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: type("Done", (), {"stdout": said}))
    assert audit.asked() == (weaknesses, looked_up)
    monkeypatch.setattr(audit, "asked", lambda: (weaknesses, looked_up))
    assert audit.main() == bool(weaknesses)


def test_an_audit_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(audit, "_SECONDS", 0.01)
    assert audit.asked() == ([], 0)
