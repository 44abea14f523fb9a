"""What an ensemble says about its objects: weights of clusters, and matrices between objects."""

from engine.evidence.agreement import LinkQuality, clustering_agreement, link_quality
from engine.evidence.bucket_paths import shortest_paths
from engine.evidence.cluster_overlaps import cluster_incidence, cluster_jaccard
from engine.evidence.cluster_reliability import cluster_uncertainty, ensemble_driven_cluster_index
from engine.evidence.cluster_trajectories import cluster_trajectory_form, cluster_trajectory_similarity
from engine.evidence.elite_neighbors import (
    default_neighbors,
    elite_neighbor_graph,
    microcluster_elite_graph,
    preserved_link_ratio,
)
from engine.evidence.enhancement import Enhancement, enhance, enhancement_limit, require_enhancement
from engine.evidence.high_confidence_graph import high_confidence
from engine.evidence.local_densities import local_density, prototype_ranking, representative_capacity
from engine.evidence.membership_cosines import (
    mean_membership_similarity,
    membership_directions,
    membership_graph,
)
from engine.evidence.pair_count_graphs import pair_count_graph
from engine.evidence.pair_counts import (
    co_association,
    locally_weighted_co_association,
    weighted_co_association,
)
from engine.evidence.random_walks import trajectory_form, trajectory_similarities, trajectory_similarity
from engine.evidence.refined_distances import distance_steps, refined_distance, refined_log_distance
from engine.evidence.transitions import probability_trajectory, transition_matrix

__all__ = [
    "Enhancement",
    "LinkQuality",
    "clustering_agreement",
    "link_quality",
    "cluster_incidence",
    "cluster_jaccard",
    "cluster_trajectory_form",
    "cluster_trajectory_similarity",
    "cluster_uncertainty",
    "co_association",
    "default_neighbors",
    "distance_steps",
    "elite_neighbor_graph",
    "enhance",
    "enhancement_limit",
    "ensemble_driven_cluster_index",
    "high_confidence",
    "local_density",
    "locally_weighted_co_association",
    "mean_membership_similarity",
    "membership_directions",
    "membership_graph",
    "microcluster_elite_graph",
    "pair_count_graph",
    "preserved_link_ratio",
    "prototype_ranking",
    "refined_distance",
    "refined_log_distance",
    "representative_capacity",
    "require_enhancement",
    "probability_trajectory",
    "shortest_paths",
    "trajectory_form",
    "trajectory_similarities",
    "trajectory_similarity",
    "transition_matrix",
    "weighted_co_association",
]
