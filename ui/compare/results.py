"""What Compare shows of a study: scores, ranks and differences of methods, and the report of it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from engine import __version__, consensus_methods
from engine.statistics import (
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    paired_interval,
    wilcoxon_holm,
    win_tie_loss,
)
from engine.studies.files import write_study
from engine.studies.records import to_csv
from ui import outside
from ui.compare import comparing
from ui.figures import critical_difference_figure, difference_figure, time_quality_figure
from ui.figures.copies import standalone
from ui.scene import Scene
from ui.session.bound import bound, by_hand
from ui.session.run_config import RunConfig
from ui.session.settings import settings
from ui.session.state import adjust, theme
from ui.studies import score_tables, study_panel, sweeps
from ui.studies.sweeps import score_and_k
from ui.widgets.around import named
from ui.widgets.chart import chart
from ui.widgets.method_menu import title
from ui.widgets.terms import inform, meanings, note, say


def table(scene: Scene, study, scores: np.ndarray, sets: list[str]) -> list:
    """Mean and spread of every method on every data set; a person's own labels below, without draws."""
    rows, chosen = score_tables.cells(comparing.on_common_draws(scores)), scene.config
    titles = [title(method) for method in study.methods]
    own, own_cells = comparing.own_rows(scene, study)
    say(score_tables.as_markdown([*rows, *own_cells], [*titles, *own], sets))
    score = sweeps.score_title(chosen, study.datasets)
    over = f": mean ± sd over {draws_compared(scores)}" if study.repeats > 1 else " of one draw"
    note(f"{score}{over}. {_marks(rows)}{drawn(study)}")
    if own:
        note(_OF_OWN)
    return rows


_OF_OWN = "Own labels are one answer each, on the data of the sidebar: no draws, and no part in marks, ranks and tests."


def _marks(rows: list) -> str:
    """What bold numbers are, and those with a mark where there are some."""
    test = ""
    if any(cell.tied for row in rows for cell in row):
        test = f"; {score_tables.TIED}: a paired t-test over the draws does not tell it from the best "
        test += "(5 %, not corrected for the number of tests)"
    return f"Bold: the best method, and what prints the same{test}."


def draws_compared(scores: np.ndarray) -> str:
    """How many draws (methods, data sets, R) a mean is over, and how many stay out as some method has no answer."""
    there, compared = np.isfinite(scores), np.isfinite(comparing.on_common_draws(scores))
    n = compared.sum(axis=2)
    over = _from_to(n[n > 0].tolist() or [scores.shape[2]])
    words = f"{over} draw{'' if over == '1' else 's'}"
    out = int((there.any(axis=0) & ~compared.any(axis=0)).sum())
    return words + (f", without {out:,} that some method has not answered" if out else "")


