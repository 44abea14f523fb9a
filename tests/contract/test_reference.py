"""The reference is made from the docstrings without a warning, and its equations without a script."""

import importlib.util
import re

import pytest

from engine import consensus_methods

pytestmark = pytest.mark.long

needed = pytest.mark.skipif(
    importlib.util.find_spec("sphinx") is None,
    reason="sphinx is in requirements-dev.txt",
)


@needed
def test_it_is_built_without_a_warning(tmp_path, capfd):
    from docs.reference.build import build

    assert build(tmp_path, "dummy") == 0, capfd.readouterr().err


@needed
@pytest.mark.parametrize("key", consensus_methods())
def test_every_method_has_its_equation(key):
    from docutils.utils.math.latex2mathml import tex2mathml

    from docs.reference.build import page

    text = page(f"concord.methods.{key}", [])
    (latex,) = re.findall(r"\.\. math::\n\n   (.*)", text)
    assert "<math" in tex2mathml(latex, as_block=True)
    for spec in consensus_methods()[key].params.specs():
        assert f"``{spec.name}``" in text


@needed
def test_every_module_has_a_page():
    from docs.reference.build import ROOT, modules

    names = set(modules(ROOT / "engine"))
    assert {f"engine.methods.{key}" for key in consensus_methods()} <= names
    assert {"engine.estimators", "engine.similarities.registry", "engine.metrics"} <= names
    assert not any("cli" in name or "._" in name for name in names)
