"""The names a trace may hold, each with the words that stand beside its picture."""

#: Kept in every trace: at most a few numbers a microcluster or a cluster.
SMALL = {
    "cluster_weights": "reliability of every cluster",
    "dendrogram": "tree of merges",
    "residuals": "residuals by iteration",
    "growth": "rounds of growing trees",
    "density": "local density",
    "capacity": "representative capacity",
    "prototypes": "prototypes",
    "embedding": "spectral embedding",
    "repaired": "parts that had to be made",
    "walk": "settings of the random walk",
    "neighbours_kept": "neighbours kept of each object",
}
#: Between microclusters, n x n (dense or sparse); kept only when asked for.
LARGE = {
    "co_association": "co-association (CA)",
    "similarity": "similarity",
    "graph": "elite-neighbour graph",
    "trajectories": "trajectory similarity (PTS)",
    "high_confidence": "high-confidence co-association",
    "enhanced": "enhanced co-association",
    "refined_distance": "refined distance",
}
#: Costs a second run: kept only when asked for by name.
COSTLY = {"iterations": "the enhanced matrix after chosen iterations, by iteration"}
VOCABULARY = frozenset(SMALL) | frozenset(LARGE) | frozenset(COSTLY)
#: Entries with one value per cluster of the ensemble, reported in the order of the ensemble given.
PER_CLUSTER = frozenset({"cluster_weights"})
