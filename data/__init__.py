"""Data sets and pools of base clusterings: bundled, from a folder, uploaded, or from OpenML."""

from .errors import DataError, MissingValuesError
from .gaussians import bayes_error
from .library import catalog, load, title
from .openml import load_openml
from .published import PublishedScore, PublishedTable, published_tables
from .records import Dataset, Pool
from .scaling import SCALINGS, check_scaling, scale
from .uploads import read_upload

__all__ = [
    "SCALINGS",
    "DataError",
    "Dataset",
    "MissingValuesError",
    "Pool",
    "PublishedScore",
    "PublishedTable",
    "bayes_error",
    "catalog",
    "check_scaling",
    "load",
    "load_openml",
    "published_tables",
    "read_upload",
    "scale",
    "title",
]
