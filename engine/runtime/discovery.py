"""What is declared once is found by looking: objects of a kind in the files of a folder, or its public functions."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import TypeVar

Declared = TypeVar("Declared")


def declared(package: str, kind: type[Declared]) -> list[Declared]:
    """What the modules of a package say of this kind: each object once, in the modules' alphabetical order.

    >>> from engine import ConsensusMethod
    >>> len(declared("engine.methods", ConsensusMethod)) > 10
    True
    """
    path = importlib.import_module(package).__path__
    modules = (importlib.import_module(f"{package}.{found.name}") for found in pkgutil.iter_modules(path))
    said = (value for module in modules for value in vars(module).values() if isinstance(value, kind))
    return list({id(one): one for one in said}.values())


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
