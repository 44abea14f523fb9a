"""What the Matrices page is made of."""

import numpy as np
import streamlit as st

from data.records import class_name
from ui.compute import pipeline
from ui.compute.work import start
from ui.figures import add_cells, add_side_tree, add_ticks, matrix_image
from ui.figures.numbering import carried
from ui.frame import history
from ui.matrices import views as matrix_views
from ui.matrices.views import Factored, Named
from ui.outside import html
from ui.parts import brightness, link_panel
from ui.parts.chart import chart
from ui.parts.knobs import knob
from ui.parts.names import object_names
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.session.selection import pick, picked, places
from ui.session.state import change, config, theme

#: Windows of so many cells say on hover what each cell is, and a click chooses its two objects.
CELLS = 4_000
_ASKED = "_cell_clicked"
ORDER_NAMES = {"truth": "by class", "consensus": "by consensus", "tree": "by tree", "input": "as given"}


@st.fragment
def pictures(made, result) -> None:
    """Two matrices in one order and one window, with the knobs of these pictures."""
    if st.session_state.pop(_ASKED, False):
        st.rerun()  # the words about a pair stand below, outside this fragment
    truth = pipeline.truth(config())
    names = matrix_views.choices(result, truth)
    left, right = knobs(names, truth)
    joined = settle(start(matrix_views.tree, made, result), "Growing the tree", "tree")
    shown = [
        settle(matrix_views.named(config(), made, result, name, f"matrix_{side}"), names[name], f"matrix_{side}")
        for side, name in (("left", left), ("right", right))
    ]
    if joined is None or any(one is None for one in shown):
        return
    order = matrix_views.object_order(config(), made, result, joined)
    zoom = matrix_views.zoom_of(config(), made.n_objects)
    labels = result.labels if truth is None else truth
    columns = st.columns(2, gap="medium")
    pixels = [one.window(order, zoom) for one in shown]
    cells = cell_words(shown, pixels, order, zoom, pipeline.dataset(config()))
    for side, column, one, values in zip(("left", "right"), columns, shown, pixels, strict=True):
        with column:
            minus = side == "right" and config().right_minus_left
            draw(side, one, pixels[1] - pixels[0] if minus else values, minus, order, zoom, labels, made, joined, cells)
    caption(order, zoom)
    history.add_entry()


def knobs(names: dict[str, str], truth) -> tuple[str, str]:
    """Choose both matrices, their order, and theta where a matrix has it."""
    for side, fallback in (("left", "ca"), ("right", "lwca")):
        if getattr(config(), side) not in names:
            change(**{side: fallback})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bound(st.selectbox, "Left", "left", options=list(names), format_func=names.get, width=240)
        bound(st.selectbox, "Right", "right", options=list(names), format_func=names.get, width=240)
        options = [name for name in ORDER_NAMES if name != "truth" or truth is not None]
        if config().order not in options:
            change(order="tree")
        bound(st.segmented_control, "Order of objects", "order", options=options, format_func=ORDER_NAMES.get)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        for concept in matrix_views.concepts(config().left, config().right):
            knob(concept, width=240)
        brightness.fitted("brightest")
        bound(st.toggle, "Right minus left", "right_minus_left")
        st.button("Show all", key="reset_zoom", on_click=change, kwargs={"zoom": ()}, icon=":material/zoom_out_map:")
    return config().left, config().right


def draw(side, one: Named | Factored, values, minus: bool, order, zoom, labels, made, joined, cells) -> None:
    """One matrix image; a box drawn on it zooms both, a click on a cell of a small window chooses its objects."""
    st.markdown(f"**{'Right minus left' if minus else one.title}**")
    top, bottom, left, right = zoom
    rows, cols = (
        labels[order[np.linspace(a, b - 1, n).astype(int)]]
        for a, b, n in ((top, bottom, values.shape[0]), (left, right, values.shape[1]))
    )
    figure = matrix_image(
        values,
        theme(),
        scale="difference" if minus else "similarity",
        name=one.title if not minus else "difference",
        row_labels=rows,
        column_labels=cols,
        extent=zoom,
        limit=config().brightest or largest(one, values, order, zoom),
        borders=config().order in ("truth", "consensus"),
        height=424,
        bar=minus or one.title != matrix_views.TRUTH,
    )
    marked = places(order[top:bottom]), places(order[left:right])
    if any(map(len, marked)):
        add_ticks(figure, zoom, *marked, theme())
    if config().order == "tree":
        spans = matrix_views.leaf_spans(made, joined)
        add_side_tree(figure, joined.merges, joined.similarities, *spans, (top, bottom), theme())
    figure.update_layout(dragmode="select")
    if cells is not None:  # Streamlit hears no clicks while boxes can be drawn, and here nobody needs a smaller box
        add_cells(figure, zoom, cells)
        figure.update_layout(dragmode=False, clickmode="event+select")
        figure.update_xaxes(fixedrange=True)
        figure.update_yaxes(fixedrange=True)
    figure.layout["margin"] |= {"t": 8}
    key = f"matrix_{side}"
    options = {"on_select": lambda: _answer(key, zoom, order), "selection_mode": ("points", "box")}
    chart(figure, key, height="stretch", **options)


