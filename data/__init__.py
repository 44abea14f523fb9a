"""Data sets and pools of base clusterings: bundled, from a folder, or uploaded."""

from data.errors import DataError, MissingValuesError
from data.gaussians import bayes_error
from data.library import catalog, load, title
from data.records import Dataset, Pool
from data.scaling import scale
from data.uploads import read_upload

__all__ = [
    "DataError",
    "Dataset",
    "MissingValuesError",
    "Pool",
    "bayes_error",
    "catalog",
    "load",
    "read_upload",
    "scale",
    "title",
]
