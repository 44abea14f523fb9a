"""From how many clusters a base clustering draws its own: the papers' policies, or a range of one's own."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..params import Int, Kind, RefusedError
from ..runtime.errors import InvalidParameterError

#: Ranges of k by name, each a function of N: the papers' policies.
K_POLICIES: dict[str, Callable[[int], tuple[int, int]]] = {
    "sqrt": lambda n: (2, int(n**0.5)),
    "half_sqrt": lambda n: (2, int(min(n**0.5 / 2, 50))),
    "fixed_sqrt": lambda n: (int(min(n**0.5, 50)),) * 2,
}


def k_bounds(k_range: str | tuple[int, int], n_objects: int) -> tuple[int, int]:
    """Lowest and highest k of a policy for N objects.

    Parameters
    ----------
    k_range : "sqrt" | "half_sqrt" | "fixed_sqrt" | (low, high)
        [2, sqrt N] (LWEA/LWGP, EC-CMS), [2, min(sqrt(N)/2, 50)] (PTA/PTGP), exactly min(sqrt N, 50)
        (GoT), or a range of one's own.
    n_objects : int

    Returns
    -------
    low, high : int
        2 <= low <= high <= N; a policy that falls below 2 on few objects gives 2.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> k_bounds("sqrt", 150), k_bounds("half_sqrt", 150), k_bounds((3, 9), 150)
    ((2, 12), (2, 6), (3, 9))
    """
    if isinstance(k_range, str):
        if k_range not in K_POLICIES:
            raise InvalidParameterError(f"k_range must be one of {', '.join(K_POLICIES)}, or a pair. Got {k_range!r}")
        low, high = (max(2, bound) for bound in K_POLICIES[k_range](n_objects))
        return low, high
    low, high = (int(bound) for bound in k_range)
    if not 2 <= low <= high <= n_objects:
        raise InvalidParameterError(f"k_range must satisfy 2 <= low <= high <= {n_objects:,} objects. Got {k_range!r}")
    return low, high


@dataclass(frozen=True)
class KRange(Kind):
    """A policy by name, or a pair (low, high) of at least 2; as text "sqrt" or "3-9"."""

    _rule = f"one of {', '.join(K_POLICIES)}, or a range such as 2-10"

    def _read(self, value: Any) -> str | tuple[int, int]:
        if isinstance(value, str):
            if value not in K_POLICIES:
                raise RefusedError(value)
            return value
        if not isinstance(value, tuple) or len(value) != 2:
            raise RefusedError(value)
        low, high = (Int(low=2, high=10**6).read(end) for end in value)
        if low > high:
            raise RefusedError(value)
        return low, high

    def _text(self, value: str | tuple[int, int]) -> str:
        return value if isinstance(value, str) else "-".join(map(str, value))

    def _parse(self, text: str) -> Any:
        match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text)
        return (int(match[1]), int(match[2])) if match else text

    def stops(self, default: Any) -> tuple[str, ...]:
        """The policies."""
        return tuple(K_POLICIES)

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[str, ...]:
        """The policies."""
        return tuple(K_POLICIES)

    def refused(self) -> list[Any]:
        """A word that is no policy, a number, and pairs that are no ranges."""
        return ["cubic", 3, (1, 4), (9, 3)]