def cell_words(shown: list[Named | Factored], pixels, order, zoom, source) -> np.ndarray | None:
    """What hovering over a cell says, (h, w): both objects, their classes, both values; None for large windows."""
    top, bottom, left, right = zoom
    if (bottom - top) * (right - left) > CELLS:
        return None
    rows, columns = (_named(order[first:last], source) for first, last in ((top, bottom), (left, right)))
    words = np.char.add(np.char.add(rows[:, None], " and "), columns)
    for one, values in zip(shown, pixels, strict=True):
        words = np.char.add(words, np.char.add(f"<br>{one.title} ", np.char.mod("%.3f", values)))
    return words


def _named(objects: np.ndarray, source) -> np.ndarray:
    """Objects by name, with their classes where these are known."""
    classes = source.labels
    words = ["" if classes is None else f" (class {html(class_name(source, int(classes[i])))})" for i in objects]
    return np.array([html(name) + word for name, word in zip(object_names(objects), words, strict=True)])


def _answer(key: str, zoom, order) -> None:
    """A click on a cell chooses its two objects; a box zooms."""
    chosen = st.session_state[key].selection
    cells = [carried(point)[0] for point in chosen.points if "customdata" in point]
    if len(cells) == 1 and not chosen.box:
        row, column = divmod(cells[0], zoom[3] - zoom[2])
        change(pair=(int(order[zoom[0] + row]), int(order[zoom[2] + column])))
        st.session_state[_ASKED] = True
    else:
        _zoom(key, zoom)


def _zoom(key: str, zoom) -> None:
    """Turn a drawn box into a window of whole rows and columns."""
    boxes = st.session_state[key].selection.box
    if not boxes:
        return
    (left, right), (top, bottom) = sorted(boxes[0]["x"]), sorted(boxes[0]["y"])
    window = (
        max(zoom[0], int(top)),
        min(zoom[1], int(np.ceil(bottom))),
        max(zoom[2], int(left)),
        min(zoom[3], int(np.ceil(right))),
    )
    if window[1] - window[0] >= 2 and window[3] - window[2] >= 2:
        change(zoom=window)


def largest(one: Named | Factored, values: np.ndarray, order, zoom) -> float:
    """The largest size of a value between different objects, up to the next 1 %; of the truth, 1."""
    if one.title == matrix_views.TRUTH:
        return 1.0
    top, bottom, left, right = zoom
    rows = order[np.linspace(top, bottom - 1, values.shape[0]).astype(int)]
    columns = order[np.linspace(left, right - 1, values.shape[1]).astype(int)]
    return brightness.rounded_up(float(np.abs(values[rows[:, None] != columns]).max(initial=0))) or 1.0


def caption(order, zoom) -> None:
    """What the window holds, and ways to see or pick it better."""
    rows, cols = zoom[1] - zoom[0], zoom[3] - zoom[2]
    cells = "true cells" if max(rows, cols) <= matrix_views.PIXELS else "means of blocks of true cells"
    words = f"{rows:,} x {cols:,} objects, {cells}. "
    words += "Click a cell to ask about its two objects." if rows * cols <= CELLS else "Draw a box to look closer."
    objects = picked()
    if objects is not None:
        inside = np.isin(order[zoom[0] : zoom[1]], objects).sum()
        words += f" {inside:,} of the {len(objects):,} picked objects stand in these rows."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words, width="stretch")
        rows_shown = order[zoom[0] : zoom[1]]
        if st.button("Pick the rows shown", key="pick_rows"):
            pick(rows_shown, "a matrix window")
            st.rerun()


def links(made, result) -> None:
    """Distribution of the left matrix's values, and how often pairs of each value are right."""
    truth = pipeline.truth(config())
    name = config().left
    if truth is None or name == "truth":
        return
    shown = settle(matrix_views.named(config(), made, result, name, "matrix_left"), "The matrix", "matrix_links")
    if shown is None:
        return
    found = settle(start(matrix_views.quality, made, shown, truth), "Counting links", "links")
    if found is None or not found.pairs.sum():
        return
    links_of = f"Links of the {shown.title} matrix, {found.pairs.sum():,} in all"
    if found.n_rows is not None:
        links_of += f": those of a sample of {found.n_rows:,} of the {len(made.microclusters):,} microclusters"
    st.markdown(f"**How far can a value be trusted?** {links_of}")
    link_panel.picture(found, shown.title, "links")
    link_panel.words(found)
