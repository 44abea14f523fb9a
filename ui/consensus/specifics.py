"""What is special in the method chosen: the intermediates its trace has, each with its picture and a sentence."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from engine import Consensus, Ensemble, consensus_methods
from engine.consensus.traces import BETWEEN_CLUSTERS
from ui.consensus import cluster_pairs
from ui.figures import bar_by_clustering, graph_figure, lambda_figure, matrix_image, starts_figure
from ui.figures.style import painted
from ui.outside import markdown
from ui.parts.chart import chart
from ui.parts.names import clustering_names, clusterings_on_hover
from ui.parts.words import counted
from ui.session.run_config import RunConfig
from ui.session.state import theme
from ui.walks.views import node_positions

#: Pictures of more microclusters, or clusters, are not kept: they take memory that other sessions need.
MOST = {"microclusters": 1500, "clusters": 800}
PIXELS = 300


def asked(chosen: RunConfig, made: Ensemble) -> tuple[str, ...]:
    """The entries of the trace that the method's pictures need, where they are small enough."""
    wanted = consensus_methods()[chosen.method].pictures
    return tuple(sorted(name for name in wanted if _fits(name, made)))


def _fits(name: str, made: Ensemble) -> bool:
    if name in BETWEEN_CLUSTERS:
        return made.n_clusters_total <= MOST["clusters"]
    return len(made.microclusters) <= MOST["microclusters"]


