"""The sixteen objects of Fig. 2 in Huang, Wang and Lai (2018): rows are labels under pi^1, pi^2, pi^3."""

import numpy as np

ROWS_AND_REPEATS = [
    ((0, 0, 0), 2), ((0, 1, 0), 2), ((0, 1, 1), 1), ((0, 2, 1), 3),
    ((1, 0, 0), 3), ((2, 2, 1), 1), ((2, 2, 2), 4),
]  # fmt: skip
LABELS = np.array([row for row, repeats in ROWS_AND_REPEATS for _ in range(repeats)])
