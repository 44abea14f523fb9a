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
    votes: dict[str, int],
    at_edge: dict[str, int],
    curves: dict[str, Curve],
    ks: NDArray[np.int64],
    structure: Structure | None,
    further: bool,
) -> str:
    """What the criteria say together, "no structure" first.

    `at_edge`: the picks, by title, that have no vote for that reason; `further`: whether there is any k beyond the last
    of `ks`.
    """
    if structure is not None and not structure.found:
        tried = "2" if len(ks) == 1 else f"2 to {ks[-1]}"
        return (
            f"To k-means with {tried} clusters these data look like one group: {_reached(structure)} as clear as "
            "what was found here, so no number of clusters is proposed. Groups that k-means cuts through, such as a "
            "ring around another, cannot be told from one group by such base clusterings: look at the picture."
        )
    if not votes and not at_edge:
        return "No criterion with a vote prefers one number of clusters."
    asked = [_agreement(k, votes, further), *_edge(at_edge, int(ks[-1]), further), _halves(k, curves, ks)]
    sentences = [*asked, _against_null(structure)]
    return " ".join(sentence for sentence in sentences if sentence)


def beyond(each: NDArray[np.int64], top: int) -> str:
    """That all base clusterings have the same number of clusters, one beyond the largest looked at; else empty.

    >>> beyond(np.array([12, 12, 12]), 10)
    'Every base clustering has 12 clusters, and at most 10 were looked at.'
    """
    k = int(each[0])
    if k <= top or (each != k).any():
        return ""
    return f"Every base clustering has {k:,} clusters, and at most {top:,} were looked at."


def _agreement(k: int, votes: dict[str, int], further: bool) -> str:
    n, agreeing = len(votes), [name for name, vote in votes.items() if vote == k]
    if not agreeing:
        words = (
            f"At least {k}: the range is too short to tell." if further else f"{k}, the most that can be tried here."
        )
        if not votes:
            return words
        many = f"{number(n).capitalize()} {'vote' if n == 1 else 'votes'}"
        return f"{words} {many} inside it {_say(n)} {_listed(sorted(set(votes.values())))}."
    if n == 1:
        return f"The only vote is for {k}: {agreeing[0]}."
    if len(agreeing) == n:
        return f"{'Both' if n == 2 else f'All {number(n)}'} votes say {k}: {all_of(agreeing)}."
    others = sorted(set(votes.values()) - {k})
    doubt = " They do not agree: look at the partitions before you choose." if 2 * len(agreeing) <= n else ""
    said = f"{number(len(agreeing)).capitalize()} of {number(n)} votes {_say(len(agreeing))} {k}: {all_of(agreeing)}."
    rest = "The other says" if n == len(agreeing) + 1 else "The others say"
    return f"{said} {rest} {_listed(others)}.{doubt}"


def _edge(at_edge: dict[str, int], top: int, further: bool) -> list[str]:
    """Who has no vote because its pick is the last one there is, for all criteria or for this one."""
    said = []
    for pick in sorted(set(at_edge.values()), reverse=True):
        titles = [title for title, one in at_edge.items() if one == pick]
        verb, have, it = ("picks", "has", "it") if len(titles) == 1 else ("pick", "have", "they")
        names = all_of(titles)
        words = f"{names[0].upper()}{names[1:]} {verb} {pick}, the largest number "
        if pick < top:
            said.append(f"{words}that {it} {have} a value for, and {have} no vote.")
        else:
            looked = (
                f"looked at, and {have} no vote: look further." if further else f"there can be, and {have} no vote."
            )
            said.append(words + looked)
    return said


def all_of(names: list[str]) -> str:
    """Names in a row, the last after "and"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
