"""Write the small arrays beside this file from the whole answers: `python -m tests.golden.make_arrays`.

Needs CONCORD_ORACLE, the folder with what the published code answers. See arrays/SOURCE.md.
"""

import os
import re
from pathlib import Path

import numpy as np

ARRAYS = Path(__file__).with_name("arrays")
#: Keys the golden tests read, as patterns.
_PLAIN = (
    r"E|ks|mc_labels|MCA_times_M|ECI\d|GoT_(labels|ok)|PTS\d_[KT]"
    r"|(LWEA|ECCMS|PTA_(AL|CL|SL))_(labels|scipy_equal|perm_stable)\d"
    r"|(EAC|WEAC|CTS|SRS|ASRS)_(AL|CL|SL)_(labels|scipy_equal|perm_stable)|NCAI|GPMGLA_labels"
    r"|ECPCS_(HC_(labels|scipy_equal|perm_stable)|MC_reps|ncut_eigval_k\d+)|USENC_(emb|best_sse)_k\d+"
    r"|(LWGP|PTGP)_emb1_k\d+|LWGP_best_sse1_k\d+|PTGP_(sse|best_sse)\d_k\d+"
    r"|ECCMS_(alpha|lambda|iters|H_nnz|relasym|C_fro)\d"
)
#: Matrices kept by rows: of objects, and of microclusters (their rows are named beside them).
_ON_OBJECTS = r"LWCA\d|CA_times_M|ECCMS_C\d|WCA|ECPCS_ECA|CTS|SRS|ASRS"
_ON_MICROCLUSTERS = r"PTS\d"
#: And of clusters.
_ON_CLUSTERS = r"SACT|ECPCS_clsSimRW"
#: Of the methods that look for a median partition or learn a matrix: labels and objectives, and whole matrices.
_MEDIANS = (
    r"KCC_U_[cH]_(labels|obj)|DREC_(Z|labels|lambda)"
    r"|(SPCE_g[123]|TRCE)_labels_k2345|SPCE_g_gammas|TRCE_gamma|TRCE_ncomp_k\d|TRCE_S_k3"
)
#: Rows kept of a matrix.
N_ROWS = 30
ENSEMBLES = ("iris", "moons500")


def small_oracle(whole: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the golden tests read of one file of answers; full matrices of iris stay where a tree grows on them."""
    n, known = len(whole["E"]), whole.get("rows", np.arange(len(whole["E"])))
    places = np.linspace(0, len(known) - 1, N_ROWS).astype(int)
    nodes = np.linspace(0, len(whole["MCA_times_M"]) - 1, N_ROWS).astype(int)
    kept = {"rows": known[places]}
    for key, value in whole.items():
        name = key.removesuffix("_sub")
        if re.fullmatch(_PLAIN, key) or re.fullmatch(_MEDIANS, key):
            kept[key] = _smaller(key, value)
        elif re.fullmatch(_ON_MICROCLUSTERS, name):
            kept |= {f"{name}_rows": nodes, f"{name}_sub": value[nodes]}
        elif re.fullmatch(_ON_CLUSTERS, name):
            clusters = np.linspace(0, len(value) - 1, N_ROWS).astype(int)
            kept |= {f"{name}_rows": clusters, f"{name}_sub": value[clusters].astype(np.float32)}
        elif name.startswith("ECCMS_C") and n <= 200 and re.fullmatch(_ON_OBJECTS, name):
            kept[name] = value.astype(np.float32)
        elif re.fullmatch(_ON_OBJECTS, name):
            kept[f"{name}_sub"] = value[places].astype(value.dtype if value.dtype == np.uint8 else np.float32)
    return kept


def _smaller(key: str, value: np.ndarray) -> np.ndarray:
    """In fewer bytes where the test allows for it."""
    if value.dtype == np.int16 and value.max() < 256:
        return value.astype(np.uint8)
    return value.astype(np.float32) if key.startswith("USENC_emb") else value


def main() -> None:
    """Write both ensembles."""
    for name in ENSEMBLES:
        with np.load(Path(os.environ["CONCORD_ORACLE"]) / f"{name}.npz") as archive:
            np.savez_compressed(ARRAYS / f"{name}.npz", **small_oracle(dict(archive)))


if __name__ == "__main__":
    main()
