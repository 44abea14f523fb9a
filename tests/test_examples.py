"""The examples run from a checkout and print what they promise."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
PRINTED = {
    "own_labels": ["60 objects in 8 base clusterings: run0, run1", "clusters of 20, 20, 20 objects", "unsure: bottle "],
    "scikit_learn_pipeline": ["theta = 0.4: mean margin 0.", "45 new objects: NMI 0."],
    "study_on_a_cluster": ["iris  eac   NMI 0.", "wine  lwgp  NMI 0.", "3 draws)"],
    "choosing_k": ["criteria say", "with one more: "],
    "new_method": ["iris: majority 0.", "wine: majority 0.", "moons: majority "],
}


def test_every_example_is_run():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_promises(name):
    command = [sys.executable, "-m", f"examples.{name}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in PRINTED[name]:
        assert words in done.stdout, done.stdout


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_fits_a_screen(name):
    assert len((ROOT / "examples" / f"{name}.py").read_text().splitlines()) <= 70
