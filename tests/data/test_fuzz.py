"""Damaged files are refused in words: nothing but DataError may come out of read_upload."""

import io
import random
import zipfile
from pathlib import PurePath

import pytest

import data
from data.readers import known_readers
from tests.data.samples import WHOLE


def survives(filename, content):
    """Return whether the content was read; any error but DataError fails the test."""
    read = False
    for kind in ("features", "labels"):
        try:
            data.read_upload(filename, content, kind, missing="mean")
        except data.DataError as exc:
            assert str(exc)  # noqa: PT017
        else:
            read = True
    return read


@pytest.mark.parametrize("filename", WHOLE)
def test_whole(filename):
    assert survives(filename, WHOLE[filename])


@pytest.mark.parametrize("filename", WHOLE)
def test_truncated(filename):
    content = WHOLE[filename]
    binary = not filename.endswith(("csv", "tsv", "txt", "plain.mat"))
    for cut in {0, 1, 8, 127, 128, 136, 512, 520, *range(0, len(content), 97), len(content) - 1}:
        if cut < len(content):
            assert not (survives(filename, content[:cut]) and binary)


@pytest.mark.parametrize("filename", WHOLE)
def test_flipped_bytes(filename):
    rng = random.Random(filename)
    for _ in range(60):
        content = bytearray(WHOLE[filename])
        for _ in range(rng.choice((1, 2, 8))):
            content[rng.randrange(rng.choice((len(content), min(300, len(content)))))] = rng.randrange(256)
        survives(filename, bytes(content))


@pytest.mark.parametrize("extension", known_readers())
def test_random_bytes_and_renamed_files(extension):
    rng = random.Random(extension)
    for length in (1, 7, 64, 130, 600, 5000):
        assert not survives(f"a{extension}", b"\x89" + rng.randbytes(length))
    for filename, content in WHOLE.items():
        texts = {ending for ending, reader in known_readers().items() if reader.text}
        if PurePath(filename).suffix != extension and not {PurePath(filename).suffix, extension} <= texts:
            assert not survives(f"a{extension}", content)


def archive(method):
    """Three label vectors in a ZIP file; their names are no ASCII."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        for m in range(3):
            made.writestr(f"é{m}.csv", "\n".join(str(m * i % 3) for i in range(40)))
    return held.getvalue()


@pytest.mark.parametrize("method", ["STORED", "DEFLATED", "BZIP2", "LZMA"])
def test_damaged_archives(method):
    """Bits, bytes and pieces of the members and of the directory at the end, which says where they are."""
    whole, rng = archive(getattr(zipfile, f"ZIP_{method}")), random.Random(method)
    assert survives("a.zip", whole)
    directory = whole.index(b"PK\1\2")
    for _ in range(1500):
        content = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(directory if rng.random() < 0.6 else 0, len(content))
            content[at] = rng.choice((content[at] ^ 1 << rng.randrange(8), rng.randrange(256)))
        if rng.random() < 0.2:
            del content[(at := rng.randrange(len(content))) : at + rng.randrange(8)]
        survives("a.zip", bytes(content))
