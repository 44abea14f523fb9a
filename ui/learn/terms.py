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
