"""Data sets and pools of base clusterings: bundled, from a folder, uploaded, or from OpenML."""

from .annotated import annotate
from .bundled import bayes_error, graph_catalog, load_graph
from .errors import DataError, MissingValuesError, NoColumnError
from .graph_files import read_graph
from .library import catalog, is_far, load, title, titles
from .openml.loading import load_openml, openml_parts
from .published import PublishedScore, PublishedTable, published_tables
from .reading.opening import HERE
from .records import Dataset, Graph, Pool
from .scaling import SCALINGS, check_scaling, scale
from .uploads import read_upload

__all__ = [
    "HERE",
    "SCALINGS",
    "DataError",
    "Dataset",
    "Graph",
    "MissingValuesError",
    "NoColumnError",
    "Pool",
    "PublishedScore",
    "PublishedTable",
    "annotate",
    "bayes_error",
    "catalog",
    "check_scaling",
    "graph_catalog",
    "is_far",
    "load",
    "load_graph",
    "load_openml",
    "openml_parts",
    "published_tables",
    "read_graph",
    "read_upload",
    "scale",
    "title",
    "titles",
]
