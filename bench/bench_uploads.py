"""How long label files of a million objects take to open: `python -m bench.bench_uploads [--out FILE]`."""

import io
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import data
from bench.harness import arguments, interleaved, machine, publish, seconds_text, table
from ui.compute import reading, uploads

N, M, K = 1_000_000, 20, 1000


def files() -> dict[str, bytes]:
    """The same labels in every format."""
    labels = np.random.default_rng(0).integers(0, K, (N, M))
    made = {}
    for name, values in (("eight_bytes.npy", labels), ("two_bytes.npy", labels.astype(np.int16))):
        held = io.BytesIO()
        np.save(held, values)
        made[name] = held.getvalue()
    held = io.BytesIO()
    pq.write_table(pa.table({f"m{j}": labels[:, j] for j in range(M)}), held)
    return {**made, "columns.parquet": held.getvalue()}


def main() -> None:
    """Open each file as an upload (read in another process) and from the folder, three times in turn."""
    asked, made = arguments(), files()
    reading.warm()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CONCORD_DATA"] = folder
        for name, content in made.items():
            Path(folder, name).write_bytes(content)
        runs = {f"upload {name}": upload(name, content) for name, content in made.items()}
        runs |= {f"folder {name}": partial(data.load, Path(name).stem, data.HERE) for name in made}
        found = interleaved(runs, 3)
    rows = [[name, f"{len(made[name.split()[1]]) / 1e6:.0f} MB", seconds_text(found[name])] for name in found]
    text = f"# Label files of {N:,} x {M}\n\nFrom the bytes to the pool of base clusterings. Uploads are read in a "
    text += "process of their own, whose table comes back as mapped files.\nLoad of the machine, other work included: "
    text += f"{os.getloadavg()[0]:.1f}.\n\n{machine()}\n\n{table(['file', 'size', 'seconds'], rows)}"
    publish(text, asked.out)


def upload(name: str, content: bytes) -> Callable[[], object]:
    """Open a file as the Data page does."""

    def run() -> None:
        uploads.UPLOADS.drop_oldest()
        file = uploads.File(f"{time.perf_counter()}{name}", content)  # a new name: nothing is remembered
        uploads.take(uploads.sheet(file, "labels"), {}, "refuse", "")

    return run


if __name__ == "__main__":
    main()
