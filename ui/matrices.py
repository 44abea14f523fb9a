"""What the Matrices page is made of."""

import numpy as np
import pandas as pd
import streamlit as st

from engine.similarities import pair_evidence
from ui.compute.work import release
from ui.figures.numbering import carried
from ui.pictures import drawn
from ui.pictures.matrices import small_window
from ui.pictures.walks import shares
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.selection import pick
from ui.session.state import adjust, change, theme
from ui.widgets.around import quiet
from ui.widgets.chart import chart, sentence_of, show
from ui.widgets.knobs import brightness, knob
from ui.widgets.page_scene import here, part
from ui.widgets.terms import meanings, note, say

ORDER_NAMES = {"truth": "by class", "consensus": "by consensus", "tree": "by tree", "input": "as given"}


@part("zoom", "order", "brightest", "right_minus_left")
def pictures() -> None:
    """Two matrices in one order and one window, with the knobs of these pictures."""
    if (scene := recorded()) is None:
        return
    knobs(scene)
    if (scene := recorded()) is None:
        return
    let_go(scene)
    if scene.tree is None or scene.windows is None:
        return
    for side, column in zip(("left", "right"), st.columns(2, gap="medium"), strict=True):
        with column:
            matrix(scene, side)
    caption(scene)


def recorded() -> Scene | None:
    """The scene of the session, its consensus the one that has recorded its matrices; None while it is found."""
    scene = here()
    return None if scene.recorded is None else scene.with_given(consensus=scene.recorded)


def knobs(scene: Scene) -> None:
    """Choose both matrices, their order, and theta where a matrix has it; what there is not is replaced."""
    names, chosen = scene.matrix_titles, {}
    for side, fallback in (("left", "ca"), ("right", "lwca")):
        chosen[side] = getattr(scene.config, side)
        if chosen[side] not in names:
            chosen[side] = fallback
            adjust(**{side: fallback})
    with st.container(horizontal=True, vertical_alignment="bottom", key="matrix_choices"):
        kinds = {"options": list(names), "format_func": names.get, "width": 240, "help": meanings(*names.values())}
        bound(st.selectbox, "Left", "left", **kinds)
        bound(st.selectbox, "Right", "right", **kinds)
        options = [name for name in ORDER_NAMES if name != "truth" or scene.truth is not None]
        if scene.config.order not in options:
            adjust(order="tree")
        bound(st.segmented_control, "Order of objects", "order", options=options, format_func=ORDER_NAMES.get)
    with st.container(horizontal=True, vertical_alignment="center", gap="large", key="matrix_knobs"):
        for concept in concepts(*chosen.values()):
            knob(scene, concept, width=240)
        words = "The brightest colour is each matrix's own largest value, as its bar says. Off: one scale for both."
        brightness(scene, "brightest", words, "both pictures")
        bound(st.toggle, "Right minus left", "right_minus_left")
        st.button("Show all", key="reset_zoom", on_click=change, kwargs={"zoom": ()}, icon=":material/zoom_out_map:")


def concepts(*names: str) -> list[str]:
    """The knobs of these matrices, each once."""
    kinds = [pair_evidence()[name] for name in names if name in pair_evidence()]
    return list(dict.fromkeys(spec.concept for kind in kinds for spec in kind.params.specs()))


def let_go(scene: Scene) -> None:
    """Stop making matrices that were chosen before: each side is one place for a job, whichever kind it is."""
    for side in ("left", "right"):
        name, kinds = getattr(scene.config, side), {"evidence_matrix", "factor"}
        if name in pair_evidence():
            kinds.remove("factor" if scene.with_given(matrix_name=name).factored else "evidence_matrix")
        for kind in kinds:
            release(f"{kind}_{side}")


def matrix(scene: Scene, side: str) -> None:
    """One matrix image; a box drawn on it zooms both, a click on a cell of a small window chooses its objects."""
    key = f"matrix_{side}"
    minus = side == "right" and scene.config.right_minus_left
    say(f"**{'Right minus left' if minus else getattr(scene, key).title}**")
    figure = drawn(key, scene, theme())
    figure.update_layout(dragmode="select")
    if small_window(scene):  # Streamlit hears no clicks while boxes can be drawn, and here nobody needs a smaller box
        figure.update_layout(dragmode=False, clickmode="event+select")
        figure.update_xaxes(fixedrange=True)
        figure.update_yaxes(fixedrange=True)
    zoom, order = scene.window, scene.object_order
    options = {"on_select": lambda: _answer(key, zoom, order), "selection_mode": ("points", "box")}
    chart(figure, key, scene.mark, height="stretch", **options)


def _answer(key: str, zoom: tuple[int, int, int, int], order: np.ndarray) -> None:
    """A click on a cell chooses its two objects; a box zooms."""
    chosen = st.session_state[key].selection
    cells = [carried(point)[0] for point in chosen.points if "customdata" in point]
    if len(cells) == 1 and not chosen.box:
        row, column = divmod(cells[0], zoom[3] - zoom[2])
        change(pair=(int(order[zoom[0] + row]), int(order[zoom[2] + column])))
    else:
        _zoom(key, zoom)


def _zoom(key: str, zoom: tuple[int, int, int, int]) -> None:
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


def caption(scene: Scene) -> None:
    """What the window holds, and ways to see or pick it better."""
    rows_shown = scene.object_order[slice(*scene.window[:2])]
    words = sentence_of(scene, "matrix_left")
    words += " Click a cell to ask about its two objects." if small_window(scene) else " Draw a box to look closer."
    if scene.picked is not None:
        inside = np.isin(rows_shown, scene.picked).sum()
        many = len(scene.picked)
        if many == 1:
            words += f" The picked object stands in {'' if inside else 'none of '}these rows."
        else:
            words += f" {inside:,} of the {many:,} picked objects {'stands' if inside == 1 else 'stand'} in these rows."
    with st.container(horizontal=True, vertical_alignment="center"):
        note(words, width="stretch")
        if st.button("Pick the rows shown", key="pick_rows"):
            pick(rows_shown, "a matrix window")
            st.rerun()


def links() -> None:
    """Distribution of the left matrix's values, and how often pairs of each value are right; also as a table."""
    scene = recorded()
    if scene is None or quiet(scene).with_given(consensus=scene.recorded).matrix_left is None:
        return  # the pictures above say how far it is
    if not show(scene, "values_left", "links"):
        return
    say(sentence_of(scene, "values_left"))
    quality = scene.quality_left
    share, correct = shares(quality)
    with st.expander("The same as a table"):
        columns = {"value": quality.values, "share of links": share, "correct": correct}
        columns |= {"precision": quality.precision, "recall": quality.recall}
        table = pd.DataFrame(columns).iloc[::-1]
        st.dataframe(table.style.format("{:.3f}"), hide_index=True, placeholder="–", key="link_table")