def _from_to(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def drawn(study) -> str:
    """A sentence on how draws are taken from files of base clusterings, where there are any."""
    words = sweeps.drawn(study)
    return f" {words[0].upper()}{outside.markdown(words[1:])}." if words else ""


def differences(chosen: RunConfig, study, scores: np.ndarray):
    """On one data set: how far every method lies behind the best, draw by draw; the figure, and what is said of it."""
    means = _means(scores)[:, 0]
    there = np.flatnonzero(np.isfinite(scores[:, 0]).sum(axis=1) > 1)
    if len(there) < 2 or study.repeats < 2:
        inform("A difference needs at least two methods with scores, over at least two draws.")
        return None
    everywhere = np.isfinite(scores[there, 0]).all(axis=0)  # draws on which every one of them has a score
    if everywhere.any():
        means = _means(scores[:, :, everywhere])[:, 0]
    best = there[means[there].argmax()]
    others = [m for m in there[np.argsort(-means[there], kind="stable")] if m != best]
    intervals = {m: paired_interval(scores[m, 0], scores[best, 0]) for m in others}
    others = [m for m in others if intervals[m].n > 1]
    if not others:
        inform("A difference needs two methods with scores on the same two draws.")
        return None
    found = [intervals[m] for m in others]
    answered = np.flatnonzero(np.isfinite(scores[:, 0]).any(axis=1))
    few = [title(study.methods[m]) for m in answered if m not in (*others, best)]
    names, reference = [title(study.methods[m]) for m in others], title(study.methods[best])
    say(f"**How far do the others lie behind {reference}?** Paired differences, draw by draw")
    name = f"{sweeps.score_title(chosen, study.datasets)} less that of {reference}"
    figure = difference_figure(names, [one[:3] for one in found], theme(), x_name=name)
    chart(figure, "paired_differences")
    behind = sum(one.high < 0 for one in found)
    lie = "lies" if 1 in (behind, len(names)) else "lie"
    told = (
        f"Mean difference on the same {_from_to([one.n for one in found])} draws, with its 95 % interval (Student's t, "
        f"not corrected for the number of methods). {behind} of {len(names)} {lie} surely behind; "
        "a hollow dot's interval holds 0. One data set tells nothing of others: ranks and their tests need three."
        + (f" Too few scores: {', '.join(few)}." if few else "")
    )
    note(told)
    return figure, told


def ranking(chosen: RunConfig, study, scores: np.ndarray):
    """The critical-difference diagram over data sets, or why there is none; the figure, and what is said of it.

    Methods without any score rank nowhere, and take no data set from the others.
    """
    methods, scores = _answering(study, comparing.on_common_draws(scores))
    means, complete = _means(scores), _on_the_same_draws(scores)
    silent = [title(method) for method in study.methods if method not in methods]
    words = f" Without any score: {', '.join(silent)}." if silent else ""
    say(f"**Who ranks before whom?** Average ranks over {_complete(complete)}")
    if complete.sum() < 3 or len(methods) < 3:
        gaps = (~np.isfinite(scores).any(axis=2)).sum(axis=1)
        lacking = [f"{title(one)} lacks those of {n:,}" for one, n in zip(methods, gaps, strict=True) if n]
        words += f" {'; '.join(lacking)}." if lacking else ""
        inform(f"Ranks need at least three methods and three data sets with all scores.{words}")
        return None
    ranked = means[:, complete].T
    ranks, test = average_ranks(ranked), friedman(ranked)
    cd = critical_difference(len(methods), len(ranked))
    figure = critical_difference_figure(ranks, [title(one) for one in methods], cd, cliques(ranks, cd), theme())
    chart(figure, "cd_diagram")
    differ = "differ" if test.p < 0.05 else "are not told apart"
    told = f"Friedman's test: the methods {differ} (p = {test.p:.2g}); critical difference {cd:.2f} (Nemenyi, 5 %)."
    note(told + words)
    return figure, told + words


def _answering(study, scores: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The methods that have any score, and their scores."""
    there = np.isfinite(scores).any(axis=(1, 2))
    return [method for method, one in zip(study.methods, there, strict=True) if one], scores[there]


def _complete(complete: np.ndarray) -> str:
    """Over which data sets, those with all scores."""
    if complete.all():
        return "the data sets"
    words = "on which every method that answers has a score on the same draws"
    return f"the {complete.sum():,} of {complete.size:,} data sets {words}"


def _on_the_same_draws(scores: np.ndarray) -> np.ndarray:
    """Of which data sets at least one draw has a score of every method."""
    return np.isfinite(scores).all(axis=0).any(axis=1)


def _means(scores: np.ndarray) -> np.ndarray:
    """Mean over the draws that are there: (methods, data sets), nan without any."""
    n = (~np.isnan(scores)).sum(axis=2)
    return np.where(n, np.nansum(scores, axis=2) / np.maximum(n, 1), np.nan)


def pairs(study, scores: np.ndarray) -> list[tuple[str, pd.DataFrame]]:
    """Win, tie, loss of every pair, and Wilcoxon's test with Holm's correction: what each table says, and the table."""
    methods, scores = _answering(study, comparing.on_common_draws(scores))
    complete = _on_the_same_draws(scores)
    if len(methods) < 2 or complete.sum() < 2:
        return []
    scores = scores[:, complete]
    titles = [title(method) for method in methods]
    counts = [
        [f"{w} / {t} / {loss}" if i != j else "" for j, (w, t, loss) in enumerate(row)]
        for i, row in enumerate(win_tie_loss(scores))
    ]
    better = (
        f"Of {_complete(complete)}, those on which the row's method is better than, level with, worse than the "
        "column's (paired t-test over draws, 5 %)"
    )
    tests = pd.DataFrame(wilcoxon_holm(_means(scores).T), titles, titles).round(3)
    words = "Wilcoxon's signed-rank test over these data sets, p values after Holm"
    shown = {"win_tie_loss": (better, pd.DataFrame(counts, titles, titles)), "wilcoxon": (words, tests)}
    if np.isfinite(scores).sum(axis=2).max() < 2:
        del shown["win_tie_loss"]  # of a single draw there is no test
    with st.expander(
        "Every pair: wins, ties and losses; Wilcoxon's test" if len(shown) > 1 else "Every pair: Wilcoxon's test"
    ):
        for key, (said, one) in shown.items():
            say(said)
            st.dataframe(one, placeholder="", key=key)
    return list(shown.values())


def cost(chosen: RunConfig, study, found, scores: np.ndarray):
    """Time against quality, means over what every method answered; the figure."""
    seconds = comparing.scores(study, found, "seconds")
    there = np.isfinite(scores) & np.isfinite(seconds)
    asked = there.any(axis=(1, 2))
    common = there[asked].all(axis=0)
    over = "all data sets and draws"
    if asked.any() and not common.any():
        over = "the answers of each method: there is no ensemble that all of them answered"
    elif not common.all():
        over = f"the {common.sum():,} of {common.size:,} ensembles that every method here has answered"
    say(f"**What does quality cost?** Means over {over}")
    used = there & common if common.any() else there
    time, quality = (
        np.where(asked, np.where(used, part, 0).sum(axis=(1, 2)) / np.maximum(used.sum(axis=(1, 2)), 1), np.nan)
        for part in (seconds, scores)
    )
    figure = time_quality_figure(
        time,
        quality,
        [title(m) for m in study.methods],
        theme(),
        time_name="seconds a run" if k_is_given(study) else "seconds to look for k and answer",
        y_name=sweeps.score_title(chosen, study.datasets),
    )
    chart(figure, "time_quality")
    return figure


def k_is_given(study) -> bool:
    """Whether a record's seconds are those of one run: for all other policies they hold the search for k."""
    return study.k == "true" or not isinstance(study.k, str)


_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)


def report(
    title: str,
    words: Sequence[str],
    table: str,
    figures: Sequence[tuple[str, Any, str]],
    tables: Sequence[tuple[str, pd.DataFrame]],
    study: str,
    csv: str,
) -> bytes:
    """The report as bytes: paragraphs, `table`, which is HTML, figures (heading, figure, words below it), and tables.

    All other text is escaped.
    """
    drawn = [
        (heading, Markup(standalone(figure, first=place == 0)), told)
        for place, (heading, figure, told) in enumerate(figures)
    ]
    template = _TEMPLATES.get_template("report.html")
    below = [(said, Markup(score_tables.of_pairs(one))) for said, one in tables]
    known = {"title": title, "words": words, "study": study, "csv": csv, "version": __version__}
    return template.render(known, table=Markup(table), figures=drawn, tables=below).encode()


def preselect(chosen: RunConfig) -> None:
    """The data set of the sidebar is among those compared, where nobody has chosen others."""
    usual = settings()["sets"].default
    wanted = usual if chosen.data in usual else (chosen.data, *usual)
    ours = chosen.sets in (usual, st.session_state.get("_preselected"))
    if ours and chosen.sets != wanted and not by_hand("sets"):
        st.session_state["_preselected"] = wanted
        adjust(sets=wanted)
        st.rerun()


def methods_knob() -> None:
    """The methods that are set beside each other."""
    keys = list(consensus_methods())
    bound(st.multiselect, "Methods", "methods", options=keys, format_func=title, help=meanings(*map(title, keys)))


def knobs(chosen: RunConfig) -> None:
    """Data sets, draws, score, and how k is chosen."""
    preselect(chosen)
    names = named(chosen, chosen.sets)
    bound(st.multiselect, "Data sets", "sets", options=list(names), format_func=names.get)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        sweeps.draws("Ensembles of every data set, each with a seed of its own.", width=200)
        score_and_k(chosen, chosen.sets, width=200)
    sweeps.note_without_classes(chosen.sets, chosen.data)


def export(scene: Scene, study, found, rows, scores: np.ndarray, sets: list[str], figures, tables) -> None:
    """The table as LaTeX, and everything as one HTML file, a person's own labels below the methods."""
    chosen, (own, own_cells) = scene.config, comparing.own_rows(scene, study)
    titles, shown = [*(title(method) for method in study.methods), *own], [*rows, *own_cells]
    measure = sweeps.score_title(chosen, chosen.sets)
    policy = sweeps.policy_name(chosen, chosen.sets)
    over = f"mean and standard deviation over {draws_compared(scores)}" if study.repeats > 1 else "one draw"
    said = f"{measure}, {over}; clusters: {policy}"
    said += f"; {words}" if (words := sweeps.drawn(study)) else ""
    legend = [_marks(rows), *([_OF_OWN] if own else [])]
    whole, records, _ = study_panel.told(study, found)
    make = partial(
        report,
        "Comparison of consensus methods",
        [f"{said}.", *legend],
        score_tables.as_html(shown, titles, sets),
        figures,
        tables,
        write_study(whole),
        to_csv(records),
    )
    with st.container(horizontal=True):
        text = partial(score_tables.as_csv, shown, titles, study, sets, found, measure, policy)
        st.download_button(
            "Table (CSV)",
            text,
            "comparison_table.csv",
            "text/csv",
            key="get_table",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Table (LaTeX)",
            score_tables.as_latex(shown, titles, sets, f"{said}. {' '.join(legend)}"),
            "comparison.tex",
            "text/plain",
            key="get_latex",
            on_click="ignore",
            icon=":material/functions:",
        )
        st.download_button(
            "Report (HTML)",
            make,
            "comparison.html",
            "text/html",
            key="get_report",
            on_click="ignore",
            icon=":material/article:",
        )


def results(scene: Scene, study, found) -> None:
    """Table, ranks, cost and pairs, of the records there are."""
    chosen = scene.config
    scores = comparing.scores(study, found, sweeps.score_of(chosen, chosen.sets))
    if not np.isfinite(scores).any():
        inform("None of the tasks that were run came to a score.")
        return
    sets = _sets(scene, study)
    rows = table(scene, study, scores, sets)
    left, right = st.columns(2, gap="large")
    with left:
        one = len(study.datasets) == 1
        ranks = (differences if one else ranking)(chosen, study, scores)
    with right:
        costs = cost(chosen, study, found, scores)
    tables = pairs(study, scores)
    figures = [("Paired differences" if one else "Average ranks", *ranks)] if ranks else []
    export(scene, study, found, rows, scores, sets, [*figures, ("Time and quality", costs, "")], tables)


def live(scene: Scene, study, found) -> None:
    """The table while it fills."""
    scores = comparing.scores(study, found, sweeps.score_of(scene.config, scene.config.sets))
    if np.isfinite(scores).any():
        table(scene, study, scores, _sets(scene, study))


def _sets(scene: Scene, study) -> list[str]:
    """What the data sets of a study are called, as in the menu."""
    names = named(scene.config, (*scene.config.sets, *study.datasets))
    return [names[name] for name in study.datasets]
