"""Bytes of small files in every format, made on the spot."""

import io
import struct
import zlib
from collections.abc import Callable, Mapping

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.io import savemat

RNG = np.random.default_rng(0)
FEATURES = RNG.normal(size=(40, 3))
LABELS = RNG.integers(0, 3, 40)
MEMBERS = RNG.integers(1, 5, (40, 6))


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def npy(array) -> bytes:
    return written(lambda stream: np.save(stream, np.asarray(array)))


def npz(**arrays) -> bytes:
    return written(lambda stream: np.savez_compressed(stream, **arrays))


def mat(compress: bool = True, **arrays) -> bytes:
    return written(lambda stream: savemat(stream, arrays, do_compression=compress))


def mat73(**arrays) -> bytes:
    def write(stream):
        with h5py.File(stream, "w", userblock_size=512) as file:
            for name, array in arrays.items():
                stored = file.create_dataset(name, data=np.asarray(array).T, compression="gzip")
                stored.attrs["MATLAB_class"] = np.bytes_("double")

    content = bytearray(written(write))
    content[:20] = b"MATLAB 7.3 MAT-file "
    return bytes(content)


def parquet(columns: Mapping[str, object]) -> bytes:
    return written(lambda stream: pq.write_table(pa.table(dict(columns)), stream))


def csv(separator: str = ",", header: bool = True, label: bool = True) -> bytes:
    rows = [
        [*map(repr, map(float, row)), *([str(k)] if label else [])] for row, k in zip(FEATURES, LABELS, strict=True)
    ]
    names = [["a", "b", "c", *(["label"] if label else [])]] if header else []
    return "\n".join(separator.join(row) for row in names + rows).encode()


def mat_bomb(n_bytes: int) -> bytes:
    """A version 5 file whose variable is declared 2 x 2 and unpacks to `n_bytes`."""

    def element(kind: int, body: bytes) -> bytes:
        return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)

    head = element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", 2, 2)) + element(1, b"fea")
    packer = zlib.compressobj()
    packed = packer.compress(struct.pack("<II", 14, n_bytes) + head + struct.pack("<II", 9, n_bytes))
    for _ in range(n_bytes >> 20):
        packed += packer.compress(bytes(1 << 20))
    packed += packer.flush()
    start = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM"
    return start + struct.pack("<II", 15, len(packed)) + packed


WHOLE = {
    "csv.csv": csv(),
    "semicolon.csv": csv(";"),
    "tab.tsv": csv("\t"),
    "space.txt": csv("  ", header=False, label=False),
    "array.npy": npy(FEATURES),
    "arrays.npz": npz(fea=FEATURES, gt=LABELS),
    "pool.npz": npz(members=MEMBERS, gt=LABELS),
    "plain.mat": mat(compress=False, fea=FEATURES, gt=LABELS),
    "packed.mat": mat(members=MEMBERS, gt=LABELS),
    "v73.mat": mat73(fea=FEATURES, gt=LABELS[:, None]),
    "table.parquet": parquet({"a": FEATURES[:, 0], "b": FEATURES[:, 1], "label": LABELS.astype(str)}),
}
