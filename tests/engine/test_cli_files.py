"""Files that the command is given are opened by a process of its own, whatever they are and do."""

import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

from data.reading.elsewhere import ELSEWHERE, READY
from engine import Ensemble, cli, console, save_ensemble
from engine.studies.__main__ import main as study
from tests.data.bombs import endless_heap
from tests.data.readers_gone_wrong import doing

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the command runs, with labels, points, edges and an ensemble in files."""
    draw = np.random.default_rng(0)
    labels = np.arange(30)[:, None] // 10 + (draw.random((30, 5)) < 0.1)
    np.savetxt(tmp_path / "labels.csv", labels, "%d", ",")
    save_ensemble(Ensemble.from_labels(labels), tmp_path / "saved.npz")
    np.savetxt(tmp_path / "points.csv", labels + draw.normal(size=(30, 5)), "%.4f", ",")
    np.savetxt(tmp_path / "iris.csv", np.arange(150) // 50, "%d")
    (tmp_path / "edges.csv").write_text("from,to\n" + "".join(f"{i},{(i * 7 + 1) % 12}\n" for i in range(40)))
    (tmp_path / "study.toml").write_text(
        'datasets = ["points.csv"]\nmethods = ["eac"]\nrepeats = 1\nn_clusterings = [3]\nk = [2]\n'
        '[files."points.csv"]\nkind = "features"\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


_COMMANDS = {
    "labels": ["consensus", "labels.csv", "--k", "3"],
    "features": ["ensemble", "points.csv", "--m", "3", "--out", "made.npz"],
    "edges": ["consensus", "edges.csv", "--edges", "--m", "3", "--k", "2"],
    "ensemble": ["consensus", "saved.npz", "--k", "3"],
    "own labels": ["league", "iris.csv", "--data", "iris"],
}


@pytest.fixture
def taken(monkeypatch):
    """The readers there were."""
    found, before = [], READY.take
    monkeypatch.setattr(READY, "take", lambda: found.append(before()) or found[-1])
    return found


@pytest.mark.parametrize("command", _COMMANDS.values(), ids=_COMMANDS)
def test_every_command_has_a_reader_and_says_what_became_of_it(command, folder, taken, capsys, monkeypatch):
    assert cli.main(command) == 0
    assert len(taken) == 1
    capsys.readouterr()
    doing(monkeypatch, "crashed")
    assert cli.main(command) == 1
    assert "ended without an answer" in capsys.readouterr().err
    doing(monkeypatch, "deaf")
    monkeypatch.setattr(ELSEWHERE, "silence", 0.5)
    assert cli.main(command) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: Nothing was heard of the reader of ")
    assert said.count("\n") == 1
    assert all(one.poll() is not None for one in taken)


def test_files_of_a_study_are_read_elsewhere_too(folder, taken, capsys, monkeypatch):
    assert study(["run", "study.toml", "--store", "store.db"]) == 0
    assert len(taken) == 1
    doing(monkeypatch, "crashed")
    assert study(["run", "study.toml", "--store", "other.db"]) == 1
    assert "datasets: The reader of points.csv ended without an answer" in capsys.readouterr().err


@pytest.mark.long
def test_a_reader_that_goes_on_is_waited_for(folder, capsys, monkeypatch):
    doing(monkeypatch, "slow")
    monkeypatch.setattr(ELSEWHERE, "silence", 1)
    assert cli.main(_COMMANDS["labels"]) == 0


@pytest.mark.long
def test_any_way_to_a_file_gives_the_same(folder, capsysbinary, monkeypatch):
    content = (folder / "labels.csv").read_bytes()
    assert cli.main(_COMMANDS["labels"]) == 0
    wanted = capsysbinary.readouterr().out
    os.mkfifo(folder / "pipe.csv")
    for name in ("odd\udcff\n'$x .csv", "-labels.csv", "réseau.CSV"):
        (folder / name).write_bytes(content)
    (folder / "deep").mkdir()
    writer = threading.Thread(target=(folder / "pipe.csv").write_bytes, args=(content,))
    writer.start()
    for name in (
        "deep/../labels.csv",
        str(folder / "labels.csv"),
        "odd\udcff\n'$x .csv",
        "./-labels.csv",
        "réseau.CSV",
        "pipe.csv",
    ):
        assert cli.main(["consensus", name, "--k", "3"]) == 0
        assert capsysbinary.readouterr().out == wanted
    writer.join()
    command = [sys.executable, "-m", "engine.cli", "consensus", "-", "--k", "3"]
    done = subprocess.run(command, input=content, cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, wanted)


def _asking(folder, deed: str, silence: float) -> tuple[subprocess.Popen, psutil.Process, Path]:
    """A command whose reader does this, its reader, and the folder that the reader has."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # who tests may be deaf to it
        "import pytest, data.reading.elsewhere\n"
        "from tests.data.readers_gone_wrong import doing\n"
        f"doing(pytest.MonkeyPatch(), {deed!r}); data.reading.elsewhere.ELSEWHERE.silence = {silence}\n"
        "from engine import cli\n"
        "sys.exit(cli.main(['consensus', 'labels.csv', '--k', '3']))\n"
    )
    (folder / "tmp").mkdir()
    begun = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        stderr=subprocess.PIPE,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end:
        readers = psutil.Process(begun.pid).children()
        if readers and list(folder.glob("tmp/*/content")):  # how much time it takes for more hangs on the machine
            break
        time.sleep(0.02)
    (reader,), (place,) = readers, (folder / "tmp").iterdir()
    time.sleep(0.5)  # it has heard what is asked
    return begun, reader, place


