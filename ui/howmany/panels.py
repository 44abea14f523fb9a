"""What the page How many is made of."""

import numpy as np
import streamlit as st

from engine.choosing_k import EFFORTS, find_criterion
from engine.choosing_k.sentences import number
from ui.compute import pipeline
from ui.figures import criteria_figure, small_multiples
from ui.figures.numbering import carried
from ui.figures.style import painted
from ui.howmany import asking
from ui.howmany.consensus_panels import tracked
from ui.howmany.views import criterion_row
from ui.parts import method_menu
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.run_config import RunConfig
from ui.session.selection import pick
from ui.session.state import change, config, theme


def knobs(made) -> None:
    """The method whose partitions are judged, and how far to look."""
    method_menu.choose()
    most = max(3, min(50, len(made.microclusters))) if made is not None else 50
    bound(st.slider, "Largest k looked at", "k_max", min_value=2, max_value=max(most, config().k_max))


def answers(chosen: RunConfig, made):
    """What the criteria say, in full where that is there, else at once; None while nothing is."""
    long = asking.full_so_far(chosen, made) or _found_again(chosen, made)
    if long is not None and long.future.done() and not long.future.cancelled() and long.future.exception() is None:
        return long.future.result()
    return settle(asking.quick(chosen, made), "Asking the criteria", "quick_k")


def _found_again(chosen: RunConfig, made):
    """The job of a long look that was finished earlier: what it found is on disk, and soon here."""
    there, needed = asking.kept(chosen, made)
    return asking.full(chosen, made) if there == needed else None


def effort(chosen: RunConfig, made) -> None:
    """How much the answer rests on, and the button of the long look."""
    long = asking.full_so_far(chosen, made)
    if long is None:
        few, many = EFFORTS["quick"], EFFORTS["full"]
        source = pipeline.dataset(chosen)
        drawn = f" on {few.objects:,} of the objects" if few.objects and source.n_objects > few.objects else ""
        st.caption(
            f"A short look: {few.repeats} runs of k-means for every k and set{drawn}, {few.splits} splits in halves."
        )
        there, needed = asking.kept(chosen, made)
        st.button(
            f"Go on looking ({there} of {needed} sets are there)" if there else "Look longer",
            key="full_k",
            help=f"{many.repeats} runs on all objects, {many.null_sets} sets without clusters, {many.splits} splits.",
            on_click=_look_longer,
            args=(chosen, made),
            icon=":material/hourglass_top:",
        )
    else:
        settle(long, "Looking longer", "full_k_run", again=lambda: asking.full(chosen, made))
        if long.future.done() and not long.future.cancelled() and long.future.exception() is None:
            many = EFFORTS["full"]
            st.caption(f"A long look: {many.repeats} runs of k-means for every k and set, {many.splits} splits.")


def _look_longer(chosen: RunConfig, made) -> None:
    asking.full(chosen, made)


def verdict(found) -> None:
    """The answer in a sentence, and what it rests on."""
    first, _, rest = found.verdict.partition(". ")
    st.markdown(f"#### {first.removesuffix('.')}.")
    if rest:
        st.markdown(rest)


def curves(found) -> None:
    """All criteria on one axis of k; a click takes a k."""
    rows = [criterion_row(found, key) for key in found.curves]
    now = pipeline.wanted_k(config())
    figure = criteria_figure(found.ks, rows, theme(), taken=min(now, int(found.ks[-1])))
    figure.update_layout(dragmode=False)
    key = f"criteria_at_{now}"  # a new k is a new chart: one that stayed would report that its dot is selected no more
    with st.container(key="criteria"):
        chart(figure, key, on_select=lambda: _take_k(key), selection_mode="points")
    st.caption(
        "One curve a criterion; the large dot is its pick, hollow where it is not counted. The grey band is what data "
        "without clusters would give (two sd). Click a dot, and the app takes its k."
    )


def _take_k(key: str) -> None:
    points = [point for point in st.session_state[key].selection.points if "customdata" in point]
    if points:
        change(k=carried(points[0])[0])


def take(found) -> None:
    """The k the app has now, and every k to take, for those who do not click dots."""
    now = pipeline.wanted_k(config())
    options = [int(k) for k in found.ks]
    st.segmented_control(
        "Take k",
        options,
        default=now if now in options else None,
        key=f"take_k_{now}",
        on_change=_take_button,
        args=(f"take_k_{now}",),
    )
    by = [find_criterion(key).title for key in found.counted if found.picks[key] == now]
    st.caption(
        f"k = {now} on every page" + (f"; picked by {', '.join(by)}." if by else "; no counted criterion picks it.")
    )


def _take_button(key: str) -> None:
    if st.session_state[key] is not None:
        change(k=int(st.session_state[key]))


def neighbours(found, layout) -> None:
    """The partitions for k - 1, k and k + 1 beside each other, and who moves between them."""
    now = pipeline.wanted_k(config())
    shown = [k for k in (now - 1, now, now + 1) if k in found.partitions]
    if not shown:
        return
    points, _, equal = layout
    colors = tracked({k: found.partitions[k] for k in shown})
    st.markdown("**One cluster less, and one more**")
    titles = [f"k = {k}" for k in shown]
    panels, options = [found.partitions[k] for k in shown], {"colors": list(colors.values()), "equal": equal}
    figure = small_multiples(points, panels, titles, theme(), panel_height=230, **options)
    chart(figure, "neighbours")
    for before, k in zip(shown, shown[1:], strict=False):
        before_after = [painted(found.partitions[at], colors[at]) for at in (before, k)]
        _moves(before_after[0], before_after[1], before, k)


def _moves(before, after, k: int, more: int) -> None:
    """Who is elsewhere with one cluster more: those of the new cluster, and all others."""
    moved = np.flatnonzero(before != after)
    new = np.setdiff1d(after, before)
    joined = np.isin(after[moved], new)
    others = int((~joined).sum())
    words = f"From {k} to {more}: {counted(int(joined.sum()), 'object')} form the new cluster"
    words += f", and {counted(others, 'object')} change between old ones." if others else "; nobody else moves."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words, width="content")
        if len(moved):
            st.button(
                "Pick them",
                key=f"movers_{k}",
                on_click=pick,
                args=(moved, f"those who move from {k} to {more} clusters"),
                width="content",
            )


def readings(found) -> None:
    """Why each criterion picks what it picks, and which were not asked."""
    with st.expander("What each criterion says, and what it is"):
        for key in found.curves:
            one = find_criterion(key)
            st.markdown(f"**{one.title}**: {found.readings[key]} *{one.summary}*")
        for key, reason in found.left_out.items():
            st.markdown(f"**{find_criterion(key).title}** was not asked: it {reason}.")


def formula(found) -> None:
    """How the question of structure is answered, with the numbers of these data."""
    with st.expander("The formula, with your numbers"):
        if found.structure is None:
            st.markdown("Without features nothing can be compared with data that have no clusters.")
            return
        one = found.structure
        st.latex(r"T = \max_k \frac{\overline{\log \mathrm{PAC}}_k - \log \mathrm{PAC}_k}{\mathrm{sd}_k}")
        st.markdown(
            f"For every k, log PAC is compared with its mean and spread over the other sets, and the best k counts: "
            f"T = {one.statistic:.2f} here. {number(len(one.null)).capitalize()} sets were drawn from one Gaussian "
            f"with the spread of these data and judged alike; their T goes up to {one.null.max():.2f}, and "
            f"{number(one.n_reached)} of them reached {one.statistic:.2f}: p = (1 + {one.n_reached}) / "
            f"(1 + {len(one.null)}) = {one.p:.3f}."
        )
