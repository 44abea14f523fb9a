"""A part of a page that is drawn again alone when somebody does something in it: what stands around it waits not."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from ui.session import history
from ui.widgets import terms

P = ParamSpec("P")


def part(draw: Callable[P, None]) -> Callable[P, None]:
    """Make a function that draws a part of a page one that answers alone.

    What it is given is what the whole page was drawn with; what is now, it asks for itself. Drawn again, it explains
    the terms it did before, and a change of settings has its entry in the browser's history.
    """

    @st.fragment
    def alone(explained: dict[str, str], *args: P.args, **kwargs: P.kwargs) -> None:
        terms.begin(explained)
        draw(*args, **kwargs)
        history.add_entry()

    @wraps(draw)
    def whole(*args: P.args, **kwargs: P.kwargs) -> None:
        alone(terms.explained_above(), *args, **kwargs)

    return whole
