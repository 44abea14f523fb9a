"""Packages that are optional: whoever needs one that is not there says which, and the line that installs it."""

from importlib import import_module
from types import ModuleType

from .errors import MissingExtraError


def imported(name: str, what: str, install: str = "") -> ModuleType:
    """An optional package.

    >>> imported("numpy", "This line").__name__
    'numpy'
    """
    try:
        return import_module(name)
    except ImportError:
        line = f"pip install {install or name}"
        raise MissingExtraError(
            f"{what} needs the package {name}, which is not installed. Install it: {line}"
        ) from None
