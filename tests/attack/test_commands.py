"""The command line with odd arguments, files and streams: an exit code, a sentence, and never a traceback."""

import json
import os
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from .shared import VOLUME, Tally, drawn

ROOT = Path(__file__).parents[2]
#: Many command lines in one process: each in a child of it, which begins with everything imported.
_SERVER = """
import json, os, signal, sys, traceback
from engine.cli import main
import data, ui.compute.reading
for line in sys.stdin:
    asked = json.loads(line)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        signal.alarm(asked["seconds"])
        for number, path in enumerate((asked["stdin"], asked["stdout"])):
            os.close(number) if path is None else os.dup2(os.open(path, os.O_RDWR), number)
        os.dup2(write, 2)
        sys.stdin = None if asked["stdin"] is None else open(0)
        sys.stdout = None if asked["stdout"] is None else open(1, "w")
        sys.stderr = open(2, "w", errors="backslashreplace")
        os.chdir(asked["folder"])
        try:
            code = main(asked["words"])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
            code = 70
        try:
            sys.stderr.flush()
            if sys.stdout is not None:
                sys.stdout.flush()
        except (OSError, ValueError):
            code = code or 71
        os._exit(code)
    os.close(write)
    with os.fdopen(read, errors="replace") as said:
        words = said.read()
    _, status = os.waitpid(child, 0)
    answer = {"code": os.waitstatus_to_exitcode(status), "words": words[-2000:]}
    sys.__stdout__.write(json.dumps(answer) + "\\n")
    sys.__stdout__.flush()
"""


@pytest.fixture(scope="module")
def command():
    """A function that runs one command line elsewhere, and says its exit code and what it wrote to stderr."""
    pipe = subprocess.PIPE
    server = subprocess.Popen([sys.executable, "-c", _SERVER], cwd=ROOT, stdin=pipe, stdout=pipe, text=True)

    def run(words: list[str], folder: Path, stdin: str | None = os.devnull, stdout: str | None = os.devnull) -> dict:
        asked = {"words": words, "folder": str(folder), "stdin": stdin, "stdout": stdout, "seconds": 60}
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())

    yield run
    server.stdin.close()
    server.wait()
    server.stdout.close()


@pytest.fixture
def folder(tmp_path):
    """Files that commands are given: good ones, odd ones, and names that are none."""
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 3, (30, 5))
    np.savetxt(tmp_path / "labels.csv", labels, "%d", ",")
    np.savetxt(tmp_path / "-labels.csv", labels, "%d", ",")
    np.savetxt(tmp_path / "points.csv", draw.normal(size=(30, 3)) + 4 * labels[:, :1], "%.4f", ",")
    np.save(tmp_path / "points.npy", draw.normal(size=(30, 3)))
    (tmp_path / "edges.csv").write_text("from,to\n" + "".join(f"{i},{(i * 7 + 1) % 12}\n" for i in range(40)))
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "noise.csv").write_bytes(draw.bytes(300))
    (tmp_path / "x.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 1.5\n2 3 1\n4 1 2\n")
    (tmp_path / "bad\udcff.csv").write_text("0,1\n1,0\n0,0\n")
    (tmp_path / "line\nbreak.csv").write_text("0,1\n1,0\n0,0\n")
    (tmp_path / "study.toml").write_text('datasets = ["iris"]\nmethods = ["eac"]\nrepeats = 1\nn_clusterings = [3]\n')
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe = [")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.csv").write_text("0\n1\n1\n")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    (tmp_path / "zero.csv").symlink_to("/dev/null")
    return tmp_path


_FILES = (
    *"labels.csv points.csv points.npy edges.csv empty.csv noise.csv x.mtx there loop.csv gone.csv zero.csv".split(),
    *("bad\udcff.csv", "line\nbreak.csv", "/dev/null", "nowhere.csv", "", ".", "/", "-", "a" * 300, "study.toml"),
)
_VALUES = (
    *"0 1 2 3 -1 1e9 99999999999999999999 nan inf a -- é 0x2 2.0 １ : true".split(),
    *"theta= = theta=nan theta=0.3 x=1 theta=0.3=4 lwea eac kmeans leiden iris snmi:3 snmi:0 snmi:-1% snmi:999".split(),
    *("", " ", "\udcff", "9" * 5000),
)
_OPTIONS = (
    *"--k --method --param --seed --out --json --edges --class --id --ignore --m --missing --generator --with".split(),
    *"--scaling --select --newick --linkage --confidence --labels --k-max --full --budget --data --ensemble".split(),
    *"--draw --help --version --nothing -k --store --to --csv".split(),
)
_OUTPUTS = (
    *"found.csv /dev/null /dev/full there nowhere/found.csv loop.csv labels.csv -".split(),
    *("", "bad\udcff.out"),
)
_COMMANDS = (
    "consensus",
    "ensemble",
    "choose-k",
    "choose-method",
    "league",
    "methods",
    "study",
    "report",
    "",
    "nothing",
)


