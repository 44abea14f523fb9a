"""Settings of parameters in words along an axis, and scores with their spread."""

import numbers

import numpy as np

#: A scale never spans less: differences of a hundredth must not look like day and night.
LEAST_SPAN = 0.1


def setting_names(values):
    """Values of a parameter as words: None is automatic, numbers have up to four digits."""
    return [
        "auto" if value is None else f"{value:,.4g}" if is_number(value) and value % 1 else _whole(value)
        for value in values
    ]


def is_number(value):
    """Whether a setting is a number, which a switch is not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def _whole(value):
    """A whole number with its separators; anything else as it is."""
    return f"{int(value):,}" if is_number(value) else str(value)


def score_words(name, mean, sd, n=None):
    """Mean, sd and draws in words."""
    if np.isnan(mean):
        return f"{name}: not yet"
    spread = "" if np.isnan(sd) else f", sd {sd:.3f}"
    return f"{name} {mean:.3f}{spread}" + ("" if n is None else f", {n:,} draw{'s' * (n != 1)}")


def value_span(values):
    """Range of the finite values, at least 0.1 wide; 0 to 1 without any."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    widen = max(0.0, LEAST_SPAN - (high - low)) / 2
    return low - widen, high + widen
