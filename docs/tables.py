"""Tables of README and docs that say what the program knows, made from it: `python -m docs.tables`.

A document holds a table between `<!-- table: methods -->` and `<!-- end of table -->`; the name is one of `TABLES`.
A test sees that what stands there is what would be written.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from data.readers import known_readers
from engine import ConsensusMethod, consensus_methods, metrics
from engine.choosing_k import known_criteria
from engine.choosing_method import known_criteria as known_method_criteria
from engine.consensus.method import FAMILIES
from engine.generators import known_generators
from engine.selection import known_strategies
from engine.similarities.registry import pair_evidence
from ui.learn import cited, entries
from ui.lessons import library
from ui.session.settings import settings

ROOT = Path(__file__).parents[1]
MARKS = re.compile(r"(?<=<!-- table: )(\w+) -->\n.*?(?=^<!-- end of table -->)", flags=re.S | re.M)


def table(header: str, rows: Iterable[Iterable[object]]) -> str:
    """A table of Markdown; the cells of the header stand between bars."""
    columns = [cell.strip() for cell in header.split("|")]
    lines = [columns, ["---"] * len(columns), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def paper(key: str) -> str:
    """Who wrote a paper, and when."""
    return f"{cited(key).partition(': ')[0]} {entries()[key]['year']}" if key in entries() else cited(key)


def sentence(docstring: str | None) -> str:
    """The first line of a docstring."""
    return (docstring or "").strip().split("\n")[0].strip()


def methods() -> str:
    """Every method by family."""
    order = list(FAMILIES)
    found = sorted(consensus_methods().values(), key=lambda method: (order.index(method.family), method.key))
    rows = [(f"`{one.key}`", one.title, one.summary, *_asks(one), paper(one.reference)) for one in found]
    return table("key | method | what it does | missing labels | needs | paper", rows)


def _asks(method: ConsensusMethod) -> tuple[str, str]:
    """Whether a method takes missing labels, and what else it asks for, under its defaults."""
    said = {
        "memberships": "soft memberships",
        "graph": "a graph",
        "igraph": "igraph",
        "dense": "n x n",
        "dense where labels are missing": "n x n where labels are missing",
        "dense between clusters": "K x K",
        "dense between objects and clusters": "n x K",
        "pymetis": "METIS",
        "mtkahypar": "Mt-KaHyPar",
    }
    needs = method.requirements()
    return "yes" if method.takes_missing else "no", ", ".join(said[need] for need in said if need in needs)


def generators() -> str:
    """Every maker of base clusterings."""
    rows = [(f"`{one.key}`", one.title, one.summary, paper(one.reference)) for one in known_generators().values()]
    return table("key | base clusterings from | what it does | paper", rows)


def evidence() -> str:
    """Whatever can be shown between two objects."""
    names = {one.key: ", ".join(spec.symbol for spec in one.params.specs()) for one in pair_evidence().values()}
    rows = [(f"`{one.key}`", one.title, names[one.key] or "none") for one in pair_evidence().values()]
    return table("key | between two objects | parameters", rows)


def criteria() -> str:
    """Every criterion for the number of clusters."""
    found = known_criteria().values()
    rows = [(f"`{one.key}`", one.summary, "yes" if one.counts else "no", paper(one.reference)) for one in found]
    return table("key | what it measures | has a vote | paper", rows)


def readers() -> str:
    """Every kind of file that can be brought."""
    said = {ending: sentence(reader.read.__doc__) for ending, reader in known_readers().items()}
    return table("files | what is read", [(ending, words.removeprefix("Return ")) for ending, words in said.items()])


def measures() -> str:
    """Everything a partition is scored by."""
    return table("key | measure", [(f"`{key}`", title) for key, title in metrics.MEASURES.items()])


def lessons() -> str:
    """Every lesson that comes with the app."""
    found = library.in_folder(library.BUILT_IN, built_in=True)
    rows = [(f"`{one.key}`", one.title, one.audience, f"{one.minutes} minutes", len(one.steps)) for one in found]
    return table("key | question | for | takes | steps", rows)


def pages() -> str:
    """Every page and what it asks, as the first line of its file says."""
    lines = [sentence(ast.get_docstring(ast.parse(path.read_text()))) for path in page_files()]
    return table("page | what it asks", [line.split(": ", 1) for line in lines])


def page_files() -> list[Path]:
    """The files of all pages, in their order."""
    return sorted((ROOT / "pages").glob("[0-9]*.py"))


def extras() -> str:
    """What of the package is optional, and the packages it brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = project["optional-dependencies"].items()
    rows = [(f"`concord[{name}]`", ", ".join(re.split(r"[>=<]", one)[0] for one in needs)) for name, needs in found]
    return table("extra | brings", rows)


