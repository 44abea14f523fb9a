"""The figures of the app, each checked by plotly itself: pages hand their specs over unchecked."""

import functools
from types import SimpleNamespace

from ui import figures as _plain
from ui.figures.spec import Figure


def checked(make):
    """A figure function that returns plotly's own figure; anything plotly does not know raises."""

    @functools.wraps(make)
    def made(*args, **options):
        answer = make(*args, **options)
        return answer.to_plotly() if isinstance(answer, Figure) else answer

    return made


figures = SimpleNamespace(**{name: getattr(_plain, name) for name in _plain.__all__})
for _name in _plain.__all__:
    if callable(getattr(_plain, _name)):
        setattr(figures, _name, checked(getattr(_plain, _name)))
