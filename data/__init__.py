"""Data sets and pools of base clusterings: bundled, from a folder, uploaded, or from OpenML."""

from data.errors import DataError, MissingValuesError
from data.gaussians import bayes_error
from data.library import catalog, load, title
from data.openml import load_openml
from data.published import PublishedScore, PublishedTable, published_tables
from data.records import Dataset, Pool
from data.scaling import scale
from data.uploads import read_upload

__all__ = [
    "DataError",
    "Dataset",
    "MissingValuesError",
    "Pool",
    "PublishedScore",
    "PublishedTable",
    "bayes_error",
    "catalog",
    "load",
    "load_openml",
    "published_tables",
    "read_upload",
    "scale",
    "title",
]
