"""The names a trace may hold, each with the words that stand beside its picture."""

#: Kept in every trace: at most a few numbers a microcluster or a cluster.
SMALL = {
    "cluster_weights": "reliability of every cluster",
    "clustering_weights": "weight of every base clustering",
    "dendrogram": "tree of merges",
    "residuals": "residuals by iteration",
    "tied_merges": "merges at the similarity of another",
    "growth": "rounds of growing trees",
    "density": "local density",
    "capacity": "representative capacity",
    "prototypes": "prototypes",
    "embedding": "spectral embedding",
    "symmetric_clusters": "clusters that only the order of the rows tells apart",
    "repaired": "parts that had to be made",
    "walk": "settings of the random walk",
    "neighbours_kept": "neighbours kept of each object",
    "strongest_link": "strongest link of two clusters, by which the others are measured",
    "objectives": "objective reached by each start, the lower the better",
    "unsettled": "runs stopped before they settled",
    "breaches": "rounds in which objects of one microcluster would have parted",
    "smallest_group": "objects in the smallest group that survives",
    "sampled_objects": "objects the method was run on, the others being placed afterwards",
    "strangers": "objects that share no base cluster with the sample",
    "lambda_star": "lambda up to which nothing is learnt of a microcluster",
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
    "representation": "representation (Z)",
    "learnt_graph": "learnt graph (S)",
    "completed": "completed co-association",
    "refined_co_association": "refined co-association",
    "path_similarity": "similarity along the best path",
}
#: Between the clusters of all base clusterings, K x K; kept only when asked for.
BETWEEN_CLUSTERS = {"cluster_similarity": "similarity of clusters"}
#: Costs a second run: kept only when asked for by name.
COSTLY = {"iterations": "the enhanced matrix after chosen iterations, by iteration"}
VOCABULARY = frozenset(SMALL) | frozenset(LARGE) | frozenset(BETWEEN_CLUSTERS) | frozenset(COSTLY)
#: Entries with one value per cluster of the ensemble, reported in the order of the ensemble given.
PER_CLUSTER = frozenset({"cluster_weights"})
#: Entries with one value per base clustering, reported in the order of the ensemble given.
PER_CLUSTERING = frozenset({"clustering_weights"})
