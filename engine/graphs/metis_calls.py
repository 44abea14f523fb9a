"""What the process that runs METIS does for `metis_cuts` (see `engine/runtime/side_worker.py`)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

pymetis: Any
try:
    import pymetis
except ImportError:  # it is optional: whoever needs it says so
    pymetis = None

#: Integer type METIS was built with; its sums of weights must stay inside.
INDEX = np.dtype(pymetis.zero_copy_dtype() if pymetis else np.int32)


def solve(given: dict[str, NDArray]) -> NDArray[np.int32]:
    """Labels (n,) of the vertices of a graph that was checked (see `metis_cuts.MetisGraph`); parts may be empty.

    `n_parts` is from 2 to n - 1: METIS errs on others. `recursive` bisection instead of the k-way scheme; seed, ncuts
    and no2hop are METIS's options. What METIS prints goes nowhere, and why it gave up is the last thing said.
    """
    options = pymetis.Options(**{name: int(given[name]) for name in ("seed", "ncuts", "no2hop")})
    graph: dict[str, Any] = {"vweights": given["sizes"], "eweights": given["weights"], "options": options}
    adjacency = pymetis.CSRAdjacency(given["start"], given["neighbors"])
    try:
        found = pymetis.part_graph(int(given["n_parts"]), adjacency, recursive=bool(given["recursive"]), **graph)
    except (RuntimeError, MemoryError) as error:
        raise SystemExit(str(error) or "it had too little memory") from error
    return np.asarray(found.vertex_part, dtype=np.int32)
