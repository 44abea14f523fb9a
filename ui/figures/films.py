"""Figures that play: frames in the browser, with play, pause and a scrubber whose label is the caption."""

from ui.figures.style import INKS


def film(fig, frames, captions, theme, *, milliseconds=450, bottom=145):
    """Give a figure its frames and controls; the first frame is what stands still at first.

    Parameters
    ----------
    fig : plotly.graph_objects.Figure
        As in the first frame.
    frames : sequence of plotly.graph_objects.Frame
        Named, holding only what changes.
    captions : sequence of str
        One a frame, shown while it stands.
    theme : {"light", "dark"}
    milliseconds : int
        A frame at normal speed; the slow button takes three times as long.
    bottom : int
        Room under the axes for the controls, in pixels.
    """
    ink = INKS[theme]
    fig.frames = frames
    steps = [_step(frame.name, caption) for frame, caption in zip(frames, captions, strict=True)]
    slider = {
        "active": 0, "steps": steps, "x": 0, "len": 1, "y": 0, "yanchor": "top", "pad": {"t": 46, "b": 0},
        "currentvalue": {"font": {"color": ink.text, "size": 13}, "xanchor": "left", "offset": 8},
        "font": {"color": "rgba(0, 0, 0, 0)", "size": 1}, "bgcolor": ink.line, "activebgcolor": ink.accent,
        "bordercolor": ink.line, "ticklen": 0, "minorticklen": 0,
    }  # fmt: skip
    buttons = [_play("Play", milliseconds), _play("Slow", 3 * milliseconds), _pause()]
    menu = {"type": "buttons", "direction": "right", "buttons": buttons, "x": 0, "xanchor": "left", "y": 0,
            "yanchor": "top", "pad": {"t": 104, "r": 8}, "showactive": False, "bgcolor": ink.paper,
            "bordercolor": ink.line, "font": {"color": ink.text, "size": 12}}  # fmt: skip
    fig.update_layout(sliders=[slider], updatemenus=[menu], height=fig.layout.height + bottom, margin_b=bottom + 12)
    return fig


def _step(name, caption):
    """A place on the scrubber; its label is the caption, shown above while the frame stands."""
    options = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    return {"label": caption, "method": "animate", "args": [[name], options]}


def _play(label, milliseconds):
    options = {"frame": {"duration": milliseconds, "redraw": True}, "transition": {"duration": 0}, "fromcurrent": True,
               "mode": "immediate"}  # fmt: skip
    return {"label": label, "method": "animate", "args": [None, options]}


def _pause():
    options = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    return {"label": "Pause", "method": "animate", "args": [[None], options]}
