"""Scenes for tests: states as an address has them, computed here and now."""

from ui.scene import AtOnce, Scene
from ui.session.run_config import from_query


def scene_of(run: AtOnce | None = None, **query: str) -> Scene:
    """The scene of an address; those that share a run share what they have in common."""
    config, problems = from_query(query)
    assert not problems
    return Scene(config, run)
