"""What an ensemble says about its objects, for scripts: public names of the rooms that weigh clusters and pairs."""

from . import similarities as pairs
from .clusters.overlaps import cluster_links, participation, shared_objects
from .clusters.pair_lookups import mean_of_pair, mean_over_clusters
from .clusters.reliability import cluster_uncertainty, ensemble_driven_cluster_index
from .clusters.shared_neighbours import (
    approximate_simrank,
    cluster_simrank,
    connected_triples,
    source_aware_triples,
    triple_quality,
)
from .enhancement.high_confidence_graph import high_confidence
from .enhancement.spreading import Enhancement, enhance, enhancement_limit, require_enhancement
from .growth.distances import distance_steps, refined_distance, refined_log_distance, shortest_paths
from .methods.cspa import pair_count_graph
from .methods.drec import DenseRepresentation, dense_representation
from .methods.ecmc import Completion, completed_co_association
from .methods.got import local_density, prototype_ranking, representative_capacity
from .methods.learnt_graphs import LearntGraph
from .methods.mcla import cluster_jaccard
from .methods.ptgp import cluster_trajectory_form, cluster_trajectory_similarity
from .methods.rsec import RobustRepresentation, robust_representation
from .methods.spce import self_paced_graph
from .methods.tome import two_level_co_association
from .methods.trce import tri_level_graph
from .methods.wspa import mean_membership_similarity, membership_directions, membership_graph
from .pairs.agreement import (
    LinkQuality,
    clustering_agreement,
    crowd_weights,
    link_quality,
    link_quality_by_rows,
    link_quality_of_graph,
    normalized_crowd_agreement,
)
from .pairs.counts import (
    co_association,
    locally_weighted_co_association,
    shared_cluster_similarity,
    weighted_co_association,
)
from .pairs.factor_pictures import block_means, block_profiles
from .walks.elite_neighbors import (
    default_neighbors,
    elite_neighbor_graph,
    microcluster_elite_graph,
    microcluster_links,
    preserved_link_ratio,
    thinned_elite_graph,
)
from .walks.trajectories import propagated_similarity, trajectory_form, trajectory_similarities, trajectory_similarity
from .walks.transitions import probability_trajectory, transition_matrix