def _gone(reader: psutil.Process) -> bool:
    psutil.wait_procs([reader], 60)
    return not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "deed", "code"),
    [
        (signal.SIGINT, "busy", 130),
        (signal.SIGTERM, "asleep", -signal.SIGTERM),
        (signal.SIGKILL, "asleep", -signal.SIGKILL),
    ],
)
def test_a_command_that_is_stopped_takes_its_reader_along(sent, deed, code, folder):
    begun, reader, place = _asking(folder, deed, 100)
    begun.send_signal(sent)
    assert begun.wait(30) == code
    assert begun.stderr.read().endswith(b"stopped\n" if code == 130 else b"")
    assert _gone(reader)
    assert not place.exists()


@pytest.mark.long
@pytest.mark.parametrize("deed", ["busy", "deaf"])
def test_a_reader_that_cannot_hear_that_the_command_is_gone_ends_by_itself(deed, folder):
    begun, reader, _ = _asking(folder, deed, 3)  # the command itself ends it after that: it must be gone before
    begun.kill()
    begun.wait()
    assert _gone(reader)


@pytest.mark.long
def test_a_loop_without_an_end_inside_hdf5_is_ended(folder, capsys):
    """Such files are refused at once, but for those too large to be looked through; these are holes."""
    (folder / "endless.h5ad").write_bytes(endless_heap())
    os.truncate(folder / "endless.h5ad", 600 * 2**20)
    assert cli.main(["consensus", "endless.h5ad", "--k", "3"]) == 1
    assert "Nothing was heard of the reader of endless.h5ad for 10 s" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["npz", "npy", "parquet", "csv", "zip"])
def test_what_comes_through_a_pipe_is_read_by_how_it_begins(ending, tmp_path, monkeypatch, capsys):
    labels = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]])
    file = tmp_path / f"made.{ending}"
    if ending == "npz":
        save_ensemble(Ensemble.from_labels(labels), file)
    elif ending == "npy":
        np.save(file, labels)
    elif ending == "zip":
        with zipfile.ZipFile(file, "w") as archive:
            for m, column in enumerate(labels.T):
                archive.writestr(f"{m}.csv", "\n".join(map(str, column)))
    else:
        frame = pd.DataFrame(labels, columns=list("abc"))
        frame.to_parquet(file) if ending == "parquet" else frame.to_csv(file, index=False)
    written = []
    for name in (str(file), "-"):
        with file.open() as piped:
            monkeypatch.setattr(sys, "stdin", piped)
            assert cli.main(["consensus", name, "--k", "2", "--out", str(tmp_path / "out.csv")]) == 0
        written.append((tmp_path / "out.csv").read_text())
    assert written[0] == written[1]


@pytest.mark.parametrize("file", ["/dev/zero", "-"])
def test_an_input_without_an_end_is_refused(file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(console, "_MOST_BYTES", 1 << 26)
    if file == "-":
        monkeypatch.setattr(sys, "stdin", Path("/dev/zero").open())  # noqa: SIM115 - closed with the process
    else:
        (tmp_path / "zero.csv").symlink_to(file)
        file = str(tmp_path / "zero.csv")
    assert cli.main(["consensus", file, "--k", "2"]) == 2
    assert "no reader takes. Bring a smaller part" in capsys.readouterr().err


def test_a_file_larger_than_memory_is_refused_before_it_is_read(tmp_path, capsys, monkeypatch):
    with (tmp_path / "long.csv").open("wb") as file:
        file.truncate(7 << 30)
    assert cli.main(["choose-k", str(tmp_path / "long.csv")]) == 2
    assert "has more than 2 GiB" in capsys.readouterr().err
    with (tmp_path / "long.csv").open("wb") as file:
        file.truncate(1 << 30)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "200M")
    assert cli.main(["choose-k", str(tmp_path / "long.csv")]) == 1
    assert "long.csv needs 1 GiB" in capsys.readouterr().err
