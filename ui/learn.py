"""What is known of methods and words: what a method will take here, the papers it comes from, a glossary."""

import re
from functools import cache
from pathlib import Path

import numpy as np

from engine import Ensemble
from engine.consensus.costs import TIME, expected, law_of, size_of, term_values
from ui.saying import bytes_words, roughly

#: LaTeX's commands, and the marks that combine with a letter.
_ACCENTS = {"'": "\u0301", '"': "\u0308", "`": "\u0300", "~": "\u0303", "v": "\u030c", "c": "\u0327", "u": "\u0306"}
BIB = Path(__file__).parents[1] / "docs" / "references.bib"


@cache
def sources() -> dict[str, str]:
    """Every entry by key, as it stands in the file."""
    found = re.split(r"\n(?=@)", BIB.read_text(encoding="utf-8"))
    return {key[1]: entry.strip() for entry in found if (key := re.match(r"@\w+\{(\w+),", entry))}


def bibtex(key: str) -> str:
    """A reference as BibTeX; of one without an entry, who should write it."""
    return sources().get(key, f"% {key} has no entry in references.bib")


@cache
def entries() -> dict[str, dict[str, str]]:
    """Every entry by key, each with its fields in plain text."""
    found = {}
    for key, entry in sources().items():
        fields = re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", entry)
        found[key] = {name: _plain(value) for name, value in fields}
    return found


def cited(key: str) -> str:
    """Authors, title, where and when: a reference as it stands under a text; one without an entry by its key."""
    entry = entries().get(key)
    if entry is None:
        return f"{key} (no entry in references.bib)."
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher", "")
    volume = f" {entry['volume']}" if "volume" in entry else ""
    return f"{_authors(entry['author'])}: {entry['title']}. *{where}*{volume}, {entry['year']}."


def _authors(text: str) -> str:
    """Family names, the last one after an "and"."""
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in text.split(" and ")]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _plain(value: str) -> str:
    """Without braces, and with the accents that LaTeX writes as commands."""
    for command, mark in _ACCENTS.items():
        apart = r"(?:\s+|(?=\{))" if command.isalpha() else r"\s*"
        value = re.sub(rf"\{{?\\{re.escape(command)}{apart}\{{?(\w)\}}?\}}?", rf"\1{mark}", value)
    return re.sub(r"\s+", " ", value.replace("{", "").replace("}", "").replace("---", "—").replace("--", "–")).strip()


#: A law that is off by more is told with its span.
VAGUE = 3.0


def cost_in_words(key: str, made: Ensemble) -> str:
    """The same in words: "about 12 s and 90 MB"; empty if it was not measured."""
    law, told = law_of(key, made), expected(key, made)
    if law is None or told is None:
        return ""
    seconds, megabytes = told
    low, high = roughly(seconds / law.off), roughly(seconds * law.off)
    span = f" ({low} to {high}, as the data have it)" if law.off > VAGUE else ""
    beyond = ", by the law of much smaller sets" if len(made.microclusters) > 4 * law.largest_n else ""
    return f"about {roughly(seconds)}{span} and {bytes_words(float(f'{megabytes * 1e6:.2g}'))}{beyond}"


def growth_of_cost(key: str, made: Ensemble) -> str:
    """What its time grows with here, the largest term first: "n², nM"; empty if nothing but a fixed part counts."""
    law = law_of(key, made)
    if law is None:
        return ""
    parts = term_values(TIME, size_of(made)) * law.seconds
    order = np.argsort(-parts[1:], kind="stable") + 1
    terms = ", ".join(_raised(TIME[i]) for i in order if parts[i] > 0.05 * parts.sum())
    meant = {"C": "all clusters together", "E": "edges of the graph", "N": "all objects"}
    said = ", ".join(f"{letter}: {meaning}" for letter, meaning in meant.items() if letter in terms)
    return terms + (f" ({said})" if said else "")


def _raised(term: str) -> str:
    """As people write it; the number of clusters is C for them, since K counts neighbours."""
    return term.replace("^2", "²").replace("^3", "³").replace("K", "C")


