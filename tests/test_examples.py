"""The examples run from a checkout and print what they promise; so do those that documents give the *source tree*."""

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from bench import wheels
from bench.serving import free_port

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
EXAMPLES_IN = {f"docs/{name}.md" for name in ("library", "scale", "server", "studies")}
PRINTED = {
    "own_labels": ["60 objects in 8 base clusterings: run0, run1", "clusters of 20, 20, 20 objects", "unsure: bottle "],
    "scikit_learn_pipeline": ["theta = 0.4: mean margin 0.", "45 new objects: NMI 0."],
    "study_on_a_cluster": ["iris  eac   NMI 0.", "wine  lwgp  NMI 0.", "3 draws)"],
    "choosing_k": ["votes say", "with one more: "],
    "cells": ["200 cells, ", ", 4 clusters", "the least sure is cell ", "written: cells_consensus.h5ad"],
    "new_method": ["iris: majority 0.", "wine: majority 0.", "moons: majority "],
}


def test_every_example_is_run():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_promises(name, tmp_path):
    command, env = [sys.executable, "-m", f"examples.{name}"], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in PRINTED[name]:
        assert words in done.stdout, done.stdout
        _, _, written = words.partition("written: ")
        assert (tmp_path / written).exists()


SHOWN = wheels.examples()


def test_every_example_that_is_shown_says_where_it_runs():
    assert [example.text for example in SHOWN if not example.where] == []
    assert len(SHOWN) > 14
    by_document = {name: len(wheels.examples_in((ROOT / name).read_text())) for name in wheels.DOCUMENTS}
    assert {name for name, count in by_document.items() if count} == {"README.md", *EXAMPLES_IN}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the tree that nothing else has touched, compiled kernels included, and the files that examples read."""
    place = tmp_path_factory.mktemp("clone")
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    kept += [str(path.relative_to(ROOT)) for path in (ROOT / "engine").rglob("*.nb?")]
    subprocess.run(["cp", "-p", "--parents", "-t", place, *filter(None, kept)], cwd=ROOT, check=True)
    wheels.files_of_the_examples(place)
    return place


SOURCE = [example for example in SHOWN if example.where == "source tree"]


@pytest.mark.parametrize("command", [command for example in SOURCE for command in example.commands])
def test_the_examples_of_the_source_tree_run_from_a_clone(command, clone):
    if "streamlit run" in command:
        serves(command, clone)
        return
    looked_at = {"make": " --dry-run", "pip": " --dry-run"}.get(command.split()[0], "")  # not tests within a test
    path = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command + looked_at], cwd=clone, env=path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    if "--out" in command:
        assert b"<html" in (clone / command.split()[-1]).read_bytes()[:2000]


def serves(command, folder):
    """The app answers where it is started so, and is ended."""
    port = str(free_port())
    options = {"STREAMLIT_SERVER_PORT": port, "STREAMLIT_SERVER_HEADLESS": "true"}
    path = {**os.environ, **options, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    process = subprocess.Popen(["bash", "-c", f"exec env {command}"], cwd=folder, env=path, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            assert process.poll() is None
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                return
            except OSError:
                time.sleep(0.2)
        pytest.fail("the app did not start")
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_fits_a_screen(name):
    assert len((ROOT / "examples" / f"{name}.py").read_text().splitlines()) <= 70
