"""Scenes for tests: states as an address has them, computed here and now."""

from ui.scene import Scene
from ui.session.run_config import from_query


def scene_of(**query: str) -> Scene:
    """The scene of an address."""
    config, problems = from_query(query)
    assert not problems
    return Scene(config)
