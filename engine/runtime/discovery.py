"""What is declared once is found by looking: a constant in a file each, or the public functions of a folder."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import Any


def declared(package: str, constant: str) -> list[Any]:
    """The constant of this name in every module of a package that has one, in the modules' alphabetical order.

    >>> len(declared("engine.methods", "METHOD")) > 10
    True
    """
    path = importlib.import_module(package).__path__
    modules = (importlib.import_module(f"{package}.{found.name}") for found in pkgutil.iter_modules(path))
    return [getattr(module, constant) for module in modules if hasattr(module, constant)]


def functions(package: str, where: Callable[[Callable], bool] = lambda one: True) -> dict[str, Callable]:
    """Public functions that the modules of a package define, by name, in the modules' alphabetical order.

    ValueError if two of those for which `where` holds share a name.
    """
    found: dict[str, Callable] = {}
    for one in pkgutil.iter_modules(importlib.import_module(package).__path__):
        module = importlib.import_module(f"{package}.{one.name}")
        for name, made in vars(module).items():
            own = inspect.isfunction(made) and made.__module__ == module.__name__ and not name.startswith("_")
            if own and where(made):
                if name in found:
                    raise ValueError(f"two functions of {package} are called {name!r}")
                found[name] = made
    return found
