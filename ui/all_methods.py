"""What the page All methods is made of: table, details, filters, and what every method makes of one example."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import data
from engine import ConsensusMethod, EngineError, Ensemble, Monitor, consensus_methods, run_consensus
from engine.consensus import FAMILIES
from engine.generators import kmeans_ensemble, lac_ensemble
from engine.metrics import align
from engine.monitor import SILENT, Quiet
from engine.runtime.memory import memory_limit
from ui import learn
from ui.learn import GLOSSARY, cited
from ui.saying import bytes_words
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.run_config import RunConfig
from ui.session.state import change, page_file
from ui.widgets import try_this
from ui.widgets.chart import thumbnail
from ui.widgets.terms import note, say

EVERY = 4
M = 10


@dataclass(frozen=True, eq=False)
class Answers:
    """Points of the example (N, 2), and labels (N,) of every method that can answer it."""

    points: np.ndarray
    labels: dict[str, np.ndarray]


def answers(monitor: Monitor = SILENT) -> Answers:
    """Every fourth object of the moons, ten k-means clusterings (LAC where memberships are needed), two clusters."""
    moons = data.load("moons")
    points, truth = moons.features[::EVERY], np.asarray(moons.labels)[::EVERY]
    hard = kmeans_ensemble(points, M, seed=0)
    soft = lac_ensemble(points, 5, [0.1 * 2**i for i in range(M)])
    found = {}
    for done, (key, method) in enumerate(consensus_methods().items()):
        ask = partial(monitor.tick, "asking every method", done, len(consensus_methods()))
        ask()
        labels = _answer(key, soft if "memberships" in method.needs else hard, Quiet(ask))
        if labels is not None:
            found[key] = align(labels, truth)
    return Answers(points, found)


def _answer(key: str, made: Ensemble, monitor: Monitor) -> np.ndarray | None:
    """Labels, or None where a package is not there, or the machine has no room."""
    try:
        return run_consensus(key, made, 2, monitor=monitor).labels
    except EngineError:
        return None


#: What a method may need, in words.
NEEDS = {
    "dense": "a matrix between all microclusters",
    "memberships": "soft memberships, which LAC gives",
    "graph": "a graph, which comes with communities (Leiden)",
}
#: Pixels of the picture of a method: width, height; a row of the table shows it whole in a column of 90.
PICTURE = (100, 84)
#: Pixels of the table: a laptop shows it whole.
TABLE_HEIGHT = 470
#: Pixels; above 64 Streamlit breaks words into lines, and a sentence has four at most.
ROW_HEIGHT = 80


def filters() -> str:
    """The search and the filters; the words searched for."""
    left, middle, right, last = st.columns([3, 3, 3, 2], gap="medium", vertical_alignment="bottom")
    with left:
        words = st.text_input("Search", key="search_methods", placeholder="tree, walk, METIS, Huang ...")
    with middle:
        bound(st.multiselect, "Families (none: all)", "families")
    with right:
        bound(st.selectbox, "That take", "takes")
    with last:
        bound(st.toggle, "With pictures", "pictured", help="What every method makes of one small example.")
    return words


def found(chosen: RunConfig, words: str) -> dict[str, list[ConsensusMethod]]:
    """Methods by family in which every word of the search occurs, of the families chosen (none: all) and needs."""
    wanted = words.casefold().split()
    kept = [one for one in consensus_methods().values() if all(word in _text(one) for word in wanted)]
    kept = [one for one in kept if _chosen(chosen, one)]
    return {family: [one for one in kept if one.family == family] for family in FAMILIES}


def _chosen(chosen: RunConfig, method: ConsensusMethod) -> bool:
    """Whether a method passes the filters, as the session has its parameters."""
    if chosen.families and method.family not in chosen.families:
        return False
    takes = chosen.takes
    if takes in ("any", "gaps"):
        return takes == "any" or method.takes_missing
    needs = method.requirements(chosen.params_of(method.key)) & NEEDS.keys()
    return takes in needs if takes in NEEDS else not needs


def _text(method: ConsensusMethod) -> str:
    """Everything a search looks into."""
    said = (method.key, method.title, method.summary, FAMILIES[method.family], cited(method.reference))
    return " ".join(said).casefold()


#: An empty image: where a cell has none, Streamlit writes the word None.
NO_PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E"


def table(scene: Scene, learn: Sequence[ConsensusMethod], answers: Answers | None) -> None:
    """One row a method: what it makes of a small example, what it does, what it takes and costs here."""
    rows = pd.DataFrame(
        {
            "picture": [thumbnail_of(one, answers) or NO_PICTURE for one in learn],
            "method": [one.title for one in learn],
            "what it does": [one.summary for one in learn],
            "family": [FAMILIES[one.family] for one in learn],
            "takes": [", ".join(needs(scene.config, one)) or "the labels alone" for one in learn],
            "expected here": [_expected(one, scene.ensemble) for one in learn],
        }
    )
    columns = {
        "picture": st.column_config.ImageColumn("", width=90, help="What it makes of 125 points of the moons."),
        "method": st.column_config.Column(width=122, pinned=True),
        "what it does": st.column_config.Column(width=342),
        "family": st.column_config.Column(width=150),
        "takes": st.column_config.Column(width=190),
        "expected here": st.column_config.Column(width=130),
    }
    st.dataframe(
        rows,
        hide_index=True,
        column_order=[name for name in rows if name != "picture" or scene.config.pictured],
        column_config=columns,
        height=TABLE_HEIGHT,
        row_height=ROW_HEIGHT if scene.config.pictured else None,
        key="methods_table",
        on_select=lambda: _take_row([one.key for one in learn]),
        selection_mode="single-row",
    )


def _take_row(keys: list[str]) -> None:
    rows = st.session_state["methods_table"].selection.rows
    if rows:
        change(about=keys[rows[0]])


def thumbnail_of(method: ConsensusMethod, answers: Answers | None) -> str | None:
    """The URL of the picture of what a method makes of the small example; None while that is being computed."""
    if answers is None or method.key not in answers.labels:
        return None
    return thumbnail(f"answer_{method.key}", answers.points, answers.labels[method.key], *PICTURE)


def details(scene: Scene, method: ConsensusMethod) -> None:
    """What a method does, what it needs here, its paper, its formula, and the button that chooses it."""
    config, made = scene.config, scene.ensemble
    with st.container(border=True, key="method_details"):
        say(f"**{method.title}**")
        say(method.summary)
        if words := expected(method, made):
            say(words)
        note(". ".join(filter(None, (knobs(method), cost(config, method, made), cited(method.reference)))))
        chosen = config.method == method.key
        with st.container(horizontal=True):
            st.button(
                "Chosen" if chosen else "Choose",
                key=f"choose_{method.key}",
                disabled=chosen,
                on_click=change,
                kwargs={"method": method.key},
            )
            st.page_link(
                page_file("consensus"), label="See its answer", icon=":material/arrow_forward:", disabled=not chosen
            )
        with st.expander("The formula, with your numbers"):
            try_this.formula(scene, try_this.of_method(method.key))
            say(f"**Try this**: {method.try_this}")


def _expected(method: ConsensusMethod, made: Ensemble | None) -> str:
    return (learn.cost_in_words(method.key, made) or "") if made is not None else ""


def expected(method: ConsensusMethod, made: Ensemble | None) -> str:
    """Time and memory to be expected on the present ensemble, and how the time grows."""
    if made is None or not (told := learn.cost_in_words(method.key, made)):
        return ""
    grows = learn.growth_of_cost(method.key, made)
    return f"n = {len(made.microclusters):,}: **{told}** expected" + (f"; time grows with {grows}." if grows else ".")


def knobs(method: ConsensusMethod) -> str:
    """Its parameters by symbol."""
    symbols = [spec.label for spec in method.params.specs()]
    return "Knobs: " + ", ".join(symbols) if symbols else "No knobs"


def needs(config: RunConfig, method: ConsensusMethod) -> list[str]:
    """What a method takes beside the labels, in words, as the session has its parameters."""
    asked = method.requirements(config.params_of(method.key))
    return [words for name, words in NEEDS.items() if name in asked]


def cost(config: RunConfig, method: ConsensusMethod, made: Ensemble | None) -> str:
    """What it needs, and how far that goes on the present ensemble."""
    asked = method.requirements(config.params_of(method.key))
    if made is not None and not made.complete and "dense where labels are missing" in asked:
        asked |= {"dense"}
    words = [NEEDS[name] for name in NEEDS if name in asked]
    if "complete" in asked and made is not None and not made.complete:
        words.append(f"a label of every object in every base clustering, of which {made.n_missing:,} are missing here")
    if reason := method.lacking_extra(config.params_of(method.key)):
        words.append(reason)
    if made is not None and "dense" in asked:
        n = len(made.microclusters)
        need, limit = 4 * n * n, memory_limit()
        fits = "fits" if need <= limit else "does not fit"
        words.append(
            f"here {bytes_words(need)} for n = {n:,}, which {fits} into the {bytes_words(limit)} a matrix may take"
        )
    return "Needs " + ", ".join(words) if words else "Needs the labels alone"


def glossary() -> None:
    """The terms of the field."""
    for term, meaning in GLOSSARY.items():
        st.markdown(f"*{term}*: {meaning}")