GLOSSARY = {
    "base clustering": "One clustering of the objects, right or wrong, that takes part in the vote.",
    "ensemble": "All base clusterings together: a table with one row an object and one column a base clustering.",
    "consensus": "The clustering that an ensemble as a whole supports, found by a consensus method.",
    "co-association": "For two objects, the share of base clusterings that put them into the same cluster.",
    "microcluster": (
        "Objects that every base clustering keeps together. Nothing in the ensemble can tell them apart, so "
        "Concord computes with microclusters instead of objects, and loses nothing by it."
    ),
    "cluster uncertainty": (
        "How much the other base clusterings scatter the objects of a cluster, in bits; 0 where all of them "
        "keep it whole."
    ),
    "ensemble-driven cluster index (ECI)": (
        "The reliability of a cluster, between 0 and 1, that follows from its uncertainty; theta says how "
        "hard uncertainty is punished."
    ),
    "elite neighbours": "The few heaviest links of a microcluster; its lighter ones are left out.",
    "trajectory": (
        "Where a random walker on the links is likely to be after one step, two steps, and so on. Walkers "
        "that start in one cluster travel alike."
    ),
    "prototype": "A microcluster that is dense and far from anything denser: where a tree takes root.",
    "transfer cut": "The normalised cut of a graph of objects and clusters, found through its smaller side.",
    "dendrogram": "The tree of merges, from single microclusters to one cluster; a cut through it gives k clusters.",
    "NMI": (
        "How much two clusterings say about each other: 1 if they are the same, about 0 if neither helps to "
        "guess the other. It is divided by the larger entropy, their mean, or the root of their product."
    ),
    "ARI": (
        "The share of pairs on which two clusterings agree, corrected for chance: 1 if they are the same, 0 "
        "on average for random ones."
    ),
    "NMI (max)": (
        "How much two clusterings say about each other, divided by the larger of their entropies: 1 if they are the "
        "same, about 0 if neither helps to guess the other. A clustering into too many clusters scores low."
    ),
    "NMI (sqrt)": "The same as NMI (max), but divided by the root of the product of both entropies: never smaller.",
    "ANMI": "The mean NMI of a clustering with all base clusterings: how much it shares with them.",
    "SNMI": "For a base clustering, the sum of its NMI with all others: how much it agrees with the rest.",
    "variation of information": (
        "A distance between two clusterings, in bits: what is left to guess of each once the other is known; 0 if they "
        "are the same."
    ),
    "reliability": "How far the other base clusterings confirm a cluster, between 0 and 1; 1: all keep it whole.",
    "margin": (
        "How much more an object belongs to its own cluster, or tree, than to the next best one. Near 0 it could be in "
        "either, below 0 it would rather be elsewhere."
    ),
    "silhouette": (
        "For an object, how much farther the nearest other cluster is than its own, between -1 and 1; below 0 it lies "
        "nearer to another."
    ),
    "item consensus": "For an object and a cluster, how often on average it meets the members of that cluster.",
    "cluster consensus": "How often two members of a cluster meet on average: 1 if all clusterings keep it whole.",
    "stress": (
        "How far distances on a map differ from the true ones: 0 if all are right, above some 0.2 only what is near "
        "and what is far can be read off."
    ),
    "residual": (
        "By how much a condition that holds at the solution is not met yet, as a share; an iteration ends once all of "
        "them are small."
    ),
    "Laplacian": "A matrix made of a graph's links; through it, what is linked is made alike.",
    "eigengap": "The widest gap between the eigenvalues of a graph: as many parts as lie before it hang loosely.",
    "PAC": "The share of pairs neither nearly always nor nearly never together; small where clusters are clear.",
    "RCSI": "PAC set against data without clusters, so that it does not favour many small ones.",
    "trajectory similarity (PTS)": "How alike the ways of two walkers are, step by step: the cosine between them.",
    "LWCA": "Co-association in which the clusters that others confirm count more: locally weighted.",
    "EAC": "Evidence accumulation: hierarchical clustering of how often two objects meet, every clustering alike.",
    "LWEA": "Locally weighted evidence accumulation: like EAC, but clusters that others confirm count more.",
    "LWGP": "Locally weighted graph partitioning: a graph of objects and clusters, cut; confirmed clusters weigh more.",
    "PTA": "Probability trajectory accumulation: those are merged whose random walks on the strongest links are alike.",
    "PTGP": "Probability trajectories with graph partitioning: as PTA, but a graph is cut instead of a tree.",
    "EC-CMS": (
        "Enhancement of the co-association matrix: pairs that nearly all clusterings agree on teach the others, before "
        "what then meets most is merged."
    ),
    "GoT": "Growing trees: representative objects take root, and who belongs most clearly joins first.",
    "LAC": "Locally adaptive clustering: k-means in which every cluster weighs the features in its own way.",
    "capacity": (
        "How far a microcluster is from anything denser. Where density and capacity are high, a tree takes root."
    ),
    "contingency table": "How many objects lie in cluster a of one clustering and cluster b of the other.",
}
