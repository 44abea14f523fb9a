"""Rooms stay small enough to be read as a chapter, and scripts of the engine find every name where they look for it."""

import ast
import importlib
import importlib.util
import re
from pathlib import Path

import pytest

import engine.methods
from engine import ConsensusMethod, choosing_k, choosing_method
from engine.generators import Generator
from engine.runtime.discovery import declared
from engine.selection import Strategy
from engine.similarities import PairEvidence
from ui.pictures import pictures

ROOT = Path(__file__).parents[2]
TREES = ("engine", "data", "ui")
ROOMS = sorted({path.parent for tree in TREES for path in (ROOT / tree).rglob("*.py")})
#: Rooms whose files are found by looking, and what is declared in them.
REGISTRIES = {
    "engine.methods": ConsensusMethod,
    "engine.generators": Generator,
    "engine.similarities": PairEvidence,
    "engine.choosing_k.criteria": choosing_k.Criterion,
    "engine.choosing_method.criteria": choosing_method.registry.Criterion,
    "engine.selection.strategies": Strategy,
    "data.readers": tuple,
}
#: The same, where what is found are functions, those of a topic in a file.
PICTURES = "ui.pictures"
MOST_FILES, LONGEST_METHOD = 15, 300
NAMES = ROOT / "tests" / "contract" / "public_names.txt"


def test_registries_are_what_they_say():
    for room, kind in REGISTRIES.items():
        assert len(declared(room, kind)) > 3
    assert len({one.draw.__module__ for one in pictures().values()}) > 3
    assert all(one.draw.__module__.rpartition(".")[0] == PICTURES for one in pictures().values())


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(ROOT).as_posix())
def test_a_room_has_at_most_15_files(room):
    if room.relative_to(ROOT).as_posix().replace("/", ".") not in (*REGISTRIES, PICTURES):
        assert len(list(room.glob("*.py"))) <= MOST_FILES


@pytest.mark.parametrize("path", sorted(Path(engine.methods.__path__[0]).glob("*.py")), ids=lambda path: path.stem)
def test_a_method_stands_whole_in_a_file_of_at_most_300_lines(path):
    assert len(path.read_text().splitlines()) <= LONGEST_METHOD


def test_the_settings_of_the_session_are_asked_for_where_a_page_begins_alone():
    """Everything else is handed a scene or settings: a callback changes them by a function of what they are."""
    asking = {
        path.relative_to(ROOT) for path in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")) if asks(path)
    }
    rooms = {str(path) for path in asking if not str(path).startswith(("ui/session/", "ui/frame/"))}
    assert rooms == {"ui/widgets/around.py"}
    assert Path("ui/session/bound.py") in asking


def asks(path: Path) -> bool:
    """Whether a module calls `ui.session.state.config`, under its own name or as an attribute."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return bool({"config", "state.config"} & {ast.unparse(one) for one in calls}) and "ui.session" in path.read_text()


def test_scripts_find_every_name_that_was_promised():
    gone = [line for line in NAMES.read_text().split() if not found(*line.rsplit(".", 1))]
    assert gone == []


def test_every_name_in_readme_docs_and_examples_is_held():
    assert named() <= set(NAMES.read_text().split())


def found(home, name):
    """Whether `from home import name` works."""
    module = importlib.import_module(home)
    if name in vars(module):
        return True
    return hasattr(module, "__path__") and importlib.util.find_spec(f"{home}.{name}") is not None


def named():
    """What README, docs and examples import from the engine, and modules that README names in passing."""
    texts = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    code = [block for text in texts for block in re.findall(r"```python\n(.*?)```", text.read_text(), re.S)]
    code += [path.read_text() for path in (ROOT / "examples").glob("*.py")]
    names = set()
    for node in (node for block in code for node in ast.walk(ast.parse(block.replace("...", "pass")))):
        if isinstance(node, ast.ImportFrom) and not node.level:
            home = re.sub(r"^concord\b", "engine", node.module)
            names |= {f"{home}.{one.name}" for one in node.names}
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in ("evidence", "partition", "generators", "confidence", "metrics"):
                names.add(f"engine.{node.value.id}.{node.attr}")
            elif node.value.id == "concord":
                names.add(f"engine.{node.attr}")
    said = re.findall(r"`(?:engine|concord)\.([a-z_.]*[a-z_])", (ROOT / "README.md").read_text())
    names |= {f"engine.{name}" for name in said}
    return {name for name in names if name.startswith("engine.") and not name.startswith("engine.data")}
