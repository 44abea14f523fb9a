"""What is special in the method chosen: the intermediates its trace has, each with its picture and a sentence."""

from engine import Consensus, consensus_methods
from ui.consensus import cluster_pairs
from ui.pictures.special import SPECIAL
from ui.saying import counted
from ui.scene import Scene
from ui.scene.consensus import MOST
from ui.widgets.chart import sentence_of, show
from ui.widgets.terms import note, say, subtitle


def views(scene: Scene) -> None:
    """A section for everything special that the trace of this run has; nothing where it has nothing."""
    made, result = scene.ensemble, scene.consensus
    for words in doubts(result):
        note(words)
    shown = [name for name in SPECIAL if name in result.trace]
    if not shown and not scene.left_out:
        return
    subtitle(f"What is special in {consensus_methods()[result.method].title}")
    for name in shown:
        if name == "cluster_similarity":
            cluster_pairs.panel(scene)
        elif show(scene, name):
            say(sentence_of(scene, name))
    if scene.left_out:
        note(
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
