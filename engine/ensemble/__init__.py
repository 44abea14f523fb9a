"""Base clusterings of the same objects: read, ordered, compressed to microclusters, and kept in files."""

from .clusters import Clusters
from .ensembles import Ensemble, nearly_all_alone
from .graphs import Graph
from .microclusters import Microclusters, find_microclusters, frozen
from .renumbering import first_appearance
from .saving import load_ensemble, save_ensemble
