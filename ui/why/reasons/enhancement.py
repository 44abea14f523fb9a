"""How the pair's value changed when the matrix enhanced itself, and along which certain pairs."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ui.figures.numbering import FIRST
from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """Value before and after, and the high-confidence neighbours that pulled it."""
    trace = pair.result.trace
    if not {"enhanced", "high_confidence", "similarity"} <= set(trace) or pair.a == pair.b:
        return
    before, after = (float(trace[name][pair.a, pair.b]) for name in ("similarity", "enhanced"))
    moved = "rose" if after > before else "fell"
    yield f"Enhancement: their value {moved} from {before:.3f} to **{after:.3f}**."
    table = pulls(pair)
    if len(table):
        yield "The neighbours that are certain for one of them, and how alike they are to the other:"
        yield table


def pulls(pair: Pair, most: int = 6) -> pd.DataFrame:
    """Certain neighbours of i and of j, by how much they pull on the pair: weight times their own value."""
    certain, enhanced = pair.result.trace["high_confidence"], pair.result.trace["enhanced"]
    sizes, rows = pair.ensemble.microclusters.sizes, []
    for here, there, name in ((pair.a, pair.b, "i"), (pair.b, pair.a, "j")):
        others = np.setdiff1d(np.flatnonzero(certain[here] > 0), [here, there])
        pull = certain[here, others] * sizes[others] * enhanced[others, there]
        for other in others[np.argsort(-pull, kind="stable")[:most]]:
            rows.append((name, int(other) + FIRST, int(sizes[other]), certain[here, other], enhanced[other, there]))
    columns = ["certain for", "microcluster", "objects", "certainty", "value with the other"]
    return pd.DataFrame(rows, columns=columns)


REASON = Reason(place=50, explain=explain)
