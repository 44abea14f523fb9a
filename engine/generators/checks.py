"""What generators refuse alike."""

from typing import Any

import numpy as np

from ..runtime.errors import InvalidParameterError


def require_clusterings(n_clusterings: Any) -> int:
    """M, if it is an integer of at least 1.

    Raises
    ------
    InvalidParameterError
    """
    whole = isinstance(n_clusterings, int | np.integer) and not isinstance(n_clusterings, bool)
    if not whole or n_clusterings < 1:
        raise InvalidParameterError(f"n_clusterings must be an integer of at least 1. Got {n_clusterings!r}")
    return int(n_clusterings)
