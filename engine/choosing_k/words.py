"""The verdict over all criteria, in words."""

import numpy as np
from numpy.typing import NDArray

from .registry import Curve
from .structure_test import Structure

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3), number(25)
    ('three', '25')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else f"{n:,}"


def share(value: float) -> str:
    """Two decimals, without the 0 in front.

    >>> share(0.931), share(1.0)
    ('.93', '1.00')
    """
    return f"{value:.2f}".removeprefix("0") if value >= 0 else f"-{share(-value)}"


def verdict_of(
    k: int,
    picks: dict[str, int],
    counted: tuple[str, ...],
    curves: dict[str, Curve],
    ks: NDArray[np.int64],
    structure: Structure | None,
) -> str:
    """What the criteria say together, "no structure" first."""
    if structure is not None and not structure.found:
        return (
            f"These data look like one group: {_reached(structure)} as clear as what was found here, "
            f"so no number of clusters is proposed."
        )
    if not counted:
        return "No criterion that could be asked here prefers one number of clusters."
    sentences = [_agreement(k, picks, counted), _halves(k, curves, ks), _against_null(structure)]
    return " ".join(sentence for sentence in sentences if sentence)


def _agreement(k: int, picks: dict[str, int], counted: tuple[str, ...]) -> str:
    n, agreeing = len(counted), sum(picks[key] == k for key in counted)
    if n == 1:
        return f"The one criterion that could be asked says {k}."
    if agreeing == n:
        return f"All {number(n)} criteria say {k}."
    others = sorted({picks[key] for key in counted} - {k})
    doubt = " They do not agree: look at the partitions before you choose." if 2 * agreeing <= n else ""
    said = f"{number(agreeing).capitalize()} of {number(n)} criteria {_say(agreeing)} {k}."
    return f"{said} The others say {_listed(others)}.{doubt}"


def _say(agreeing: int) -> str:
    return "says" if agreeing == 1 else "say"


def _listed(values: list[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"{', '.join(map(str, values[:-1]))} or {values[-1]}"


def _halves(k: int, curves: dict[str, Curve], ks: NDArray[np.int64]) -> str:
    if "halves" not in curves or k not in ks:
        return ""
    value = curves["halves"].values[int(np.flatnonzero(ks == k)[0])]
    return f"Two halves of the ensemble agree at {share(value)} (ARI) on {k}." if np.isfinite(value) else ""


def _against_null(structure: Structure | None) -> str:
    if structure is None:
        return "Whether data without clusters would do as well was not asked."
    p = f"{structure.p:.3f}".removeprefix("0")
    return f"There is structure: {_reached(structure)} as clear as this (p = {p})."


def _reached(structure: Structure) -> str:
    n = len(structure.null)
    verb = "were" if structure.n_reached != 1 else "was"
    return f"{number(structure.n_reached)} of {n} sets drawn without clusters {verb}"
