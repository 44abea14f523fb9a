"""Long looks kept on disk: found again by whoever asks the same, and never half."""

import os
from pathlib import Path

import numpy as np
import pytest

from engine import Cancelled, EngineError
from engine.choosing_k import Effort, answer, ask, choose_k, questions
from engine.choosing_k.questions import Looks, look_name
from engine.generators import kmeans_ensemble
from tests.engine.choosing_k.test_consensus_runs import blobs
from tests.monitors import Heard

SMALL = Effort(repeats=6, null_sets=20, splits=2)


@pytest.fixture(scope="module")
def points():
    return blobs(60, 3, 4, seed=2)


@pytest.fixture(scope="module")
def ensemble(points):
    return kmeans_ensemble(points, 8, (2, 6), seed=0)


@pytest.fixture
def counted(monkeypatch):
    """How often features were clustered again."""
    calls, plain = [], questions.consensus_runs
    monkeypatch.setattr(questions, "consensus_runs", lambda *args, **more: calls.append(1) or plain(*args, **more))
    return calls


def _asked(ensemble, points, folder, method="lwea", seed=0):
    return ask(ensemble, method, None, 4, points, seed, SMALL, folder)


def test_the_same_question_clusters_nothing_again(ensemble, points, tmp_path, counted):
    plain = choose_k(ensemble, k_max=4, features=points, effort=SMALL)
    first = choose_k(ensemble, k_max=4, features=points, effort=SMALL, looks=tmp_path)
    assert len(counted) == 2 * 21
    again = choose_k(ensemble, k_max=4, features=points, effort=SMALL, looks=tmp_path)
    other = choose_k(ensemble, "eac", k_max=4, features=points, effort=SMALL, looks=tmp_path)
    assert len(counted) == 2 * 21
    for found in (first, again, other):
        assert (found.curves["pac"] == plain.curves["pac"]).all()
        assert (found.curves["rcsi"] == plain.curves["rcsi"]).all()
        assert (found.runs.labels == plain.runs.labels).all()


def test_what_was_kept_before_the_process_ended_is_not_made_again(ensemble, points, tmp_path, counted):
    question = _asked(ensemble, points, tmp_path)
    assert question.n_kept() == 0
    with pytest.raises(Cancelled):
        answer(question, monitor=Heard(lambda heard: len(counted) > 7))
    another = _asked(ensemble, points, tmp_path)
    kept = another.n_kept()
    assert 5 <= kept <= 8
    counted.clear()
    answer(another)
    assert len(counted) == 21 - kept
    assert _asked(ensemble, points, tmp_path).n_kept() == 21


def test_another_question_has_another_name(points):
    ks = np.arange(2, 5)
    names = {look_name(points, ks, SMALL, 0)}
    names.add(look_name(points + 1e-12, ks, SMALL, 0))
    names.add(look_name(points, ks[:-1], SMALL, 0))
    names.add(look_name(points, ks, Effort(6, 21, 2), 0))
    names.add(look_name(points, ks, SMALL, 1))
    names.add(look_name(points.reshape(len(points) // 2, -1), ks, SMALL, 0))
    assert len(names) == 6
    assert look_name(points.copy(), ks.copy(), SMALL, 0) in names


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "other"])
def test_a_damaged_file_is_made_anew(ensemble, points, tmp_path, counted, damage):
    answer(_asked(ensemble, points, tmp_path))
    (file,) = tmp_path.glob("*-runs.npz")
    content = bytearray(file.read_bytes())
    place = content.find(b"labels.npy") + 200
    content[place] ^= 255
    new = {"cut": content[: len(content) // 2], "flipped": content, "emptied": b"", "other": b"a,b\n1,2\n"}[damage]
    file.write_bytes(bytes(new))
    counted.clear()
    answer(_asked(ensemble, points, tmp_path))
    assert len(counted) == 1
    assert _asked(ensemble, points, tmp_path).n_kept() == 21


def test_only_so_many_are_kept_and_the_oldest_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "MOST", 3)
    kept = Looks(tmp_path / "looks")
    for place in range(5):
        kept.write(f"look{place}", {"values": np.arange(place)})
        os.utime(tmp_path / "looks" / f"look{place}.npz", (place, place))
    assert [place for place in range(5) if kept.has(f"look{place}")] == [2, 3, 4]
    assert [values.tolist() for values in kept.read("look4", "values")] == [[0, 1, 2, 3]]
    assert len(list((tmp_path / "looks").iterdir())) == 3
    assert (tmp_path / "looks").stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "looks").iterdir())


@pytest.mark.long
def test_a_file_with_any_bit_turned_is_as_it_was_or_made_anew(tmp_path):
    """Encrypted, packed in a way that nobody knows, of another name or length: checked as it is, it serves or goes."""
    kept = Looks(tmp_path)
    kept.write("look", {"values": np.arange(3), "counts": np.arange(2)})
    whole, anew = (tmp_path / "look.npz").read_bytes(), 0
    for bit in range(8 * len(whole)):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        (tmp_path / "look.npz").write_bytes(content)
        found = kept.read("look", "values", "counts")
        assert kept.has("look") == bool(found)
        assert not found or (found[0].tolist(), found[1].tolist()) == ([0, 1, 2], [0, 1])
        anew += not found
    assert anew > 4 * len(whole)


def test_two_may_drop_the_same_files(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "MOST", 1)
    kept = Looks(tmp_path)
    kept.write("first", {"values": np.arange(3)})
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: [*glob(folder, pattern), folder / "dropped.npz"])
    kept.write("second", {"values": np.arange(3)})
    assert kept.has("second")


def test_a_folder_that_is_none_is_an_error_in_words(ensemble, points, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(EngineError, match="could not be read: Not a directory"):
        choose_k(ensemble, k_max=4, features=points, effort=SMALL, looks=file)


def test_a_disk_that_takes_nothing_more_is_an_error_in_words(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(questions.np, "savez", full)
    with pytest.raises(EngineError, match="could not be written: No space left on device"):
        Looks(tmp_path).write("look", {"values": np.arange(3)})
    assert not list(tmp_path.iterdir())
