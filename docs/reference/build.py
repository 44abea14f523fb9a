"""Build the reference: `python -m docs.reference.build [FOLDER]` (needs sphinx), warnings as errors.

The folder `engine` is laid out as the package `concord`, as it installs; every module has one page, and a method there
its equation and its parameters. Nothing is asked over the network.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from types import ModuleType
from unicodedata import normalize

from engine import consensus_methods
from engine.consensus import ConsensusMethod
from engine.params import ParamSpec

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: The command lines have their own help; what processes of their own run is called by nobody else.
_RUN_ALONE = ("hypergraph_worker", "leiden_worker", "side_worker", "metis_calls", "label_reader")
LEFT_OUT = ("cli", "console", "warm", "__main__", *_RUN_ALONE)
#: Names of other packages that look like a module's own.
FOREIGN = ("Lock", "get_cython_function_address")
GREEK = ("theta", "alpha", "beta", "gamma", "lambda", "eta")
LATEX = {"lam": r"\lambda", "l1": r"\lambda_1", "l2": r"\lambda_2"} | {name: "\\" + name for name in GREEK}

#: Letters with marks as one character: an index below a letter that MathML puts together would stand below the mark.
MARKS = {"tilde": "\u0303", "bar": "\u0304", "hat": "\u0302"}


def modules(package: Path) -> Iterator[str]:
    """Public modules and packages below a folder, by their dotted names."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part.startswith("_") or part in LEFT_OUT for part in parts):
            yield ".".join(parts)


def page(module: str, names: list[str]) -> str:
    """The page of one module; of a package, what it offers, and the pages of what is in it."""
    lines = [module, "=" * len(module), "", f".. automodule:: {module}"]
    found = import_module(re.sub("^concord", "engine", module).replace("engine.data", "data"))
    if hasattr(found, "__path__"):
        return "\n".join([*lines, "", *offered(found), "", *inside(module, names)])
    lines += ["   :members:", "   :show-inheritance:", f"   :exclude-members: {', '.join(FOREIGN)}", ""]
    method = consensus_methods().get(module.removeprefix("concord.methods."))
    return "\n".join(lines + (equation(method) if method else []))


def inside(package: str, names: list[str]) -> list[str]:
    """The list of a package's modules."""
    within = [name for name in names if name.rpartition(".")[0] == package]
    return [".. toctree::", "   :maxdepth: 1", "", *(f"   {name.rpartition('.')[2]} <{name}>" for name in within), ""]


def public_names(package: ModuleType) -> list[str]:
    """Names that a package lists, or simply imports for its users."""
    imported = [name for name, item in vars(package).items() if not (name.startswith("_") or ismodule(item))]
    return list(getattr(package, "__all__", imported))


def offered(package: ModuleType) -> list[str]:
    """A list of the names a package offers, each a link to where it is documented."""
    lines = []
    for name in public_names(package):
        home = getattr(getattr(package, name), "__module__", None) or ""
        installed = re.sub("^data", "concord.data", re.sub("^engine", "concord", home))
        ours = installed.startswith("concord.")
        lines.append(f"- :py:obj:`{name} <{installed}.{name}>`" if ours else f"- ``{name}``")
    return lines


def equation(method: ConsensusMethod) -> list[str]:
    """The equation of a method, and its parameters."""
    specs = method.params.specs()
    symbols = {spec.name: spec.symbol for spec in specs}
    latex = re.sub(r"<(\w+)>", lambda found: LATEX.get(found[1], symbols.get(found[1], found[1])), method.formula)
    latex = re.sub(r"\\(tilde|bar|hat) (\w)", lambda found: normalize("NFC", found[2] + MARKS[found[1]]), latex)
    called = f'``run_consensus("{method.key}", ...)`` calls it; see :py:obj:`concord.consensus.method.ConsensusMethod`.'
    lines = ["", "Equation", "--------", "", method.summary, called, "", ".. math::", "", f"   {latex}", ""]
    if specs:
        lines += ["Parameters", "----------", "", *(line for spec in specs for line in parameter(spec))]
    return lines


def parameter(spec: ParamSpec) -> list[str]:
    """One parameter of a method: name, symbol, default, and what it is."""
    default = "automatic" if spec.default is None else f"``{spec.default!r}``"

    return [f"``{spec.name}`` ({spec.symbol}, default {default})", f"    {spec.doc} {spec.raising}", ""]


def lay_out(folder: Path) -> None:
    """Write the pages, and the package as it installs, into a folder."""
    package = folder / "concord"
    shutil.copytree(ROOT / "engine", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", package / "data", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "conf.py", folder)
    names = list(modules(package))
    for name in names:
        (folder / f"{name}.rst").write_text(page(name, names), encoding="utf-8")
    index = "Concord\n=======\n\nEvery module of the library, from its docstrings.\n\n.. toctree::\n\n   concord\n"
    (folder / "index.rst").write_text(index, encoding="utf-8")


def build(goal: Path, form: str = "html") -> int:
    """Write the reference (`form`: a builder of Sphinx); the exit status, with every warning an error."""
    with tempfile.TemporaryDirectory() as aside:
        lay_out(Path(aside))
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-j",
            "2",
            "-b",
            "html",
            aside,
            str(goal),
        ]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "reference")))
