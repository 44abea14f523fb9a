"""Figures that play: frames in the browser, with play, pause, step and a scrubber whose label is the caption."""

from ui.figures import spec
from ui.figures.style import INKS


def film(fig, frames, captions, theme, *, milliseconds=450, bottom=145, under_bars=False, beside=None):
    """Give a figure its frames and controls; it opens on the last frame, and "Play" starts from the first.

    `fig` is left as in the last frame; `frames` hold only what changes. `under_bars`: bars, one a frame, stand on the
    lowest axis, every place on the scrubber under its own. `beside`: the controls stand from this share of the width
    on, below this share of the height.
    """
    ink = INKS[theme]
    names = [frame["name"] for frame in frames]
    fig.frames = [
        {**frame, "layout": {"updatemenus": [_menu(names, place, milliseconds, ink, beside)]}}
        for place, frame in enumerate(frames)
    ]
    steps = [_step(frame["name"], caption) for frame, caption in zip(frames, captions, strict=True)]
    slider = {
        "active": len(names) - 1,
        "steps": steps,
        "y": 0 if beside is None else beside[1],
        "yanchor": "top",
        **_span(len(frames) if under_bars else 1, 0 if beside is None else beside[0]),
        "currentvalue": {"font": {"color": ink.text, "size": 13}, "xanchor": "left", "offset": 8},
        "font": {"color": "rgba(0, 0, 0, 0)", "size": 1},
        "bgcolor": ink.line,
        "activebgcolor": ink.accent,
        "bordercolor": ink.line,
        "ticklen": 0,
        "minorticklen": 0,
    }
    _open_on(fig, frames[-1])
    menu = _menu(names, len(names) - 1, milliseconds, ink, beside)
    fig.update_layout(sliders=[slider], updatemenus=[menu])
    if beside is None:
        fig.update_layout(height=fig.layout["height"] + bottom, margin_b=bottom + 12)
    return fig


def _open_on(fig, frame):
    """Show what a frame changes, as it stands before anybody plays."""
    for place, changed in zip(frame["traces"], frame["data"], strict=True):
        spec.merge(fig.data[place], changed)


#: Plotly insets the ends of a scrubber by so many pixels.
INSET = 10


def _span(bars, left=0.0):
    """Where the scrubber runs: the whole width, or from the middle of the first bar to the middle of the last."""
    width = 1 - left
    if bars < 2:
        return {"x": left, "len": width, "pad": {"t": 46, "b": 0}}
    pad = {"t": 46, "b": 0, "l": -INSET, "r": -INSET}
    return {"x": left + 0.5 * width / bars, "len": width * (1 - 1 / bars), "pad": pad}


def _menu(names, place, milliseconds, ink, beside):
    """The buttons while one frame stands. Every frame brings its own, so that a step knows where it starts from."""
    buttons = [
        _play("Play", milliseconds),
        _play("Slow", 3 * milliseconds),
        _pause(),
        _step(names[max(place - 1, 0)], "Back"),
        _step(names[min(place + 1, len(names) - 1)], "Step"),
    ]
    return {
        "type": "buttons",
        "direction": "right",
        "buttons": buttons,
        "x": 0 if beside is None else beside[0],
        "xanchor": "left",
        "y": 0 if beside is None else beside[1],
        "yanchor": "top",
        "pad": {"t": 104, "r": 8},
        "showactive": False,
        "bgcolor": ink.paper,
        "bordercolor": ink.line,
        "font": {"color": ink.text, "size": 13},
    }


def _step(name, label):
    """A button, or a place on the scrubber, that goes to a frame; the scrubber's label is the frame's caption."""
    options = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    return {"label": label, "method": "animate", "args": [[name], options]}


def _play(label, milliseconds):
    options = {
        "frame": {"duration": milliseconds, "redraw": True},
        "transition": {"duration": 0},
        "fromcurrent": True,
        "mode": "immediate",
    }
    return {"label": label, "method": "animate", "args": [None, options]}


def _pause():
    options = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    return {"label": "Pause", "method": "animate", "args": [[None], options]}
