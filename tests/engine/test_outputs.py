"""Where commands write: files are never half and keep their mode; links, devices and pipes stay what they are."""

import os
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest

from engine import InvalidParameterError, cli, console
from engine.distributed import distributed_consensus

TEXT = b"object,label\n"
posix = pytest.mark.skipif(os.name != "posix", reason="links, modes and pipes")


def test_a_file_is_whole_or_as_it_was(tmp_path):
    goal = tmp_path / "out.csv"
    console.write_output(str(goal), TEXT)
    with pytest.raises(FileNotFoundError), console.replacing(goal) as half:
        half.with_name("missing").rename(half)
    assert goal.read_bytes() == TEXT
    assert [one.name for one in tmp_path.iterdir()] == ["out.csv"]
    with pytest.raises(InvalidParameterError, match="is a folder"):
        console.write_output(str(tmp_path), TEXT)


@posix
def test_what_cannot_be_written_is_named_as_it_was_given(tmp_path, monkeypatch):
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        console.write_output("/dev/full", TEXT)
    monkeypatch.setattr("os.access", lambda *_: False)  # who may do everything may be the one who tests
    (tmp_path / "there.csv").touch()
    for name, asked in (("new.csv", tmp_path), ("there.csv", tmp_path / "there.csv")):
        with pytest.raises(
            InvalidParameterError, match=f"{tmp_path / name} cannot be written: {asked} may only be read"
        ):
            console.write_output(str(tmp_path / name), TEXT)


@posix
def test_a_file_is_written_through_in_a_folder_that_takes_no_other(tmp_path, monkeypatch):
    goal = tmp_path / "out.csv"
    goal.touch()
    same = goal.stat().st_ino
    monkeypatch.setattr("os.access", lambda path, _: path != tmp_path)
    console.write_output(str(goal), TEXT)
    assert goal.read_bytes() == TEXT
    assert goal.stat().st_ino == same
    assert [one.name for one in tmp_path.iterdir()] == ["out.csv"]


@posix
def test_a_pipe_takes_what_the_folder_that_lists_it_does_not(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr("os.access", lambda path, _: not str(path).startswith("/proc"))
    console.write_output(f"/dev/fd/{write}", TEXT)
    assert os.read(read, 99) == TEXT
    os.close(read)
    os.close(write)


def test_where_nothing_can_be_written_nothing_is_done(tmp_path, capsys):
    assert cli.main(["consensus", str(tmp_path / "none.csv"), "--k", "3", "--out", str(tmp_path / "no" / "x.csv")]) == 1
    assert "there is no folder" in capsys.readouterr().err  # not that there is no file to read


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    goal = tmp_path / "out.csv"
    goal.write_bytes(b"before")
    goal.chmod(mode)
    console.write_output(str(goal), TEXT)
    assert goal.read_bytes() == TEXT
    assert stat.S_IMODE(goal.stat().st_mode) == mode


@posix
def test_a_new_file_has_the_mode_of_new_files(tmp_path):
    (tmp_path / "plain").touch()
    console.write_output(str(tmp_path / "out"), TEXT)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


@posix
def test_links_are_written_through(tmp_path):
    (tmp_path / "far").mkdir()
    for name in ("there", "new"):
        (tmp_path / name).symlink_to(tmp_path / "far" / name)
    (tmp_path / "far" / "there").write_bytes(b"before")
    (tmp_path / "far" / "there").chmod(0o600)
    for name in ("there", "new"):
        console.write_output(str(tmp_path / name), TEXT)
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / "far" / name).read_bytes() == TEXT
    assert stat.S_IMODE((tmp_path / "far" / "there").stat().st_mode) == 0o600


@posix
def test_a_file_of_two_names_stays_one(tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_bytes(b"what stood there before, and was longer")
    os.link(first, second)
    console.write_output(str(second), TEXT)
    assert first.read_bytes() == second.read_bytes() == TEXT
    assert first.samefile(second)


@posix
@pytest.mark.parametrize("ending", ["", ".npy"])
def test_a_pipe_is_written_into(tmp_path, ending):
    pipe, read = tmp_path / f"pipe{ending}", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    if ending:
        distributed_consensus(np.repeat([[0, 0], [1, 1]], 3, axis=0), "lwgp", 2, out=pipe)
    else:
        console.write_output(str(pipe), TEXT)
    reader.join(20)
    assert read == [read[0]]
    assert read[0].startswith(b"\x93NUMPY") if ending else read[0] == TEXT
    assert pipe.is_fifo()


@pytest.mark.long
@posix
def test_standard_output_may_be_named_as_a_device(tmp_path):
    (tmp_path / "labels.csv").write_text("a,b\n0,1\n0,1\n1,0\n1,0\n")
    command = [sys.executable, "-m", "engine.cli", "consensus", str(tmp_path / "labels.csv"), "--k", "2"]
    by_pipe = subprocess.run([*command, "--out", "/dev/fd/1"], stdout=subprocess.PIPE, check=True).stdout
    with open(tmp_path / "to_file", "wb") as file:
        file.write(b"before\n")
        file.flush()
        subprocess.run([*command, "--out", "/dev/fd/1"], stdout=file, check=True)
    assert by_pipe.startswith(b"object,label")
    assert (tmp_path / "to_file").read_bytes() in (by_pipe, b"before\n" + by_pipe)


@posix
def test_a_device_is_written_to():
    here, there = os.openpty()  # no device that a fault could take away from others
    console.write_output(os.ttyname(there), TEXT)
    assert os.read(here, 100).replace(b"\r", b"") == TEXT
    assert stat.S_ISCHR(os.stat(os.ttyname(there)).st_mode)
    os.close(here)
    os.close(there)
