"""Cells: an AnnData file to a consensus of communities, and back into a copy of it.

Run it at the top of the checkout: `python -m examples.cells [cells.h5ad]`, a file as scanpy's `pp.neighbors` leaves it.

Without one, a small file is written first: four kinds of cells, linked to their like more often than to others.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from scipy import sparse

import data
from engine import Graph, confidence, run_consensus
from engine.generators import leiden_ensemble


def example_file(folder: Path) -> Path:
    """Two hundred cells without counts: names, and how they are connected."""
    rng, kind = np.random.default_rng(0), np.arange(200) // 50
    upper = np.triu(rng.random((200, 200)) < np.where(kind[:, None] == kind, 0.2, 0.02), 1)
    links, file = sparse.csr_matrix((upper | upper.T).astype(np.float32)), folder / "cells.h5ad"
    text = h5py.string_dtype()
    with h5py.File(file, "w") as out:
        obs, near = out.create_group("obs"), out.create_group("obsp/connectivities")
        obs.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0", "_index": "_index"})
        obs.attrs.create("column-order", np.array([], dtype=object), dtype=text)
        obs.create_dataset("_index", data=[f"cell {i}" for i in range(200)], dtype=text)
        near.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": (200, 200)})
        for name in ("data", "indices", "indptr"):
            near[name] = getattr(links, name)
    return file


def main(file: Path) -> None:
    """Link, cluster twenty times, agree, and write what was found beside what is there."""
    cells = data.read_graph(file.name, file)
    graph = Graph.of_edges(cells.sources, cells.targets, cells.weights, cells.n_objects)
    ensemble = leiden_ensemble(graph, 20, resolution=(0.5, 2), seed=7)
    found = run_consensus("ecg", ensemble, None)
    profile = confidence.cluster_profile(ensemble, found.labels)
    print(f"{graph.n_nodes:,} cells, {graph.n_edges:,} links, {found.n_clusters} clusters")
    names = range(len(found.labels)) if cells.identifiers is None else cells.identifiers
    print(f"the least sure is {names[profile.own.argmin()]}, confidence {profile.own.min():.2f}")
    copy = Path(shutil.copy(file, f"{file.stem}_consensus.h5ad"))  # in the folder one is in
    data.annotate(
        copy, {"consensus": found.labels.astype(str), "confidence": profile.own}, {"seed": 7, "method": "ecg"}
    )
    print(f"written: {copy}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else example_file(Path(scratch)))
