"""Whatever a user of the library imports says what it takes, what comes back, and when it refuses."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Functions, classes and modules that a user imports from the engine; `data` lists its own.
NAMES = (ROOT / "tests" / "contract" / "public_names.txt").read_text().split()
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.M)


def exported():
    """Functions and classes that a user imports: their module's path and their names there."""
    lists = [(name, pkgutil.resolve_name(name)) for name in [*NAMES, "data"]]
    named = {f"{home}.{one}" for home, package in lists for one in getattr(package, "__all__", ())}
    found: dict[Path, set[str]] = {}
    for item in map(pkgutil.resolve_name, sorted({*NAMES, *named})):
        if inspect.isfunction(item) or inspect.isclass(item):
            path = Path(inspect.getsourcefile(inspect.unwrap(item)))
            found.setdefault(path, set()).add(item.__name__)
        elif inspect.ismodule(item) and not hasattr(item, "__path__"):
            path = Path(item.__file__)
            found.setdefault(path, set()).update(called.split(".")[0] for called, *_ in public_functions(path))
    return {path.relative_to(ROOT).as_posix(): names for path, names in sorted(found.items())}


def public_functions(path):
    """Public functions of a module and public methods of its public classes, with the name a message shows."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node, False
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method, True


def decorators(node):
    return {ast.unparse(one).split("(")[0].split(".")[-1] for one in node.decorator_list}


def sections(docstring):
    """Names of the sections of a docstring with their text."""
    parts = SECTION.split(docstring)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(text):
    """Parameters that a section names: the words before the colon of every line that is not indented."""
    names = set()
    for line in text.splitlines():
        if line and not line.startswith(" "):
            names |= {name.strip().lstrip("*") for name in line.split(":")[0].split(",")}
    return names


def taken(node, is_method):
    """What a function takes, but for itself, a monitor, and what its name hides."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    given += [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
    names = [one.arg for one in given]
    if is_method and "staticmethod" not in decorators(node):
        names = names[1:]
    return [name for name in names if not name.startswith("_")]


def returns(node):
    """Whether something comes back: a value is returned or yielded by the function itself."""
    said = node.returns is not None and ast.unparse(node.returns) not in ("None", "'None'", "NoReturn")
    return said or any(isinstance(one, ast.Return) and one.value is not None for one in _own(node))


def _own(node):
    """Every node of a function, without those of functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own(child)


def raises(node):
    """Errors that a function raises itself, by name."""
    made = [one.exc for one in _own(node) if isinstance(one, ast.Raise) and one.exc is not None]
    return {
        ast.unparse(one.func) for one in made if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
    } & KNOWN


KNOWN = {
    "InvalidEnsembleError",
    "InvalidParameterError",
    "MissingEvidenceError",
    "TooLargeError",
    "DataError",
    "ValueError",
}
#: Properties and overloads have nothing of their own to list; kernels of numba are called by their own module.
PLAIN = {"property", "cached_property", "overload", "njit", "setter"}


def lacking(node, is_method):
    """What the docstring of a function does not say."""
    if decorators(node) & PLAIN:
        return [] if ast.get_docstring(node) or "overload" in decorators(node) else ["docstring"]
    docstring = ast.get_docstring(node)
    if not docstring:
        return ["docstring"]
    found = sections(docstring)
    missing = [name for name in taken(node, is_method) if name not in documented(found.get("Parameters", ""))]
    if returns(node) and not {"Returns", "Yields"} & set(found):
        missing.append("Returns")
    if not all(error in found.get("Raises", "") for error in raises(node)):
        missing.append("Raises")
    return missing


def overrides(path, name):
    """Whether a method is documented by a class above its own."""
    module = importlib.import_module(path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    owner, _, method = name.partition(".")
    return bool(method) and any(method in vars(base) for base in getattr(module, owner).__mro__[1:])


def gaps(path, names):
    found = ((name, lacking(node, is_method)) for name, node, is_method in public_functions(ROOT / path))
    mine = {name: missing for name, missing in found if missing and name.split(".")[0] in names}
    return {name: missing for name, missing in mine.items() if not overrides(path, name)}


@pytest.mark.parametrize(("path", "names"), exported().items())
def test_parameters_returns_and_errors_are_documented(path, names):
    assert gaps(path, names) == {}
