"""Files that nobody should have written, and a process that reads many of them.

python -m tests.attack.bad_files START STOP
"""

import io
import json
import math
import struct
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from data import HERE, Dataset, Graph, Pool, read_graph, read_upload
from data.graph_files import graph_readers
from data.readers import array_names, is_long, known_readers
from data.reading.handed_over import load_graph, load_table, save_graph, save_table
from data.roles import columns_of
from data.uploads import assembled, open_table

from .shared import SEED, Tally

#: Words that files have been known to bring.
WORDS = (
    *"| |a|-1|nan|NA|1e999|-0|0x10|1_000|１２|٣|1,5|=1+1|@x|é|e\u0301|<b>|'\"|../..|class|label|y".split("|"),
    *"id|true|2020-01-01|1/0|\\N|1e-400|Infinity|--1|$x$|[a](b)|${x}|x\u202ey|\ufeff|\U0001f600|\x00|\x1b[31m".split(
        "|"
    ),
    *"\u2028|\x85|\x0c|\x1c|__index_level_0__".split("|"),
    *("a" * 300, "9" * 400),
)
_SIZES = (0, 1, 2, 7, 255, 2**15, 2**16 - 1, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def _numbers(draw: np.random.Generator) -> np.ndarray:
    """A small table of some type, in some order of bytes and of axes."""
    shape = tuple(draw.integers(0, 12, int(draw.choice([0, 1, 2, 2, 2, 2, 3]))).tolist())
    kind = str(draw.choice("f8 f4 f2 i8 i4 i1 u8 u1 ? c16 U3 S3 >f8 >i4 M8[s]".split()))
    values = draw.integers(-2, 5, shape)
    if kind[0] in "M":
        return values.astype("i8").view("M8[s]") if values.ndim else np.array(values, "M8[s]")
    made = values.astype(kind) if kind[0] not in "US" else values.astype("U3").astype(kind)
    if np.dtype(kind).kind == "f" and made.size and draw.random() < 0.4:
        made.flat[int(draw.integers(made.size))] = draw.choice([np.nan, np.inf, -0.0, 6e4])
    return np.asfortranarray(made) if draw.random() < 0.3 else made


def _plain(draw: np.random.Generator) -> np.ndarray:
    """A table that every format takes."""
    n, m = int(draw.integers(2, 14)), int(draw.integers(1, 6))
    values = draw.integers(0, 4, (n, m))
    return values if draw.random() < 0.5 else values + draw.random((n, m)).round(2)


def _word(draw: np.random.Generator) -> str:
    return WORDS[int(draw.integers(len(WORDS)))]


def _text(draw: np.random.Generator) -> bytes:
    mark = str(draw.choice([",", ";", "\t", " ", "  "]))
    rows = [[str(one) for one in row] for row in _plain(draw).tolist()]
    if draw.random() < 0.6:
        rows.insert(0, [_word(draw) if draw.random() < 0.4 else f"x{j}" for j in range(len(rows[0]))])
    for _ in range(int(draw.integers(0, 4))):
        row = rows[int(draw.integers(len(rows)))]
        row[int(draw.integers(len(row)))] = _word(draw)
    ends = str(draw.choice(["\n", "\r\n", "\r", "\n\n", "\n#\n"]))
    text = ends.join(mark.join(f'"{one}"' if draw.random() < 0.1 else one for one in row) for row in rows)
    return text.encode(str(draw.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32"])), "replace")


def _npy(draw: np.random.Generator) -> bytes:
    held = io.BytesIO()
    np.lib.format.write_array(held, _numbers(draw), version=[(1, 0), (2, 0), (3, 0)][int(draw.integers(3))])
    return held.getvalue()


def _zipped(draw: np.random.Generator, members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    packed = int(draw.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]))
    with zipfile.ZipFile(held, "w", packed) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("\x00", "") or "x", content)
            if draw.random() < 0.05:
                archive.writestr(name.replace("\x00", "") or "x", content)
    return held.getvalue()


def _npz(draw: np.random.Generator) -> bytes:
    if draw.random() < 0.3:
        from scipy import sparse

        n = int(draw.integers(1, 9))
        held = io.BytesIO()
        form = str(draw.choice(["csr", "csc", "coo", "bsr", "dia"]))
        sparse.save_npz(held, sparse.random(n, n + int(draw.random() < 0.1), 0.4, form, rng=draw))
        return held.getvalue()
    names = ["fea", "X", "gt", "members", "labels", _word(draw), f"a/{_word(draw)}"]
    return _zipped(draw, {f"{name}.npy": _npy(draw) for name in draw.permutation(names)[: int(draw.integers(1, 4))]})


def _mat(draw: np.random.Generator) -> bytes:
    from scipy.io import savemat

    held = io.BytesIO()
    known = {"fea": _plain(draw), "gt": np.arange(4), "c": np.array(["a", "b"], object), "z": _numbers(draw)}
    chosen = {name: known[name] for name in draw.permutation(list(known))[: int(draw.integers(1, 4))]}
    savemat(held, chosen, do_compression=bool(draw.random() < 0.5))
    return held.getvalue()


def _hdf5(draw: np.random.Generator) -> bytes:
    import h5py

    held = io.BytesIO()
    with h5py.File(held, "w") as file:
        chunks = {"chunks": True, "compression": "gzip"} if draw.random() < 0.5 else {}
        file.create_dataset("fea", data=_plain(draw), **chunks)
        odd = _numbers(draw)
        file["gt"] = odd if odd.dtype.kind in "biufcS" else np.arange(3)
        file["fea"].attrs["MATLAB_class"] = np.bytes_(b"double")
        if draw.random() < 0.2:
            file["w" + _word(draw).replace("\x00", "")] = h5py.SoftLink("/fea")
        elif draw.random() < 0.4:
            file["v" + _word(draw).replace("\x00", "")] = np.arange(3)
    return held.getvalue()


def _h5ad(draw: np.random.Generator) -> bytes:
    import h5py

    held, matrix = io.BytesIO(), _plain(draw).astype(float)
    n, m = matrix.shape
    words = h5py.string_dtype()
    safe = [_word(draw).replace("\x00", "") for _ in range(n)]
    with h5py.File(held, "w") as file:
        file["X"] = matrix if draw.random() < 0.8 else matrix[:, :1]
        for name, count in (("obs", n), ("var", m)):
            group = file.create_group(name)
            group.attrs["_index"] = "_index"
            group.create_dataset("_index", data=(safe * (m + 1))[:count], dtype=words)
            listed = ["cell_type", "size", "kind"][: int(draw.integers(0, 4))]
            group.attrs.create("column-order", np.array(listed, object), dtype=words)
        kind = file["obs"].create_group("kind")
        kind.attrs["encoding-type"] = "categorical"
        kind["codes"] = draw.integers(-1, 3, n).astype(np.int8)
        kind.create_dataset("categories", data=["a", _word(draw).replace("\x00", ""), "b"], dtype=words)
        file["obs"].create_dataset("cell_type", data=safe, dtype=words)
        file["obs"]["size"] = draw.integers(0, 3, n)
        file["obsm/X_pca"] = draw.random((n, 2))
        links = file.create_group("obsp/connectivities")
        links.attrs["encoding-type"], links.attrs["shape"] = "csr_matrix", (n, n)
        links["data"], links["indices"] = np.ones(n), draw.integers(0, n, n)
        links["indptr"] = np.arange(n + 1)
    return held.getvalue()


def _parquet(draw: np.random.Generator) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = _plain(draw)
    columns = [pa.array(column) for column in table.T]
    names = [_word(draw) if draw.random() < 0.4 else f"x{j}" for j in range(len(columns))]
    odd: list[Callable[[], pa.Array]] = [
        lambda: pa.array([None] * len(table), pa.null()),
        lambda: pa.array([_word(draw) for _ in table]),
        lambda: pa.array([_word(draw) for _ in table]).dictionary_encode(),
        lambda: pa.array([[1.0]] * len(table)),
        lambda: pa.array([b"\xff"] * len(table)),
        lambda: pa.array([None, *range(1, len(table))], pa.uint64()),
        lambda: pa.array(np.arange(len(table)).astype(np.float16)),
        lambda: pa.array([2**63 + 1] * len(table), pa.uint64()),
        lambda: pa.array(range(len(table)), pa.timestamp("s")),
        lambda: pa.array([True, None] * len(table))[: len(table)],
    ]
    if draw.random() < 0.7:
        columns[0] = odd[int(draw.integers(len(odd)))]()
    held = io.BytesIO()
    packed = str(draw.choice(["none", "snappy", "gzip", "zstd", "brotli", "lz4"]))
    made, rows = pa.Table.from_arrays(columns, names), int(draw.integers(1, 9))
    pq.write_table(made, held, compression=packed, row_group_size=rows)
    return held.getvalue()


def _mtx(draw: np.random.Generator) -> bytes:
    n, entries = int(draw.integers(1, 9)), int(draw.integers(0, 12))
    kind = draw.choice(["real", "integer", "pattern", "complex"])
    form = draw.choice(["general", "symmetric", "skew-symmetric", "hermitian"])
    stored = draw.choice(["coordinate", "coordinate", "array"])
    lines = [f"%%MatrixMarket matrix {stored} {kind} {form}", "% none", f"{n} {n} {entries}"]
    lines += [f"{a} {b} {'' if kind == 'pattern' else 1.5}" for a, b in draw.integers(1, n + 1, (entries, 2)).tolist()]
    return "\n".join(lines).encode()


def _graphml(draw: np.random.Generator) -> bytes:
    n = int(draw.integers(0, 8))
    keys = '<key id="w" for="edge" attr.name="weight" attr.type="double"/>'
    keys += '<key id="c" for="node" attr.name="name" attr.type="string"/>'
    nodes = "".join(f'<node id="n{i}"><data key="c">{_word(draw).replace("<", "")}</data></node>' for i in range(n))
    edges = "".join(
        f'<edge source="n{a}" target="n{b}"><data key="w">{_word(draw) if draw.random() < 0.2 else 2.5}</data></edge>'
        for a, b in draw.integers(0, max(n, 1), (n, 2)).tolist()
    )
    text = f'<graph edgedefault="{draw.choice(["directed", "undirected"])}">{nodes}{edges}</graph>'
    head = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' if draw.random() < 0.1 else ""
    return f'{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}{text}</graphml>'.encode()


def _zip(draw: np.random.Generator, deep: int = 0) -> bytes:
    members = {}
    for j in range(int(draw.integers(0, 4))):
        ending = str(draw.choice(list(MAKERS)))
        maker = (_zip if deep < 2 else _text) if ending == ".zip" else MAKERS[ending]
        inner = _zip(draw, deep + 1) if maker is _zip else maker(draw)
        name = f"{_word(draw)}{j}{ending}" if draw.random() < 0.4 else f"v{j}{ending}"
        vector = "\n".join(map(str, draw.integers(0, 3, 6).tolist())).encode()
        members[name] = inner if draw.random() < 0.4 else vector
    return _zipped(draw, members)


MAKERS: dict[str, Callable[[np.random.Generator], bytes]] = {
    ".csv": _text, ".tsv": _text, ".txt": _text, ".data": _text, ".npy": _npy, ".npz": _npz, ".mat": _mat,
    ".h5ad": _h5ad, ".parquet": _parquet, ".zip": _zip, ".mtx": _mtx, ".graphml": _graphml,
}  # fmt: skip


def _with(value: bytes, held: bytes, at: int) -> bytes:
    """The same bytes, with others in the place of some."""
    return held[:at] + value + held[at + len(value) :]


def _size(held: bytes, at: int, draw: np.random.Generator) -> bytes:
    """A number that may be a size, in some order of bytes."""
    form = str(draw.choice(["<Q", ">Q", "<I", ">I", "<H"]))
    value = _SIZES[int(draw.integers(len(_SIZES)))] % 256 ** struct.calcsize(form)
    return _with(struct.pack(form, value), held, at)


def _digit(held: bytes, at: int, draw: np.random.Generator) -> bytes:
    """A digit becomes a number that may be a size."""
    digits = [i for i, byte in enumerate(held) if 48 <= byte < 58] or [at]
    place, value = digits[int(draw.integers(len(digits)))], _SIZES[int(draw.integers(len(_SIZES)))]
    return held[:place] + str(value).encode() + held[place + 1 :]


def _spliced(held: bytes, at: int, draw: np.random.Generator) -> bytes:
    """The rest is that of another file."""
    other = MAKERS[str(draw.choice(list(MAKERS)))](draw)
    return held[:at] + other[int(draw.integers(len(other) + 1)) :]


#: Bits, bytes, sizes; pieces taken out, doubled, emptied; other files and odd words put in.
_DAMAGES: tuple[Callable[[bytes, int, np.random.Generator], bytes], ...] = (
    lambda held, at, draw: _with(bytes([held[at] ^ 1 << int(draw.integers(8))]), held, at),
    lambda held, at, draw: _with(bytes([int(draw.integers(256))]), held, int(min(draw.exponential(40), len(held) - 1))),
    lambda held, at, draw: held[:at],
    lambda held, at, draw: held[:at] + held[at + int(draw.integers(1, 65)) :],
    lambda held, at, draw: held[:at] + held[at // 2 : at // 2 + int(draw.integers(1, 65))] + held[at:],
    lambda held, at, draw: _with(bytes(int(draw.integers(1, 65))), held, at),
    lambda held, at, draw: _with(_word(draw).encode("utf-8", "replace"), held, at),
    _size,
    _digit,
    _spliced,
)


def _damaged(content: bytes, draw: np.random.Generator) -> bytes:
    """One damage."""
    if not content:
        return bytes(draw.bytes(int(draw.integers(1, 40))))
    return _DAMAGES[int(draw.integers(len(_DAMAGES)))](content, int(draw.integers(len(content))), draw)


def bad_file(case: int) -> tuple[str, bytes]:
    """A name and its bytes: as they were made, damaged a few times, or under an ending of another format."""
    draw = np.random.default_rng([SEED, 1, case])
    # Of all formats equally often, for those that are read in C hold more surprises than rows of text.
    ending = list(MAKERS)[case % len(MAKERS)]
    maker = _hdf5 if ending == ".mat" and draw.random() < 0.4 else MAKERS[ending]
    content = maker(draw)
    for _ in range(int(draw.choice([0, 0, 1, 1, 2, 3]))):
        content = _damaged(content, draw)
    if draw.random() < 0.06:
        ending = str(draw.choice([*MAKERS, "", ".CSV", ".exe", ".mat.csv"]))
    name = _word(draw) if draw.random() < 0.1 else f"file{case}"
    return name + ending, content


def read_every_way(name: str, content: bytes, tally: Tally) -> None:
    """Read a file as features, as labels and as a graph, list its arrays, and take its table through a folder."""
    ending = Path(name).suffix.lower()
    for kind in ("features", "labels"):
        for missing in ("refuse", "drop", "mean"):
            what = partial(read_upload, name, content, kind, missing, reading=HERE)
            tally.attempt(f"{name} {kind} {missing}", lambda read=what: _fault(read()))
        tally.attempt(f"{name} {kind} in a folder", lambda k=kind: _carried(name, content, k))
    if ending in known_readers():
        tally.attempt(f"{name} names", lambda: _listed(array_names(ending, content), is_long(ending, content)))
    if ending in graph_readers():
        tally.attempt(f"{name} graph", lambda: _graph_fault(read_graph(name, content, reading=HERE)))


def _fault(read: Dataset | Pool) -> str | None:
    """What is wrong with what was read, as far as it can be seen from outside."""
    for one in (read.name, read.source, *read.notes, *read.class_names, *(read.answers or {})):
        one.encode()
    json.dumps(read.notes, allow_nan=False).encode()
    read.fingerprint  # noqa: B018 - pages ask for it at once
    if isinstance(read, Pool):
        whole = read.members.dtype.kind == "i" and read.members.ndim == 2 and len(read.members) >= 2
        return None if whole else "members are no table of whole numbers"
    if not (read.features.dtype == np.float64 and read.features.ndim == 2 and np.isfinite(read.features).all()):
        return "features are not finite"
    if read.labels is not None and (len(read.labels) != len(read.features) or read.labels.dtype.kind not in "iu"):
        return "classes do not fit the features"
    return None if len(read.features) >= 2 and read.features.shape[1] else "features are empty"


def _carried(name: str, content: bytes, kind: str) -> str | None:
    """The table is the same once it went through a folder, as it does between two processes."""
    table = open_table(name, content, kind)
    with tempfile.TemporaryDirectory() as folder:
        save_table(table, Path(folder))
        back = load_table(Path(folder))
    if back.names != table.names or back.notes != table.notes:
        return "names or notes changed on their way"
    for one, other in zip(table.columns, back.columns, strict=True):
        if one.dtype.kind != other.dtype.kind or not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
            return "columns changed on their way"
    here, there = (assembled(name, one, columns_of(one, kind), kind, "drop") for one in (table, back))
    return None if here.fingerprint == there.fingerprint else "what was read changed on its way"


def _listed(names: list[str], long: bool) -> str | None:
    json.dumps(names).encode()
    for name in names:
        name.encode()
    return None if isinstance(long, bool) else "whether it is long is no yes or no"


def _graph_fault(read: Graph) -> str | None:
    """What is wrong with a graph; it is taken through a folder, too."""
    with tempfile.TemporaryDirectory() as folder:
        save_graph(read, Path(folder))
        back = load_graph(Path(folder))
    if back.fingerprint != read.fingerprint:
        return "the graph changed on its way"
    n = read.n_objects
    ends = np.concatenate([read.sources, read.targets])
    if len(ends) and not 0 <= ends.min() <= ends.max() < n:
        return "an edge ends where no node is"
    from engine import Graph as Edges
    from engine.runtime.errors import EngineError

    try:
        Edges.of_edges(read.sources, read.targets, read.weights, n)
    except EngineError as error:
        return None if str(error) else "refused without words"
    return None if math.isfinite(float(read.weights.sum())) else "weights are not finite, and taken"


def main(start: int, stop: int) -> None:
    """Read cases, and say before each which it is, and after it what fell."""
    for case in range(start, stop):
        name, content = bad_file(case)
        _say({"case": case, "name": name})
        tally = Tally(lambda *_: None)
        read_every_way(name, content, tally)
        _say({"counts": tally.counts, "fallen": tally.fallen})


def _say(what: dict) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
