"""Nobody imports what the thread that loads ahead is importing: one of two would find half a package."""

import ast
import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ui.frame import ahead

ROOT = Path(__file__).parents[3]
OURS = ("data", "engine", "ui")


def imported(node):
    """Modules that an import statement names."""
    if isinstance(node, ast.ImportFrom):
        return [node.module]
    return [one.name for one in node.names] if isinstance(node, ast.Import) else []


def test_what_runs_for_every_visitor_waits_before_it_imports_anything_of_ours():
    body = ast.parse((ROOT / "ui" / "frame" / "main.py").read_text()).body
    waits = [ast.unparse(node) for node in body].index("loaded()")
    before = [name for node in body[:waits] for name in imported(node) if name.split(".")[0] in OURS]
    assert before == ["ui.frame.ahead"]


async def _started():
    async with ahead.load_ahead(None):
        pass


def test_waiting_ends_when_all_is_loaded(monkeypatch):
    there, done = threading.Event(), threading.Event()
    monkeypatch.setattr(ahead, "_load", there.wait)
    monkeypatch.setattr(ahead, "_at_work", [])
    asyncio.run(_started())
    visitor = threading.Thread(target=lambda: (ahead.loaded(), done.set()))
    visitor.start()
    assert not done.wait(0.2)
    there.set()
    assert done.wait(30)
    visitor.join()


@pytest.mark.long
def test_every_package_that_imports_its_own_parts_is_loaded_then():
    own = set()
    for file in [one for top in OURS for one in (ROOT / top).rglob("__init__.py")]:
        package = ".".join(file.parent.relative_to(ROOT).parts)
        for node in ast.walk(ast.parse(file.read_text())):
            below = isinstance(node, ast.ImportFrom) and node.level > 0
            if below or any(name.startswith(f"{package}.") for name in imported(node)):
                own.add(package)
    own.remove("engine.distributed")  # no page needs it
    assert len(own) > 10
    look = f"import sys; from ui.frame import ahead; ahead._load(); print(sorted({own!r} - sys.modules.keys()))"
    found = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.stdout.strip() == "[]", found.stdout + found.stderr


@pytest.mark.long
def test_loading_leaves_the_interpreter_as_it_was():
    look = "import gc, sys; from ui.frame import ahead; before = sys.getswitchinterval(); ahead._load()"
    look += "; print(gc.isenabled(), gc.get_freeze_count() > 100_000, sys.getswitchinterval() == before)"
    found = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.stdout.strip() == "True True True", found.stdout + found.stderr
