"""Labels counted from 0 in the order they appear, for scripts: from `engine.ensemble.renumbering`."""

from .ensemble.renumbering import first_appearance
