"""How firmly every object sits in its cluster, and every cluster as a whole."""

from .internal import INTERNAL, ClusterMeans, cluster_means, internal_scores, mean_margin, mean_nmi, nmi_with_each
from .prediction import Predicted, extended, nearest_base_labels, predict
from .profiles import Profile, cluster_profile, margin, support
from .resampling import Resampled, element_centric_consistency, resampled, stability

__all__ = [
    "INTERNAL",
    "ClusterMeans",
    "Predicted",
    "Profile",
    "Resampled",
    "cluster_means",
    "cluster_profile",
    "element_centric_consistency",
    "extended",
    "internal_scores",
    "margin",
    "mean_margin",
    "mean_nmi",
    "nearest_base_labels",
    "nmi_with_each",
    "predict",
    "resampled",
    "stability",
    "support",
]
