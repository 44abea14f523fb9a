"""Pages for contracts too."""

from tests.app.conftest import _own_store, app

__all__ = ["_own_store", "app"]
