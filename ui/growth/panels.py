"""What the Growing trees page is made of."""

import numpy as np
import streamlit as st

from ui.compute import pipeline
from ui.figures import decision_graph, forest_film, margin_figure, matrix_image, scatter, spec
from ui.figures.numbering import place_of
from ui.growth import views
from ui.parts.chart import chart
from ui.parts.colours import alike
from ui.parts.echoes import show
from ui.parts.widgets import bound
from ui.parts.words import three_digits
from ui.session.run_config import MEASURES
from ui.session.selection import holding
from ui.session.state import change, config, theme
from ui.walks import views as walk_views


def knobs(n: int) -> None:
    """k, and the way back from prototypes picked by hand."""
    show("grow_k", min(pipeline.wanted_k(config()), n))
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        st.slider("k, trees", 2, max(3, min(n, 40)), key="grow_k", on_change=_store_k)
        if config().roots:
            st.button("Back to the k best prototypes", key="drop_roots", on_click=change, kwargs={"roots": ()})


def _store_k() -> None:
    change(k=st.session_state.grow_k, roots=())


def decision(found, roots) -> None:
    """The decision graph; picking dots in it grows from those."""
    st.markdown("**Who stands for a group?** Dense, and far from anybody denser")
    figure = decision_graph(found.density, found.capacity, roots, theme())
    figure.update_layout(dragmode="lasso", clickmode="event+select")
    chart(figure, "decision", on_select=_take_roots, selection_mode=("points", "lasso"))
    st.caption("Larger dots are the prototypes. Draw a loop around two or more dots to grow from those instead.")


def _take_roots() -> None:
    points = [p for p in st.session_state["decision"].selection.points if "customdata" in p]
    chosen = sorted({place_of(point) for point in points})
    if 2 <= len(chosen) <= 40:
        change(roots=tuple(chosen))


def film(made, grown, placed) -> None:
    """The trees, round by round."""
    points, axes, equal = placed
    st.markdown("**The trees, round by round** (earlier links are thicker; grey waits)")
    places = walk_views.node_positions(points, made)
    sizes = made.microclusters.sizes
    options = {"axis_names": axes, "equal": equal, "height": 330, "picked": holding(made.microclusters.assignment)}
    chart(forest_film(places, sizes, grown, theme(), **options), "forest")


def sentence(made, grown, roots) -> None:
    """What happened, with the live numbers."""
    labels = made.microclusters.expand(grown.tree)
    words = f"**{len(roots)} trees** took in {made.n_objects:,} objects in **{grown.n_rounds} rounds**; "
    words += f"the first round joined {grown.joined[0]:,} of them." if grown.n_rounds else "nobody had to wait."
    if (truth := pipeline.truth(config())) is not None:
        score = pipeline.score(labels, truth, config().measure)
        words += f" The forest scores **{three_digits(score)}** ({MEASURES[config().measure]})."
    st.markdown(words)


def margins(grown) -> None:
    """The margins of one round, and the threshold that told the clear from the unclear."""
    if not grown.n_rounds:
        return
    st.markdown("**Who was clear enough to join?**")
    if config().round > grown.n_rounds:
        change(round=grown.n_rounds)
    if grown.n_rounds > 1:
        bound(st.slider, "Round", "round", min_value=1, max_value=grown.n_rounds)
    number = config().round
    values, counts = grown.margins[number - 1]
    chart(margin_figure(values, counts, grown.threshold[number - 1], theme()), "margins")


def distances(made, found, grown, roots) -> None:
    """Direct and refined distance in one order, prototypes marked."""
    order = np.lexsort((-found.density, grown.tree))
    objects = np.argsort(np.argsort(order)[made.microclusters.assignment], kind="stable")
    labels = views.numbered(made, grown.tree)
    colors = np.zeros(labels.max() + 1, int)
    colors[labels] = made.microclusters.expand(grown.tree)
    strip = labels[objects]
    strip = strip[np.linspace(0, len(strip) - 1, min(300, len(strip))).astype(int)]
    places = [int(np.flatnonzero(made.microclusters.assignment[objects] == root)[0]) for root in roots]
    st.markdown("**Do paths change the distances?** Between objects, ordered by tree, prototypes marked")
    pairs = [("Distance: 1 - co-association", found.direct)]
    changed = int((found.direct != found.refined).sum() // 2)
    if changed:
        pairs.append(("Refined: along the shortest path", found.refined))
    for (title, steps), column in zip(pairs, st.columns(2, gap="large"), strict=False):
        with column:
            st.markdown(title)
            image = _distance_image(made, steps * np.float32(found.unit), objects, strip, colors, places)
            chart(image, _key_of(title))
    st.caption(
        f"Paths shorten {changed:,} of the distances. With 1 - co-association they cannot: a clustering that "
        "parts two objects parts at least one of them from every third object, so no way round is shorter than the "
        "direct one. The method's refinement acts on other distances only, such as the logarithmic one of its authors' "
        "code (variant *published-code* on the Consensus page)."
    )


def _key_of(title: str) -> str:
    return "distance_" + title.split(":")[0].lower()


def _distance_image(made, steps, objects, strip, colors, places):
    """Distances as an image, prototypes marked."""
    figure = matrix_image(
        made.microclusters.block_means(steps, objects, objects, 300),
        theme(),
        name="distance",
        row_labels=strip,
        column_labels=strip,
        colors=colors,
        extent=(0, len(objects)) * 2,
        height=420,
    )
    marker = {"color": "white", "size": 9, "line": {"color": "black", "width": 1.5}}
    figure.add_trace(spec.scatter(x=places, y=places, mode="markers", hoverinfo="skip", marker=marker))
    return figure


def instead(made, found, grown, roots, points, axes, equal) -> None:
    """What assigning everybody to the nearest prototype would have done."""
    if not bound(st.toggle, "Compare with: everybody to the nearest prototype", "nearest"):
        return
    forest, simple = views.numbered(made, grown.tree), views.numbered(made, views.nearest(found, roots))
    differ = int((grown.tree != views.nearest(found, roots)) @ made.microclusters.sizes)
    for title, labels, column in zip(("Grown", "Nearest prototype"), (forest, simple), st.columns(2), strict=True):
        truth = pipeline.truth(config())
        options = {"colors": None if truth is None else alike(labels, truth), "truth": truth, "axis_names": axes}
        with column:
            st.markdown(f"**{title}**")
            figure = scatter(points, labels, theme(), equal=equal, height=380, **options)
            chart(figure, f"instead_{title.split()[0].lower()}")
    st.caption(f"The two differ in {differ:,} of {len(forest):,} objects.")