def views(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """A section for everything special that the trace of this run has; nothing where it has nothing.

    `colors` (k,) are those of the clusters on the page, `placed` is what `stages.layout` found.
    """
    method = consensus_methods()[result.method]
    for words in doubts(result):
        st.caption(words)
    shown = [name for name in PICTURES if name in result.trace]
    left_out = sorted(name for name in method.pictures if not _fits(name, made))
    if not shown and not left_out:
        return
    st.subheader(f"What is special in {method.title}")
    for name in shown:
        PICTURES[name](made, result, colors, placed)
    if left_out:
        st.caption(
            f"A picture is left out: it is drawn up to {MOST['microclusters']:,} microclusters and "
            f"{MOST['clusters']:,} clusters, and here are {len(made.microclusters):,} and {made.n_clusters_total:,}."
        )


def doubts(result: Consensus) -> list[str]:
    """What the run itself says against its answer."""
    title, trace = consensus_methods()[result.method].title, result.trace
    found = []
    if trace.get("unsettled") and "objectives" not in trace:
        found.append(f"{title} was stopped before it settled: with more rounds the answer could be another one.")
    if rounds := trace.get("breaches"):
        found.append(
            f"In {counted(rounds, 'round')} the published method would have parted objects that no base clustering "
            "parts; here they stay together."
        )
    if smallest := trace.get("smallest_group"):
        found.append(f"Groups of fewer than {float(smallest):.3g} objects do not survive the completion.")
    return found


def clusters(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """Similarities of all clusters."""
    cluster_pairs.panel(made, result.trace["cluster_similarity"])


def weights(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """What every base clustering counts."""
    values = np.asarray(result.trace["clustering_weights"])
    st.markdown("**Whom does the crowd agree with?** The weight of every base clustering")
    names = clustering_names(made)
    chart(clusterings_on_hover(bar_by_clustering(values, theme(), y_name="weight"), names), "clustering_weights")
    most, least = (markdown(names[at]) for at in (values.argmax(), values.argmin()))
    st.markdown(
        f"{most[0].upper()}{most[1:]} agrees most with the others and counts **{values.max():.3g}**; {least} agrees "
        f"least and counts **{values.min():.3g}**. Raising β widens the gap."
    )


def objectives(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """What every start came to."""
    values = np.asarray(result.trace["objectives"], float)
    least, scale = values.min(), max(abs(values.min()), 1e-12)
    values = np.where(values <= least + 1e-6 * scale, least, values)  # an axis would blow up what is rounding
    st.markdown("**How much hangs on where it starts?** The objective that each start reached")
    chart(starts_figure(values, theme()), "objectives")
    reached = int((values == least).sum())
    words = f"**{reached:,} of {len(values):,}** starts reached the best objective, {least:.6g}"
    if reached < len(values):
        words += f"; the median start is {(np.median(values) - least) / scale:.2%} above it, the worst "
        words += f"{(values.max() - least) / scale:.2%}"
    words += "."
    if stopped := result.trace.get("unsettled"):
        words += f" {stopped:,} were stopped before nothing moved any more."
    st.markdown(words)


def lambda_star(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """From which lambda on something is learnt of a microcluster."""
    stars, lam = np.asarray(result.trace["lambda_star"]), float(result.params.as_dict()["lam"])
    st.markdown("**Is anything learnt?** Below its λ* a microcluster is reproduced as it is, and λ changes nothing")
    chart(lambda_figure(stars, lam, theme()), "lambda_star")
    below = int((stars >= lam).sum())
    st.markdown(
        f"λ = {lam:g} lies above the λ* of **{len(stars) - below:,} of {len(stars):,}** microclusters, which reach "
        f"from {stars.min():.3g} to {stars.max():.3g}. "
        + ("Of the others nothing is learnt." if below else "Something is learnt of every one.")
    )


def representation(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """The mixtures Z, objects in the order of the consensus."""
    labels = result.labels
    order = np.argsort(labels, kind="stable")
    mixtures = np.asarray(result.trace["representation"])
    pixels = made.microclusters.block_means(mixtures, order, order, PIXELS)
    strip = labels[order[np.linspace(0, len(order) - 1, len(pixels)).astype(int)]]
    signed, limit = bool((pixels < -1e-9).any()), _rounded_up(float(np.abs(pixels).max()))
    st.markdown("**Of whom is everybody a mixture?** The representation Z, objects ordered by consensus cluster")
    figure = matrix_image(
        pixels,
        theme(),
        scale="difference" if signed else "similarity",
        limit=limit,
        name="share",
        row_labels=strip,
        column_labels=strip,
        colors=colors,
        extent=(0, len(order)) * 2,
    )
    chart(figure, "representation")
    same = labels[made.microclusters.representatives]
    inside = float(np.abs(mixtures[same[:, None] == same]).sum() / max(np.abs(mixtures).sum(), 1e-300))
    st.caption(f"{inside:.0%} of what the mixtures hold lies inside the consensus clusters.")


def learnt_graph(made: Ensemble, result: Consensus, colors: np.ndarray, placed: tuple) -> None:
    """The graph whose components are the clusters."""
    graph = np.triu(np.asarray(result.trace["learnt_graph"]), 1)
    ends = np.argwhere(graph > 0)
    links = graph[tuple(ends.T)]
    micro, (points, axes, equal) = made.microclusters, placed
    st.markdown("**Which links has it learnt?** Microclusters that hang together are a cluster")
    figure = graph_figure(
        node_positions(points, made),
        micro.sizes,
        ends,
        links / links.max() if len(links) else links,
        theme(),
        labels=painted(result.labels, colors)[micro.representatives],
        axis_names=axes,
        equal=equal,
        height=460,
    )
    chart(figure, "learnt_graph")
    possible = len(micro) * (len(micro) - 1) // 2
    words = f"It keeps **{len(links):,} of {possible:,}** links between microclusters"
    own = result.labels[micro.representatives]
    crossing = int((own[ends[:, 0]] != own[ends[:, 1]]).sum())
    words += (
        "; none joins two clusters." if not crossing else f"; {crossing:,} of them join two clusters, and were cut."
    )
    st.markdown(words)


def _rounded_up(value: float) -> float:
    """The next number with one digit."""
    step = 10.0 ** np.floor(np.log10(max(value, 1e-9)))
    return float(np.ceil(value / step) * step)


#: Pictures by the entry of the trace they show, in the order of the page.
PICTURES: dict[str, Callable[[Ensemble, Consensus, np.ndarray, tuple], None]] = {
    "cluster_similarity": clusters,
    "clustering_weights": weights,
    "objectives": objectives,
    "lambda_star": lambda_star,
    "representation": representation,
    "learnt_graph": learnt_graph,
}
