"""A folder like the published one, of the same names and kinds of files, each with 60 objects."""

from pathlib import Path

import numpy as np

from tests.data.samples import mat

N_OBJECTS = 60
#: What the published folder holds: objects, and features or base clusterings.
PUBLISHED = {
    "features/aggregation": (788, 2),
    "features/flame": (240, 2),
    "features/jain": (373, 2),
    "features/pathbased": (300, 2),
    "features/spiral": (312, 2),
    "features/r15": (600, 2),
    "features/d31": (3100, 2),
    "features/s1": (5000, 2),
    "features/glass": (214, 9),
    "features/ionosphere": (351, 34),
    "features/wdbc": (569, 30),
    "features/ecoli": (332, 7),
    "features/ImageSegmentation": (2310, 18),
    "features/PenDigits": (10992, 16),
    "features/Letters": (20000, 16),
    "pools/lwea/Caltech20": (2386, 100),
    "pools/lwea/FCT": (3780, 100),
    "pools/lwea/IS": (2310, 100),
    "pools/lwea/LR": (20000, 100),
    "pools/lwea/MNIST": (5000, 100),
    "pools/lwea/PD": (10992, 100),
    "pools/lwea/SPF": (1941, 100),
    "pools/lwea/Semeion": (1593, 100),
    "pools/pta/FC": (11340, 200),
    "pools/pta/IS": (2310, 200),
    "pools/pta/KDD99_10P": (49402, 200),
    "pools/pta/MNIST": (5000, 200),
    "pools/pta/PD": (10992, 200),
    "pools/ec-cms/Aggregation": (788, 100),
}
SMALL = {name: (N_OBJECTS, width) for name, (_, width) in PUBLISHED.items()}


def write_small_folder(root: Path) -> Path:
    """Files for all of `SMALL` below a folder: pools and some features in MAT files, the others as text."""
    rng = np.random.default_rng(0)
    for name, (n, width) in SMALL.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        truth = np.arange(n) % 3
        if name.startswith("pools"):
            noise = rng.integers(5, size=(n, width))
            members = np.where(rng.random((n, width)) < 0.3, noise, truth[:, None])
            path.with_suffix(".mat").write_bytes(mat(members=members + 1, gt=truth[:, None] + 1))
        elif name.rsplit("/", 1)[1][0].isupper():
            path.with_suffix(".mat").write_bytes(mat(fea=_points(rng, truth, width), gt=truth[:, None] + 1))
        else:
            np.savetxt(f"{path}.txt", np.column_stack([_points(rng, truth, width), truth]))
            np.savetxt(f"{path}_label.txt", truth, fmt="%d")
    return root


def _points(rng, truth, width):
    return rng.normal(size=(len(truth), width)) + 5 * truth[:, None]