def _words(draw: np.random.Generator) -> list[str]:
    """A command line that might be meant, with one to three odd things in it."""
    name = str(draw.choice(_COMMANDS, p=[0.4, 0.12, 0.08, 0.05, 0.1, 0.05, 0.12, 0.02, 0.03, 0.03]))
    if name == "study":
        act = str(draw.choice(["run", "export", "backup", "salvage", "nothing"]))
        words = [
            name,
            act,
            *{"run": ["study.toml", "--store", "s.db"], "export": ["--store", "s.db", "--csv", "o.csv"]}.get(act, []),
        ]
        words += ["--store", str(draw.choice(_FILES)), "--to", "new.db"] if act in ("backup", "salvage") else []
    else:
        words = [name, str(draw.choice(_FILES[:4])) if draw.random() < 0.5 else str(draw.choice(_FILES))]
        words += ["--k", "2"] if name in ("consensus", "choose-method") and draw.random() < 0.8 else []
        words += ["--budget", "1"] if name == "choose-method" else []
    for _ in range(int(draw.integers(0, 4))):
        option = str(draw.choice(_OPTIONS))
        words += [
            option,
            str(draw.choice(_OUTPUTS if option in ("--out", "--newick", "--linkage", "--to") else _VALUES)),
        ]
    if draw.random() < 0.1:
        words[int(draw.integers(len(words)))] = str(draw.choice(_VALUES))
    return words


def _fault(found: dict) -> str | None:
    """What is wrong with how a command ended."""
    if "Traceback" in found["words"]:
        return "a traceback: " + " / ".join(found["words"].strip().splitlines()[-3:])
    if found["code"] not in (0, 1, 2):
        return f"exit code {found['code']}"
    return "no word about an error" if found["code"] and not found["words"].strip() else None


@pytest.mark.long
def test_odd_command_lines_end_with_a_sentence(tally, command, folder):
    for case, draw in drawn(16):
        words = _words(draw)
        tally.attempt(f"{case} {words}"[:300], lambda words=words: _fault(command(words, folder)))
    tally.settle()


_STREAMS = {"closed": None, "nothing": os.devnull, "full": "/dev/full", "zeros": "/dev/zero"}


@pytest.mark.parametrize("stdout", ["closed", "nothing", "full"])
@pytest.mark.parametrize("stdin", ["closed", "nothing"])
def test_streams_may_be_closed_full_or_empty(tally, command, folder, stdin, stdout):
    asked = (["consensus", "-", "--k", "2"], ["consensus", "labels.csv", "--k", "2"], ["methods"], ["league", "-"])
    for number, (words, more) in enumerate(
        product(asked, ([], ["--json"], ["--out", "o.csv"], ["--out", "/dev/stdout"]))
    ):
        if number % 5 == 0 or VOLUME > 1:
            act = [*words, *more]
            tally.attempt(str(act), lambda act=act: _fault(command(act, folder, _STREAMS[stdin], _STREAMS[stdout])))
    tally.settle()


@pytest.mark.parametrize("place", ["FILE", "--out"])
def test_pipes_are_read_and_written(tally: Tally, command, folder, place):
    """A FIFO gives its bytes once, and takes what is written to it."""
    os.mkfifo(folder / "pipe.csv")
    held: list[bytes] = []
    content = (folder / "labels.csv").read_bytes()
    if place == "FILE":
        other = threading.Thread(target=lambda: (folder / "pipe.csv").write_bytes(content))
        words = ["consensus", "pipe.csv", "--k", "2", "--out", "found.csv"]
    else:
        other = threading.Thread(target=lambda: held.append((folder / "pipe.csv").read_bytes()))
        words = ["consensus", "labels.csv", "--k", "2", "--out", "pipe.csv"]
    other.start()
    tally.attempt(str(words), lambda: _fault(command(words, folder)))
    other.join(10)
    found = held[0] if held else (folder / "found.csv").read_bytes()
    assert found.startswith(b"object,label")
    assert found.count(b"\n") == 31
    tally.settle()
