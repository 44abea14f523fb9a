import io
import pickle
import zipfile

import h5py
import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import eye_array

import data
from data import limits
from tests.data.samples import FEATURES, WHOLE, csv, mat, mat73, mat_bomb, npy, npz, parquet, written


def refused(filename, content, kind="features", match=None, **options):
    with pytest.raises(data.DataError, match=match) as caught:
        data.read_upload(filename, content, kind, **options)
    message = str(caught.value)
    assert message.endswith((".", "?"))
    assert "!" not in message
    return caught.value


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"a,b\n1,2\n3,abc\n", r"Row 3, column 'b': 'abc' is text"),
        (b"1,2\n\n3,abc\n", r"Row 3, column 2: 'abc' is text"),
        (b"1,2,3\n4,5\n", "Row 2 has 2 values where row 1 has 3"),
        (b"1,2\n4,5,6\n", "Row 2 has 3 values where row 1 has 2"),
        (b"", "empty"),
        (b"\n \n", "only blank lines"),
        (b"a,b\n", "no rows"),
        (b"1,2\n", "only one row"),
        (b"label\n1\n2\n", "zero columns"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
        (b"a,b\n1,\x002\n", "row 2 holds a NUL"),
        (b"a,b\n1,2\n3,\xff\n", "row 3 holds bytes"),
        (b'a,b\n1,"2\n3,4\n', "Row 2 opens a quotation mark"),
        (b"7,8,cat\n3,4,5\n", "Row 1, column 3: 'cat' .* 1 cell in all"),
        (b"cat,9\ndog,x\n,1\nhen,inf\n", "Row 2, column 2: 'x' .* 2 cells in all"),
    ],
)
def test_text_says_what_and_where(content, where):
    refused("a.csv", content, match=where)


@pytest.mark.parametrize(
    ("filename", "content", "where"),
    [
        ("p.csv", b"1,2\n1.5,3\n", "Row 2, column 1: 1.5 is not a whole number"),
        (
            "p.csv",
            b"1,2\n,\n3,4\n",
            "1 object has no label at all [(]empty or -1 .*, the first in row 2",
        ),
        ("p.csv", b"1,2\n,3\n", "Base clustering 1 labels fewer than two"),
        ("p.csv", b"1,2,cat\n1.5,3,dog\n,4,cat\n", "Row 2, column 1: 1.5 is not a whole number"),
        ("p.csv", b"m,n\na,1\n2,1\n", "Row 3, column 'm': '2' is a number in a column of text"),
        ("p.csv", b"m,n\n1,1\n2,1\nno,1\n", "Row 4, column 'm': 'no' is text in a column of numbers"),
        ("p.npy", npy([[1, 2], [3, np.nan]]), "Base clustering 2 labels fewer than two"),
        ("p.npy", npy([[1, 2], [3, 1e300]]), "Row 2, column 2: 1e[+]300 is too large"),
        ("p.npz", npz(members=np.eye(3), gt=[1, np.nan, 2]), "Row 2, column 'true labels'"),
        ("p.mat", mat(members=np.eye(3), gt=[1, 2]), "2 true labels for 3 rows"),
        ("p.mat", mat(fea=np.eye(3)), "holds features"),
    ],
)
def test_labels_say_what_and_where(filename, content, where):
    refused(filename, content, "labels", match=where)


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (np.zeros((2, 3, 4)), "3 dimensions"),
        (np.float64(1), "0 dimensions"),
        (np.zeros((5, 0)), "zero columns"),
        (np.zeros((0, 5)), "no rows"),
        (np.zeros((1, 5)), "only one row"),
        (np.eye(3) * 1j, "complex128"),
        (np.array([["a"], ["b"]]), "not real numbers"),
    ],
)
def test_arrays_that_are_no_table(array, what):
    refused("a.npy", npy(array), match=what)
    refused("a.npz", npz(fea=array), match=what)
    if array.dtype.kind == "f" and array.ndim:
        refused("a.mat", mat(fea=array), match=what)
        refused("a.mat", mat73(fea=array), match=what)


def test_files_without_a_clear_table():
    refused("a.npz", npz(a=np.eye(3), b=np.eye(3)), match="it holds a 3x3, b 3x3")
    refused("a.mat", mat(members=np.eye(3)), match="holds base clusterings")
    refused("a.mat", mat(fea=eye_array(3)), match=r"full\(fea\)")
    refused("a.mat", written(lambda stream: savemat(stream, {"fea": np.eye(3)}, format="4")), match="version 5")
    refused("a.docx", b"x", match="Files ending in .docx")
    refused("a.csv", csv(), match="no column 'lable'; the columns are label", label_column="lable")
    refused(
        "a.csv",
        b"a,b,c,d,e,f,g\n1,2,3,4,5,6,7\n2,2,3,4,5,6,7\n",
        match=r"are a, b, c, d, e, ... \(7 in all\)",
        label_column="zz",
    )
    refused("a.csv", csv(), match="no column 9", label_column=9)
    refused("a.npy", npy(FEATURES), match="no column names", label_column="gt")


