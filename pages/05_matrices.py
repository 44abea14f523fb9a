"""Matrices: which pairs can be trusted, and why."""

import numpy as np
import streamlit as st
from scipy import sparse

from engine.vocabulary import LARGE
from ui import link_panel, matrix_views, pipeline, stages, why
from ui.chart import chart
from ui.figures import add_side_tree, matrix_image
from ui.matrix_views import Named
from ui.progress import settle
from ui.selection import pick, picked
from ui.shell import present
from ui.state import change, config, theme, write_url
from ui.widgets import bound, brightness

ORDER_NAMES = {"truth": "by class", "consensus": "by consensus", "tree": "by tree", "input": "as given"}


@st.fragment
def pictures(made, result) -> None:
    """Two matrices in one order and one window, with the knobs of these pictures."""
    classes = pipeline.truth(config())
    names = matrix_views.choices(result, classes)
    left, right = knobs(names, classes)
    joined = settle(matrix_views.tree(config(), made, result), "Growing the tree", "tree")
    shown = [settle(matrix_views.named(config(), made, result, name), names[name], f"matrix_{side}")
             for side, name in (("left", left), ("right", right))]  # fmt: skip
    if joined is None or None in shown:
        return
    order = matrix_views.object_order(config(), made, result, joined)
    zoom = matrix_views.zoom_of(config(), made.n_objects)
    labels = result.labels if classes is None else classes
    columns = st.columns(2, gap="medium")
    pixels = [one.window(order, zoom) for one in shown]
    for side, column, one, values in zip(("left", "right"), columns, shown, pixels, strict=True):
        with column:
            minus = side == "right" and config().minus
            draw(side, one, pixels[1] - pixels[0] if minus else values, minus, order, zoom, labels, made, joined)
    caption(order, zoom)
    write_url()


def knobs(names: dict[str, str], classes) -> tuple[str, str]:
    """Choose both matrices, their order, and theta where a matrix has it."""
    for side, fallback in (("left", "co_association"), ("right", "lwca")):
        if getattr(config(), side) not in names:
            change(**{side: fallback})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bound(st.selectbox, "Left", "left", options=list(names), format_func=names.get, width=240)
        bound(st.selectbox, "Right", "right", options=list(names), format_func=names.get, width=240)
        options = [name for name in ORDER_NAMES if name != "truth" or classes is not None]
        if config().order not in options:
            change(order="tree")
        bound(st.segmented_control, "Order of objects", "order", options=options, format_func=ORDER_NAMES.get)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        if "lwca" in (config().left, config().right):
            stops = sorted({0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 2.0, 4.0, config().eci})
            bound(st.select_slider, "θ of LWCA", "eci", options=stops, width=240,
                  help="Lower values trust only clusters that the others confirm.")  # fmt: skip
        brightness("bright", "both pictures")
        bound(st.toggle, "Right minus left", "minus")
        st.button("Show all", key="reset_zoom", on_click=change, kwargs={"zoom": ()}, icon=":material/zoom_out_map:")
    return config().left, config().right


def draw(side, one: Named, values, minus: bool, order, zoom, labels, made, joined) -> None:
    """One matrix image; a box drawn on it zooms both."""
    st.markdown(f"**{'Right minus left' if minus else one.title}**")
    top, bottom, left, right = zoom
    rows, cols = (labels[order[np.linspace(a, b - 1, n).astype(int)]] for a, b, n in
                  ((top, bottom, values.shape[0]), (left, right, values.shape[1])))  # fmt: skip
    figure = matrix_image(
        values, theme(), scale="difference" if minus else "similarity", name=one.title if not minus else "difference",
        row_labels=rows, column_labels=cols, extent=zoom, limit=config().bright,
        borders=config().order in ("truth", "consensus"), height=500,
    )  # fmt: skip
    if config().order == "tree":
        spans = matrix_views.leaf_spans(made, joined)
        add_side_tree(figure, joined.merges, joined.similarities, *spans, (top, bottom), theme())
    figure.update_layout(dragmode="select")
    key = f"matrix_{side}"
    chart(figure, key, on_select=lambda: _zoom(key, zoom), selection_mode="box")


def _zoom(key: str, zoom) -> None:
    """Turn a drawn box into a window of whole rows and columns."""
    boxes = st.session_state[key].selection.box
    if not boxes:
        return
    (left, right), (top, bottom) = sorted(boxes[0]["x"]), sorted(boxes[0]["y"])
    window = (max(zoom[0], int(top)), min(zoom[1], int(np.ceil(bottom))),
              max(zoom[2], int(left)), min(zoom[3], int(np.ceil(right))))  # fmt: skip
    if window[1] - window[0] >= 2 and window[3] - window[2] >= 2:
        change(zoom=window)


def caption(order, zoom) -> None:
    """What the window holds, and a way to pick it."""
    rows, cols = zoom[1] - zoom[0], zoom[3] - zoom[2]
    cells = "true cells" if max(rows, cols) <= matrix_views.PIXELS else "means of blocks of true cells"
    words = f"{rows:,} x {cols:,} objects, {cells}. Draw a box to look closer."
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
    classes = pipeline.truth(config())
    name = config().left
    if classes is None or name == "truth":
        return
    shown = settle(matrix_views.named(config(), made, result, name), "The matrix", "matrix_links")
    if shown is None:
        return
    if sparse.issparse(shown.matrix):
        shown = Named(shown.matrix.toarray(), shown.groups, shown.title)
    found = settle(matrix_views.quality(config(), made, shown, name), "Counting links", "links")
    if found is None or not found.pairs.sum():
        return
    st.markdown(f"**How far can a value be trusted?** Links of the {shown.title} matrix, {found.pairs.sum():,} in all")
    link_panel.picture(found, shown.title, "links")
    link_panel.words(found)


def page() -> None:
    """The page, top to bottom."""
    st.title("Which pairs can we trust?")
    st.markdown("Every cell is a pair of objects; the brighter, the more often, or the more credibly, they meet.")
    made = stages.ensemble()
    if made is None:
        return
    result = stages.consensus(made, LARGE if len(made.microclusters) <= matrix_views.RECORDED else ())
    if result is None:
        return
    pictures(made, result)
    left, right = st.columns([3, 2], gap="large")
    with left:
        links(made, result)
    with right:
        st.markdown("**Why are i and j together?**")
        why.panel("matrices")


present(page)