def registries() -> str:
    """What is declared in a file and found by looking: where it stands now, and who reads it."""
    return table("one more | declared as | stands in | there are | read by", [_registry(*one) for one in _REGISTRIES])


#: What is declared once, as what, where, and who reads all of them.
_REGISTRIES: tuple[tuple[str, str, str, Callable], ...] = (
    ("consensus method", "`ConsensusMethod`", "engine/methods", consensus_methods),
    ("maker of base clusterings", "`Generator`", "engine/generators", known_generators),
    ("evidence between two objects", "`PairEvidence`", "engine/similarities", pair_evidence),
    ("criterion for k", "`Criterion`", "engine/choosing_k/criteria", known_criteria),
    ("criterion for a method", "`Criterion`", "engine/choosing_method/criteria", known_method_criteria),
    ("choice of base clusterings", "`Strategy`", "engine/selection/strategies", known_strategies),
    ("kind of file", "constant `READERS`", "data/readers", known_readers),
    ("thing a session keeps", "constant `SETTINGS`", "ui", settings),
)


def _registry(what: str, kind: str, folder: str, reader: Callable) -> tuple[str, str, str, int, str]:
    """The row of one kind of declaration."""
    return what, kind, f"`{folder}`", len(reader()), f"`{reader.__module__}.{reader.__name__}`"


def arrows() -> str:
    """Imports that are forbidden, as import-linter is told."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    found = [one for one in contracts if one["type"] == "forbidden"]
    names = [
        [", ".join(f"`{name}`" for name in one[f"{side}_modules"]) for side in ("source", "forbidden")] for one in found
    ]
    return table("rule | in | never imports", [(one["name"], *two) for one, two in zip(found, names, strict=True)])


def rooms() -> str:
    """Every folder of code, with its own words and its number of files."""
    found = sorted(path.parent for top in ("engine", "data", "ui") for path in (ROOT / top).rglob("__init__.py"))
    return table("room | files | what it holds", [_room(folder) for folder in found])


def _room(folder: Path) -> tuple[str, int, str]:
    """The row of one room."""
    said = sentence(ast.get_docstring(ast.parse((folder / "__init__.py").read_text())))
    return f"`{folder.relative_to(ROOT)}`", len(list(folder.glob("*.py"))) - 1, said


def vocabulary() -> str:
    """All facts and pictures that lessons may name."""
    return f"\n{library.vocabulary()}\n\n"


TABLES: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        methods,
        generators,
        evidence,
        criteria,
        readers,
        measures,
        lessons,
        pages,
        extras,
        registries,
        arrows,
        rooms,
        vocabulary,
    )
}


def documents() -> list[Path]:
    """README, and all that stands in docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def current(text: str) -> str:
    """A document with its tables made anew.

    Raises
    ------
    KeyError
        If it names a table that is none of `TABLES`.
    """
    return MARKS.sub(lambda found: f"{found[1]} -->\n{TABLES[found[1]]()}", text)


def write() -> None:
    """Make the tables of every document anew, and name the documents that changed."""
    for path in documents():
        old = path.read_text(encoding="utf-8")
        if (new := current(old)) != old:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    write()