def test_unknown_options():
    refused("a.csv", csv(), "clusters", match="kind must be")
    refused("a.csv", csv(), match="missing must be", missing="zero")


class Loud:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


def test_pickles_are_never_opened():
    loud = np.array([Loud()], dtype=object)
    refused("a.npy", written(lambda stream: np.save(stream, loud, allow_pickle=True)), match="pickled")
    refused("a.npz", npz(fea=loud), match="pickled")
    refused("a.npy", pickle.dumps(Loud()), match="not an NPY file")


@pytest.mark.parametrize("n_missing", [1, 3])
def test_missing_values(n_missing):
    cells = [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"], ["9", "10"]]
    for i, gap in enumerate(["", "inf", "NA"][:n_missing], start=1):
        cells[i][1] = gap
    content = ("p,q\n" + "\n".join(",".join(row) for row in cells)).encode()
    error = refused("a.csv", content, match="(?i)drop .* means")
    assert isinstance(error, data.MissingValuesError)
    assert (error.count, error.rows, error.columns) == (n_missing, tuple(range(3, 3 + n_missing)), ("column 'q'",))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

    dropped = data.read_upload("a.csv", content, "features", missing="drop")
    assert dropped.features.tolist() == [[float(x) for x in row] for row in cells[:1] + cells[1 + n_missing :]]
    assert any(f"Dropped {n_missing} of 5 rows" in note for note in dropped.notes)

    filled = data.read_upload("a.csv", content, "features", missing="mean")
    mean = np.mean([float(row[1]) for row in cells[:1] + cells[1 + n_missing :]])
    assert filled.features[1 : 1 + n_missing, 1] == pytest.approx(mean)
    assert any("became the column mean" in note for note in filled.notes)


def test_labels_are_dropped_with_their_rows():
    content = b"p,label\n1,7\n,8\n3,9\n"
    assert data.read_upload("a.csv", content, "features", missing="drop").labels.tolist() == [7, 9]


def test_a_column_without_values_has_no_mean():
    kept = {"roles": {"q": "feature"}}
    refused("a.csv", b"p,q\n1,\n2,\n", match="Column 'q' has no value", missing="mean", **kept)
    refused("a.csv", b"p,q\n1,\n2,\n", match="needs two or more", missing="drop", **kept)
    assert data.read_upload("a.csv", b"p,q\n1,\n2,\n", "features").notes[-1] == "1 column left out: q."


def test_first_five_rows_are_named():
    features = np.full((9, 2), np.nan)
    assert refused("a.npy", npy(features)).rows == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("shape", "kind", "what"),
    [
        ((limits.MAX_FEATURE_ROWS + 1, 1), "features", "200,001 rows; the limit is 200,000"),
        (
            (limits.MAX_LABEL_ROWS + 1, 1),
            "labels",
            "2,000,001 rows; the limit .* longer ones, as Parquet or NPY: docs/scale.md",
        ),
        ((3, limits.MAX_FEATURE_COLUMNS + 1), "features", "10,001 columns"),
        ((3, limits.MAX_CLUSTERINGS + 1), "labels", "1,001 base clusterings"),
        ((limits.MAX_FEATURE_ROWS, 400), "features", "80,000,000 values"),
    ],
)
def test_sizes_beyond_the_limits(shape, kind, what):
    cells = np.zeros(shape, dtype=np.int8)
    name = "fea" if kind == "features" else "members"
    refused("a.npy", npy(cells), kind, match=what)
    refused("a.npz", npz(**{name: cells}), kind, match=what)
    if cells.size < 10**7:
        refused("a.mat", mat(**{name: cells}), kind, match=what)
        refused("a.mat", mat73(**{name: cells}), kind, match=what)
        lines = b"\n".join([b",".join([b"1"] * shape[1])] * shape[0])
        refused("a.csv", lines, kind, match=what)
        refused("a.parquet", parquet({str(j): cells[:, j] for j in range(shape[1])}), kind, match=what)


def test_a_header_that_promises_more_than_there_is():
    content = npy(np.zeros((3, 3)))
    refused("a.npy", content.replace(b"(3, 3)", b"(9, 3)"), match="ends before its array")


