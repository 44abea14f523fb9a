"""The package `concord` built and installed into an environment of its own: for a test, and for the lowest versions."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
#: What has examples to be run; what is added or written by those who read docs/adding_* has its own tests.
DOCUMENTS = ["README.md", *sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md") if "ing_" not in path.name)]


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
    for name in ("engine", "data", "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        run("cp", "-r", ROOT / name, copy)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, copy)
    (found,) = out.glob("concord-*.whl")
    return found


def environment(folder: Path, packages: Sequence[object]) -> Path:
    """A fresh environment with some packages; the folder of its programs."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "-q", *packages)
    return folder / "bin"


@dataclass(frozen=True)
class Example:
    """A block of README, or of another document, that can be run.

    Attributes
    ----------
    where : str
        "package" or "source tree", as stands above it; empty where nothing does.
    extras : tuple of str
        What of the package it needs beside the plainest install.
    language : str
        "python", or "sh" for commands.
    text : str
    """

    where: str
    extras: tuple[str, ...]
    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """Its lines without comments, where it is commands."""
        return [re.split(r"\s+#", line)[0] for line in self.text.splitlines()]


def examples() -> list[Example]:
    """Every block of README and of the documents but files (TOML, nginx), in its order."""
    return [example for name in DOCUMENTS for example in examples_in((ROOT / name).read_text())]


def examples_in(text: str) -> list[Example]:
    """Every block of one document that can be run."""
    found = []
    for block in re.finditer(r"^```(\w*)\n(.*?)^```|(?:^    \S[^\n]*\n)+", text, flags=re.S | re.M):
        language = "sh" if block[1] in ("", "bash", None) else block[1]
        if language in ("toml", "nginx"):
            continue
        said = text[: block.start()].rstrip().split("\n\n")[-1]
        marks = re.findall(r"\*(package|source tree)\*", said)
        extras = tuple(re.findall(r"\*package\*, with `concord\[(\w+)\]`", said))
        body = block[2] if block[2] is not None else re.sub("^    ", "", block[0], flags=re.M)
        found.append(Example(marks[0] if len(marks) == 1 else "", extras, language, body))
    return found


def files_of_the_examples(folder: Path) -> None:
    """Write the files that examples read: labels, features, a table with roles, runs, a study."""
    rng = np.random.default_rng(0)
    truth = np.arange(300) % 3
    labels = np.where(rng.random((300, 8)) < 0.2, rng.integers(0, 5, (300, 8)), truth[:, None])
    np.savetxt(folder / "labels.csv", labels, "%d", ",")
    np.savetxt(folder / "features.csv", rng.normal(size=(300, 4)) + 6 * truth[:, None], "%.6f", ",")
    rows = [f"thing {i},{','.join(map(str, row))},seen twice" for i, row in enumerate(labels)]
    (folder / "table.csv").write_text("\n".join(["name,a,b,c,d,e,f,g,h,remark", *rows]) + "\n")
    np.savetxt(folder / "mine.csv", np.arange(150) // 50, "%d")  # somebody's answer on iris
    (folder / "runs").mkdir()
    for m, column in enumerate(labels.T):
        np.savetxt(folder / "runs" / f"run{m}.csv", column, "%d")
    study = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "studies.md").read_text(), flags=re.S)[0]
    for name in ("theta.toml", "STUDY.toml"):
        (folder / name).write_text(study)


def run_example(example: Example, python: Path, folder: Path) -> str:
    """What an example prints, run by this Python in a folder with the files they read; an error fails."""
    if example.language == "python":
        (folder / "example.py").write_text(example.text)
        return run(python, "example.py", cwd=folder)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return "".join(run("env", f"PATH={path}", "bash", "-c", command, cwd=folder) for command in example.commands)


def run_the_examples(programs: Path, scratch: Path) -> int:
    """Run the examples of the package that need no extra; how many there were."""
    files_of_the_examples(scratch)
    plain = [example for example in examples() if example.where == "package" and not example.extras]
    for example in plain:
        run_example(example, programs / "python", scratch)
    return len(plain)


def check_the_estimators(programs: Path, scratch: Path) -> str:
    """Run scikit-learn's checks on the installed estimators; the last line said."""
    checks = (ROOT / "tests" / "engine" / "test_estimators.py").read_text()
    (scratch / "test_installed.py").write_text(re.sub(r"^from engine", "from concord", checks, flags=re.M))
    command = [programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_installed.py"]
    return run(*command, cwd=scratch).strip().splitlines()[-1]
