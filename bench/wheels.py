"""The package `concord` built and installed into an environment of its own: for a test, and for the lowest versions."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*words: object, **options) -> str:
    """What a process prints.

    Raises
    ------
    AssertionError
        If it fails, with what it said.
    """
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    given = [str(word) for word in words]
    done = subprocess.run(given, capture_output=True, text=True, check=False, env=clean, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def wheel(copy: Path, out: Path) -> Path:
    """The wheel of a copy of the tree, for building leaves files behind."""
    for name in ("engine", "data", "pyproject.toml", "README.md", "LICENSE"):
        run("cp", "-r", ROOT / name, copy)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, copy)
    (found,) = out.glob("concord-*.whl")
    return found


def environment(folder: Path, packages: Sequence[object]) -> Path:
    """A fresh environment with some packages; the folder of its programs."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "-q", *packages)
    return folder / "bin"


def run_the_readme(programs: Path, scratch: Path) -> int:
    """Run the examples of "As a library"; how many there were."""
    text = (ROOT / "README.md").read_text()
    section = text[text.index("## As a library") :].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, flags=re.S)
    for place, block in enumerate(blocks):
        (scratch / f"example_{place}.py").write_text(block)
        run(programs / "python", f"example_{place}.py", cwd=scratch)
    return len(blocks)


def check_the_estimators(programs: Path, scratch: Path) -> str:
    """Run scikit-learn's checks on the installed estimators; the last line said."""
    checks = (ROOT / "tests" / "engine" / "test_estimators.py").read_text()
    (scratch / "test_installed.py").write_text(re.sub(r"^from engine", "from concord", checks, flags=re.M))
    command = [programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_installed.py"]
    return run(*command, cwd=scratch).strip().splitlines()[-1]
