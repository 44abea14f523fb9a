"""Files below 1 MB that came to gigabytes or minutes, made on the spot; and a process that reads them under limits."""

import io
import json
import resource
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.data.samples import mat_bomb, npz, written

ADDRESS_SPACE = 2 * 2**30


def hdf5(write: Callable[[h5py.File], object]) -> bytes:
    def build(stream):
        with h5py.File(stream, "w") as file:
            write(file)

    return written(build)


def _anndata(file: h5py.File) -> None:
    """What an AnnData file must have, but for its matrix."""
    for name, length in (("obs", 4), ("var", 3)):
        group = file.create_group(name)
        group.attrs["_index"], group.attrs["column-order"] = "_index", np.array([], "S1")
        group["_index"] = np.array([f"{name}{i}" for i in range(length)], "S8")


def unallocated(file: h5py.File) -> None:
    file.create_dataset("fea", (60_000, 1000), "f8")


def unallocated_chunks(file: h5py.File) -> None:
    file.create_dataset("fea", (60_000, 1000), "f8", chunks=(600, 1000), compression="gzip")


def tiny_chunks(file: h5py.File) -> None:
    file.create_dataset("fea", data=np.arange(4000.0).reshape(2000, 2), chunks=(1, 1))


def many_variables(file: h5py.File) -> None:
    for i in range(800):
        file[f"v{i}"] = 0.0


def deep_groups(file: h5py.File) -> None:
    _anndata(file)
    file.create_group("/".join("abcdefghijklmnopqrstuvwxyz" * 8))


def circle(file: h5py.File) -> None:
    _anndata(file)
    file["uns"] = file["/"]
    file["more"] = file["/"]


def unallocated_obs(file: h5py.File) -> None:
    _anndata(file)
    file.create_dataset("X", (2**20, 2**10), "f8")


def sparse_giant(file: h5py.File) -> None:
    _anndata(file)
    group = file.create_group("X")
    group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", [200_000, 10_000]
    group["data"], group["indices"] = np.ones(1), np.zeros(1, int)
    group.create_dataset("indptr", data=np.r_[0, np.ones(200_000, int)], compression="gzip")


def many_names(file: h5py.File) -> None:
    """One column under 9,000 names."""
    _anndata(file)
    obs = file["obs"]
    obs.create_dataset("0", (100_000,), "f8", chunks=(100_000,), compression="gzip", data=np.zeros(100_000))
    for i in range(1, 9000):
        obs[str(i)] = obs["0"]
    obs.attrs["column-order"] = np.array([str(i) for i in range(9000)], "S4")
    del obs["_index"]
    obs.create_dataset("_index", data=np.zeros(100_000, "S4"), chunks=(100_000,), compression="gzip")


def nested_header(depth: int) -> bytes:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': " + b"(" * depth + b"2" + b")" * depth + b"}"
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(16)


def zeros_as_mat(n_bytes: int) -> bytes:
    """A version 5 file of nothing but empty elements, packed."""
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + bytes(n_bytes)


def mat_of(shape: tuple[int, int]) -> bytes:
    """A version 5 file with a matrix of zeros of one byte each."""

    def element(kind: int, body: bytes) -> bytes:
        return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)

    n_values = shape[0] * shape[1]
    head = element(6, struct.pack("<II", 9, 0)) + element(5, struct.pack("<ii", *shape)) + element(1, b"fea")
    packer = zlib.compressobj(9)
    size = len(head) + 8 + n_values + -n_values % 8
    packed = packer.compress(struct.pack("<II", 14, size) + head + struct.pack("<II", 2, n_values))
    packed += b"".join(packer.compress(bytes(1 << 20)) for _ in range(n_values >> 20))
    packed += packer.compress(bytes(n_values % (1 << 20) + -n_values % 8)) + packer.flush()
    start = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM"
    return start + struct.pack("<II", 15, len(packed)) + packed


def bools(n_rows: int, n_columns: int) -> bytes:
    column = pa.array(np.zeros(n_rows, bool))
    return written(lambda stream: pq.write_table(pa.table({f"c{j}": column for j in range(n_columns)}), stream))


def zip_of(content: bytes, count: int, extension: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(count):
            archive.writestr(f"{i}.{extension}", content)
    return stream.getvalue()


def many_arrays() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for i in range(11_000):
            archive.writestr(f"{i}.npy", b"")
    return stream.getvalue()


#: Name of the file: what makes it.
def endless_heap() -> bytes:
    """Words whose heap has an object of no bytes: HDF5 looks for the next one where it is."""

    def words(file: h5py.File) -> None:
        _anndata(file)
        file["obs"].attrs.create("column-order", np.array(["a", "b"], object), dtype=h5py.string_dtype())

    held = bytearray(hdf5(words))
    at = held.index(b"GCOL\x01")
    held[at + 16 : at + 32] = bytes(16)
    return bytes(held)


BOMBS: dict[str, Callable[[], bytes]] = {
    "unallocated.mat": lambda: hdf5(unallocated),
    "unallocated_chunks.mat": lambda: hdf5(unallocated_chunks),
    "tiny_chunks.mat": lambda: hdf5(tiny_chunks),
    "many_variables.mat": lambda: hdf5(many_variables),
    "int8.npz": lambda: npz(fea=np.zeros((200_000, 1000), np.int8)),
    "bool.parquet": lambda: bools(200_000, 400),
    "int8.mat": lambda: mat_of((200_000, 1000)),
    "zeros.mat": lambda: zeros_as_mat(900_000),
    "packed.mat": lambda: mat_bomb(2**29),
    "endless.h5ad": endless_heap,
    "header.npy": lambda: nested_header(4000),
    "header.npz": lambda: zip_of(nested_header(4000), 1, "npy"),
    "arrays.npz": many_arrays,
    "deep.h5ad": lambda: hdf5(deep_groups),
    "circle.h5ad": lambda: hdf5(circle),
    "unallocated.h5ad": lambda: hdf5(unallocated_obs),
    "names.h5ad": lambda: hdf5(many_names),
    "sparse.h5ad": lambda: hdf5(sparse_giant),
    "parquets.zip": lambda: zip_of(bools(2_000_000, 1), 300, "parquet"),
    "wide.csv": lambda: b",".join([b"1"] * 400_000) + b"\n" + b"2\n",
    "brackets.csv": lambda: b'"' * 900_001 + b"\n1\n",
}


def read_all(folder: Path) -> None:
    """Read every file of a folder; prints what became of it, and how long that took, as JSON."""
    import data

    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    found = {}
    for path in sorted(folder.iterdir()):
        begun, kind = time.perf_counter(), "labels" if path.suffix == ".zip" else "features"
        try:
            data.read_upload(path.name, path.read_bytes(), kind)
            end = "read"
        except data.DataError as error:
            end = f"DataError: {error}"
        except Exception as error:  # noqa: BLE001 - what the test is about
            end = repr(error)
        found[path.name] = [end, time.perf_counter() - begun]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
