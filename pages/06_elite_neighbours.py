"""Elite neighbours: which links carry the structure?"""

from typing import NamedTuple

import streamlit as st
from scipy.sparse import csr_array

from engine import Consensus, Ensemble
from ui.compute import pipeline
from ui.compute.work import start
from ui.frame.shell import present
from ui.parts import pins, stages
from ui.parts.answer import answer
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.state import config
from ui.walks import views as walk_views
from ui.walks.elite_panels import knobs, node_table, picture, sentence, trust, what_K_does


def page() -> None:
    """The page, top to bottom."""
    st.title("Which links carry the structure?")
    say("Every dot is a microcluster, every line a link that survives: only the heaviest links of each dot stay.")
    made = stages.ensemble()
    found = stages.layout(made)
    if not found or stages.inseparable(made, "there are no links"):
        return
    n = len(made.microclusters)
    left, right = st.columns([2, 1], gap="large")
    with right:
        knobs(n, walk_views.settings(config(), n)[0], pipeline.truth(config()))
    with left:
        shown = pins.beside(mechanism)
        pins.bar()
    if shown is None:
        return
    made, K, graph, result, steps = shown
    with right:
        if not pins.on() and result:
            answer(result, found, "elite_answer")
        node_table(made, graph, K)
    what_K_does(graph, K, steps)
    trust(made, graph)


class Shown(NamedTuple):
    """Ensemble, K, its graph, the consensus on it if there is one, and the ladder of K."""

    made: Ensemble
    K: int
    graph: csr_array
    result: Consensus | None
    steps: walk_views.Ladder


def mechanism() -> Shown | None:
    """The graph and what K keeps, under the settings that are looked at."""
    made = stages.ensemble()
    found = stages.layout(made)
    if not found:
        return None
    K, _ = walk_views.settings(config(), len(made.microclusters))
    graph = settle(walk_views.elite_graph(made, K), "Choosing elite neighbours", "elite")
    steps = settle(start(walk_views.ladder, made), "Pruning", "ladder")
    if graph is None or steps is None:
        return None
    result = stages.consensus(made, chosen=walk_views.walker(config(), made))
    picture(made, graph, found, config().color, result)
    sentence(made, graph, K, steps)
    if pins.on() and result:
        answer(result, found, "elite_answer")
    return Shown(made, K, graph, result, steps)


LESSON = Lesson(
    "set K to 1, then raise it until everything hangs together: which link was the bridge?",
    r"w_{ij} > 0 \text{ stays, if } w_{ij} \ge w_i^{(<K>)} \text{ or } w_{ij} \ge w_j^{(<K>)}",
    "Of w, the co-association between microclusters, each keeps its K heaviest links (and those that tie with the "
    "last); a link stays if either end keeps it.",
)

present(page, LESSON)
