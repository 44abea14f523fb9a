"""What the Enhanced matrix page is made of."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from engine.similarities import find_evidence
from ui.compute import pipeline
from ui.enhanced import views
from ui.enhanced.settings import ABLATIONS
from ui.figures import add_ticks, matrix_film, matrix_image, precision_recall, residual_figure
from ui.parts import brightness
from ui.parts.answer import score_of
from ui.parts.chart import chart
from ui.parts.knobs import knob
from ui.parts.widgets import bound
from ui.parts.words import three_digits
from ui.session.run_config import MEASURES
from ui.session.selection import places
from ui.session.state import change, config, mark, theme

VARIANT_NAMES = {
    "full": "as published",
    "no_laplacian": "without spreading",
    "no_completion": "without keeping certain pairs",
}


def knobs() -> None:
    """alpha, lambda and the input."""
    for concept in ("alpha", "lam", "evidence"):
        knob(concept)


def more_knobs() -> None:
    """The variant, and what decides start and stop."""
    with st.expander("Variant, stop and start"):
        bound(
            st.selectbox,
            "Variant",
            "ablation",
            options=ABLATIONS,
            format_func=VARIANT_NAMES.get,
            help="Leave a part of the method out, and see what it was for.",
        )
        inside = [spec.concept for spec in find_evidence(config().evidence).params.specs()]
        for concept in (*inside, "tol", "max_iter"):
            knob(concept)
        bound(
            st.toggle,
            "Start from the last solution",
            "warm",
            help="Fewer iterations, the same answer within the tolerance. Off, so that results never depend on what "
            "was shown before.",
        )
        if config().method != "ec_cms":
            st.button("Use EC-CMS on every page", key="adopt", on_click=change, kwargs={"method": "ec_cms"})


@dataclass(frozen=True)
class Picture:
    """One image: its title, pixels, what a value is called, its key, and whether it is signed or only 0 and 1."""

    title: str
    values: np.ndarray
    name: str
    key: str
    signed: bool = False
    whole: bool = False


def before_and_after(made, given, found, order) -> None:
    """The input beside what became of it; one order, one scale."""
    before, after = (_pixels(made, matrix, order) for matrix in (given.similarity, found.run.matrix))
    title = find_evidence(config().evidence).title
    pictures = [
        Picture("Input", before, title, "enhanced_input"),
        Picture("Enhanced", after, "enhanced similarity", "enhanced_enhanced"),
    ]
    _row(pictures, order, 400)
    if mark():
        return  # the colours of A are those of B
    top = brightness.rounded_up(max(views.largest(one) for one in (given.similarity, found.run.matrix)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        brightness.slider("brightest_enhanced", "all pictures")
        brightness.fit("brightest_enhanced", top)


def details(made, given, found, order, alpha: float) -> None:
    """What is certain, what has changed, and the truth."""
    change_of = _pixels(made, found.run.matrix, order) - _pixels(made, given.similarity, order)
    pictures = [
        Picture(
            "What is certain (α)", _pixels(made, views.certain(given, alpha), order), "co-association", "enhanced_what"
        ),
        Picture("Enhanced minus input", change_of, "difference", "enhanced_enhanced_minus", signed=True),
    ]
    strip = _strip(order, len(change_of))
    if strip is not None:
        same = (strip[:, None] == strip).astype(float)
        pictures.append(Picture("Ground truth", same, "same class", "enhanced_ground", whole=True))
    _row(pictures, order, 380)


def _pixels(made, matrix, order) -> np.ndarray:
    """A matrix between microclusters as an image between objects."""
    return made.microclusters.block_means(matrix, order, order, views.PIXELS)


def _strip(order, n: int) -> np.ndarray | None:
    """Classes along the edge of an image of n pixels, where they are known."""
    truth = pipeline.truth(config())
    return None if truth is None else truth[order[np.linspace(0, len(order) - 1, n).astype(int)]]


def _row(pictures: list[Picture], order, height: int) -> None:
    """Images beside each other, all on the scale that was chosen."""
    marked = places(order)
    for one, column in zip(pictures, st.columns(len(pictures), gap="medium"), strict=True):
        strip = _strip(order, len(one.values))
        with column:
            st.markdown(f"**{one.title}**")
            figure = matrix_image(
                one.values,
                theme(),
                scale="difference" if one.signed else "similarity",
                limit=1.0 if one.whole else config().brightest_enhanced,
                name=one.name,
                row_labels=strip,
                column_labels=strip,
                extent=(0, len(order)) * 2,
                height=height,
                bar=not one.whole,
            )
            if len(marked):
                add_ticks(figure, (0, len(order)) * 2, marked, marked, theme())
            figure.layout["margin"] |= {"t": 8}
            chart(figure, one.key, height="stretch")


def sentence(made, given, found, params, result) -> None:
    """What happened, with the live numbers."""
    run, n = found.run, len(made.microclusters)
    off = ~np.eye(n, dtype=bool)
    sure = (views.certain(given, params.alpha) > 0) & off
    grown = int(((run.matrix > given.similarity + 0.05) & off).sum() // 2)
    faded = int(((run.matrix < given.similarity - 0.05) & off).sum() // 2)
    end = "below the tolerance" if run.converged else "still above the tolerance"
    words = (
        f"**{int(sure.sum() // 2):,} pairs** of microclusters are certain (α = {params.alpha:g}), in "
        f"{run.n_components:,} connected parts. After **{run.iterations} iterations** ({end}) {grown:,} pairs have "
        f"gained more than 0.05, {faded:,} have lost as much."
    )
    if (score := score_of(result.labels)) is not None:
        k = views.clusters(config(), made)
        words += f" Cut into {k} clusters, it scores **{three_digits(score)}** ({MEASURES[config().measure]})."
    st.markdown(words)


def trust(made, given, found) -> None:
    """Precision and recall of the entries, before and after."""
    truth = pipeline.truth(config())
    if truth is None:
        return
    found_by_name = views.qualities(made, truth, {"input": given.similarity, "enhanced": found.run.matrix})
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
        images, kept, limit = list(found.images.values()), list(found.images), config().brightest_enhanced
        figure = matrix_film(images, kept, theme(), name="enhanced<br>similarity", step="iteration", limit=limit)
        chart(figure, "enhanced_film")
