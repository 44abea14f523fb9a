"""The field's terms, each in a sentence or two that a student understands."""

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
    "elite neighbours": "The few heaviest links of a microcluster. The others are more often wrong than right.",
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
    "contingency table": "How many objects lie in cluster a of one clustering and cluster b of the other.",
}