def test_decompression_bombs(monkeypatch):
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr("data.readers.matlab.MAX_BYTES", 1 << 20)
    zeros = np.zeros((2000, 200))
    refused("a.npz", npz(fea=zeros), match="unpacks to")
    refused("a.npz", npz(fea=np.eye(3), extra=zeros), match="unpacks to")
    refused("a.mat", mat(fea=zeros), match="unpacks to")
    refused("a.mat", mat73(fea=zeros), match="unpacks to")
    refused("a.mat", mat_bomb(8 << 20), match="unpacks to")


def test_the_real_limit_is_half_a_gibibyte():
    limits.check_bytes(2**29)
    with pytest.raises(data.DataError, match="0.5 GiB or more; the limit is 0.5 GiB"):
        limits.check_bytes(2**29 + 1)


def hdf5(write):
    def build(stream):
        with h5py.File(stream, "w") as file:
            write(file)

    return written(build)


def test_hdf5_may_not_point_elsewhere(tmp_path):
    secret = tmp_path / "secret.bin"
    secret.write_bytes(np.arange(12.0).tobytes())
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["fea"] = np.eye(4)
    layout = h5py.VirtualLayout((4, 4), "f8")
    layout[:] = h5py.VirtualSource(str(other), "fea", (4, 4))

    refused("a.mat", hdf5(lambda f: f.create_dataset("fea", (4, 3), "f8", external=str(secret))), match="another file")
    refused("a.mat", hdf5(lambda f: f.create_virtual_dataset("fea", layout)), match="another file")
    refused("a.mat", hdf5(lambda f: f.__setitem__("fea", h5py.ExternalLink(str(other), "fea"))), match="another place")
    refused("a.mat", hdf5(lambda f: f.create_dataset("fea", data=np.eye(4), compression="lzf")), match="compression")


def test_hdf5_chunks_are_checked_before_they_unpack():
    def oversized(file):
        stored = file.create_dataset("fea", (4, 3), "f8", chunks=(4, 3), compression="gzip")
        import zlib

        stored.id.write_direct_chunk((0, 0), zlib.compress(bytes(1 << 22)))

    refused("a.mat", hdf5(oversized), match="unexpected size")
    vast = {"maxshape": (None, None), "chunks": (20_000, 20_000), "compression": 1}
    refused("a.mat", hdf5(lambda f: f.create_dataset("fea", (4, 3), "f8", **vast)), match="does not hold")
    held = hdf5(lambda f: f.create_dataset("fea", data=np.eye(4), **{**vast, "chunks": (9_000, 9_000)}))
    refused("a.mat", held, match="unpacks to")


def test_damaged_checksums():
    content = bytearray(WHOLE["arrays.npz"])
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        start = archive.getinfo("fea.npy").header_offset
    content[start + 200] ^= 0xFF
    refused("a.npz", bytes(content), match="damaged or incomplete")


def test_empty_cells_of_base_clusterings_are_missing_labels():
    pool = data.read_upload("p.csv", b"1,a\n,b\n2,NA\n1,a\n", "labels")
    assert pool.members.tolist() == [[1, 0], [-1, 1], [2, -1], [1, 0]]
    assert pool.notes == ("2 labels missing in 2 base clusterings (empty or -1).",)
    again = data.read_upload("p.npy", npy([[1, 0], [np.nan, 1], [2, np.nan], [1, 0]]), "labels")
    assert again.members.tolist() == pool.members.tolist()
    truth = data.read_upload("p.csv", b"1,5,a\n2,5,b\n,6,b\n", "labels", label_column=2)
    assert truth.labels.tolist() == [0, 1, 1]


def test_true_labels_may_not_be_missing():
    refused("p.csv", b"1,2,a\n2,2,\n1,1,b\n", "labels", match="is empty. Complete the column, drop", label_column=2)
    refused("p.csv", b"1,2,1\n2,2,\n1,1,2\n", "labels", match="numbers. Complete the column, drop", label_column=2)
    refused("p.csv", b"1,2,1\n2,2,1.5\n1,1,2\n", "labels", match="must be whole numbers.$", label_column=2)


def test_a_saved_ensemble_may_be_larger_than_a_table(monkeypatch):
    """`concord consensus` read any that fits into memory, and goes on doing so."""
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 10)
    held = npz(labels=np.zeros((600, 2), np.int32), format=np.array("x"))
    with pytest.raises(data.DataError, match="unpacks to"):
        data.read_upload("a.npz", held, "labels", reading=data.HERE)
    assert data.HERE.arrays("a.npz", held)["labels"].shape == (600, 2)
