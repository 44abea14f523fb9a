"""What an ensemble says about its objects: weights of clusters, and matrices between objects."""

from ..clusters.overlaps import cluster_links, participation, shared_objects
from ..clusters.pair_lookups import mean_of_pair, mean_over_clusters
from ..clusters.reliability import cluster_uncertainty, ensemble_driven_cluster_index
from ..clusters.simrank import approximate_simrank, cluster_simrank
from ..clusters.triples import connected_triples, source_aware_triples, triple_quality
from ..enhancement.high_confidence_graph import high_confidence
from ..enhancement.spreading import Enhancement, enhance, enhancement_limit, require_enhancement
from ..growth.bucket_paths import shortest_paths
from ..growth.distances import distance_steps, refined_distance, refined_log_distance
from ..growth.ground import local_density, prototype_ranking, representative_capacity
from ..pairs.agreement import (
    LinkQuality,
    clustering_agreement,
    link_quality,
    link_quality_by_rows,
    link_quality_of_graph,
)
from ..pairs.counts import (
    co_association,
    locally_weighted_co_association,
    shared_cluster_similarity,
    weighted_co_association,
)
from ..pairs.crowds import crowd_weights, normalized_crowd_agreement
from ..pairs.factor_pictures import block_means, block_profiles
from ..walks.elite_neighbors import (
    default_neighbors,
    elite_neighbor_graph,
    microcluster_elite_graph,
    microcluster_links,
    preserved_link_ratio,
    thinned_elite_graph,
)
from ..walks.propagation import propagated_similarity
from ..walks.trajectories import trajectory_form, trajectory_similarities, trajectory_similarity
from ..walks.transitions import probability_trajectory, transition_matrix
from .cluster_overlaps import cluster_jaccard
from .cluster_trajectories import cluster_trajectory_form, cluster_trajectory_similarity
from .low_rank import RobustRepresentation, robust_representation
from .matrix_completion import Completion, completed_co_association
from .membership_cosines import (
    mean_membership_similarity,
    membership_directions,
    membership_graph,
)
from .mixtures import DenseRepresentation, dense_representation
from .pair_count_graphs import pair_count_graph
from .self_paced_graphs import self_paced_graph
from .tri_level_graphs import LearntGraph, tri_level_graph
from .two_level_refinement import two_level_co_association

__all__ = [
    "Completion",
    "DenseRepresentation",
    "Enhancement",
    "LearntGraph",
    "LinkQuality",
    "approximate_simrank",
    "clustering_agreement",
    "link_quality",
    "link_quality_by_rows",
    "link_quality_of_graph",
    "block_means",
    "block_profiles",
    "cluster_jaccard",
    "cluster_links",
    "cluster_simrank",
    "cluster_trajectory_form",
    "cluster_trajectory_similarity",
    "cluster_uncertainty",
    "co_association",
    "connected_triples",
    "crowd_weights",
    "completed_co_association",
    "default_neighbors",
    "dense_representation",
    "distance_steps",
    "elite_neighbor_graph",
    "enhance",
    "enhancement_limit",
    "RobustRepresentation",
    "ensemble_driven_cluster_index",
    "high_confidence",
    "local_density",
    "locally_weighted_co_association",
    "mean_membership_similarity",
    "mean_of_pair",
    "mean_over_clusters",
    "membership_directions",
    "membership_graph",
    "microcluster_elite_graph",
    "microcluster_links",
    "normalized_crowd_agreement",
    "pair_count_graph",
    "participation",
    "preserved_link_ratio",
    "thinned_elite_graph",
    "prototype_ranking",
    "refined_distance",
    "refined_log_distance",
    "representative_capacity",
    "require_enhancement",
    "robust_representation",
    "probability_trajectory",
    "propagated_similarity",
    "self_paced_graph",
    "shortest_paths",
    "shared_cluster_similarity",
    "shared_objects",
    "source_aware_triples",
    "trajectory_form",
    "trajectory_similarities",
    "trajectory_similarity",
    "transition_matrix",
    "triple_quality",
    "tri_level_graph",
    "two_level_co_association",
    "weighted_co_association",
]
