"""Enhanced matrix: what the co-association can teach itself (EC-CMS)."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from ui import enhancement_views as views
from ui import pipeline, stages
from ui.chart import chart
from ui.figures import matrix_film, matrix_image, precision_recall, residual_figure
from ui.progress import settle
from ui.run_config import ABLATIONS, MEASURES
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound, brightness, param_widget, three_digits

VARIANT_NAMES = {
    "full": "as published",
    "no_laplacian": "without spreading",
    "no_completion": "without keeping certain pairs",
}


def knobs(chosen) -> None:
    """alpha, lambda, the input, the variant; and below them what decides start and stop."""
    values = chosen.method_params.as_dict()
    specs = {spec.name: spec for spec in consensus_methods()["ec_cms"].params.specs()}
    if config().method != "ec_cms":
        st.info("Other pages use another method; here are EC-CMS's defaults.")
        st.button("Use EC-CMS on every page, and move its knobs", key="adopt", on_click=change,
                  kwargs={"method": "ec_cms"})  # fmt: skip
    else:
        for name, column in zip(("alpha", "lam", "evidence"), st.columns(3, gap="large"), strict=True):
            with column:
                param_widget(specs[name], values[name])
    with st.expander("Variant, stop and start"):
        bound(st.selectbox, "Variant", "ablation", options=ABLATIONS, format_func=VARIANT_NAMES.get,
              help="Leave a part of the method out, and see what it was for.")  # fmt: skip
        for name in ("theta", "tol", "max_iter") if config().method == "ec_cms" else ():
            param_widget(specs[name], values[name])
        bound(st.toggle, "Start from the last solution", "warm",
              help="Fewer iterations, the same answer within the tolerance. Off, so that results never depend on what "
                   "was shown before.")  # fmt: skip
        brightness("glow", "all pictures")


def matrices(made, given, found, order, alpha: float) -> None:
    """Input, certain, enhanced, difference and truth: one order, one scale."""
    micro, classes = made.microclusters, pipeline.truth(config())
    before, after = (micro.block_means(m, order, order, views.PIXELS) for m in (given.similarity, found.run.matrix))
    sure = micro.block_means(views.certain(given, alpha), order, order, views.PIXELS)
    pictures = [
        ("Input", before, "similarity"),
        ("What is certain (α)", sure, "similarity"),
        ("Enhanced", after, "similarity"),
        ("Enhanced minus input", after - before, "difference"),
    ]
    strip = None
    if classes is not None:
        strip = classes[order[np.linspace(0, len(order) - 1, len(before)).astype(int)]]
        pictures.append(("Ground truth", (strip[:, None] == strip).astype(float), "similarity"))
    limit = config().glow
    for row in (pictures[:3], pictures[3:]):
        for (title, values, scale), column in zip(row, st.columns(3, gap="medium"), strict=False):
            with column:
                st.markdown(f"**{title}**")
                figure = matrix_image(values, theme(), scale=scale, limit=limit, name="value", row_labels=strip,
                                      column_labels=strip, extent=(0, len(order)) * 2, height=340)  # fmt: skip
                chart(figure, "enhanced_" + title.split()[0].lower() + ("_minus" if "minus" in title else ""))


def sentence(made, given, found, params) -> None:
    """What happened, with the live numbers."""
    run, n = found.run, len(made.microclusters)
    off = ~np.eye(n, dtype=bool)
    sure = (views.certain(given, params.alpha) > 0) & off
    grown = int(((run.matrix > given.similarity + 0.05) & off).sum() // 2)
    faded = int(((run.matrix < given.similarity - 0.05) & off).sum() // 2)
    end = "below the tolerance" if run.converged else "still above the tolerance"
    st.markdown(
        f"**{int(sure.sum() // 2):,} pairs** of microclusters are certain (α = {params.alpha:g}), in "
        f"{run.n_components:,} connected parts. After **{run.iterations} iterations** ({end}) {grown:,} pairs have "
        f"gained more than 0.05, {faded:,} have lost as much."
    )
    if (classes := pipeline.truth(config())) is not None:
        measure = config().measure
        k = pipeline.wanted_k(config())
        score = pipeline.score(views.labels(made, found.tree, k), classes, measure)
        words = f"Cut into {min(k, n)} clusters, it scores **{three_digits(score)}** ({MEASURES[measure]})."
        st.markdown(words)


def trust(made, given, found) -> None:
    """Precision and recall of the entries, before and after."""
    classes = pipeline.truth(config())
    if classes is None:
        return
    found_by_name = views.qualities(made, classes, {"input": given.similarity, "enhanced": found.run.matrix})
    st.markdown("**Are the entries more often right?** Precision against recall, over all thresholds")
    curves = {name: (quality.recall, quality.precision) for name, quality in found_by_name.items()}
    chart(precision_recall(curves, theme()), "enhanced_pr")


def stopping(found, params) -> None:
    """Residuals, and what an early stop means."""
    st.markdown("**When does it stop?**")
    chart(residual_figure(found.run.residuals, params.tol, theme()), "residuals")
    with st.expander("What an early stop means"):
        st.markdown(
            "The enhanced matrix is the solution of a convex problem, and the iteration comes closer to it with every "
            "step. The published results stop when all five residuals are below 1 %, after some 40 to 80 iterations. "
            "Going on until nothing moves changes the matrix by another 4 to 25 %: the matrix that made the published "
            "numbers is an early stop, and stopping early is part of the method. Lower the tolerance above, raise the "
            "iterations, and watch both the curves and the score."
        )


def film(found) -> None:
    """The matrix at the iterations kept, played in the browser."""
    if found.images:
        st.markdown("**The matrix, iteration by iteration**")
        limit = config().glow
        images = [image / limit for image in found.images.values()]
        figure = matrix_film(images, list(found.images), theme(), name=f"value / {limit:g}", step="iteration")
        chart(figure, "enhanced_film")


def page() -> None:
    """The page, top to bottom."""
    st.title("What can the matrix teach itself?")
    st.markdown("Pairs that nearly all clusterings keep together are certain; along them, knowledge spreads.")
    chosen = views.on_page(config())
    knobs(chosen)
    made = stages.ensemble(chosen)
    given = made and settle(views.inputs(chosen, made), "Counting how often objects meet", "enhance_in")
    if not given:
        return
    order = views.object_order(chosen, made, given)
    found = settle(
        views.enhanced(chosen, made, given, order, config().ablation, config().warm), "Enhancing the matrix", "enhanced"
    )
    if found is None:
        return
    matrices(made, given, found, order, chosen.method_params.alpha)
    sentence(made, given, found, chosen.method_params)
    left, right = st.columns(2, gap="large")
    with left:
        trust(made, given, found)
        film(found)
    with right:
        stopping(found, chosen.method_params)


present(page)
