"""What a method will take on the present ensemble, in words; the laws are `engine.consensus.costs`."""

import numpy as np

from engine import Ensemble
from engine.consensus.costs import TIME, expected, law_of, size_of, term_values
from ui.saying import bytes_words, roughly

#: A law that is off by more is told with its span.
VAGUE = 3.0


def words(key: str, made: Ensemble) -> str:
    """The same in words: "about 12 s and 90 MB"; empty if it was not measured."""
    law, told = law_of(key, made), expected(key, made)
    if law is None or told is None:
        return ""
    seconds, megabytes = told
    low, high = roughly(seconds / law.off), roughly(seconds * law.off)
    span = f" ({low} to {high}, as the data have it)" if law.off > VAGUE else ""
    beyond = ", by the law of much smaller sets" if len(made.microclusters) > 4 * law.largest_n else ""
    return f"about {roughly(seconds)}{span} and {bytes_words(float(f'{megabytes * 1e6:.2g}'))}{beyond}"


def growth(key: str, made: Ensemble) -> str:
    """What its time grows with here, the largest term first: "n², nM"; empty if nothing but a fixed part counts."""
    law = law_of(key, made)
    if law is None:
        return ""
    parts = term_values(TIME, size_of(made)) * law.seconds
    order = np.argsort(-parts[1:], kind="stable") + 1
    words = ", ".join(_raised(TIME[i]) for i in order if parts[i] > 0.05 * parts.sum())
    meant = {"C": "all clusters together", "E": "edges of the graph", "N": "all objects"}
    said = ", ".join(f"{letter}: {meaning}" for letter, meaning in meant.items() if letter in words)
    return words + (f" ({said})" if said else "")


def _raised(term: str) -> str:
    """As people write it; the number of clusters is C for them, since K counts neighbours."""
    return term.replace("^2", "²").replace("^3", "³").replace("K", "C")
