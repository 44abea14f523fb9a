"""What the sidebar and the Ensemble page keep, and what the page is made of."""

import data
from data.limits import MAX_CLUSTERINGS
from engine import consensus_methods
from engine.generators import known_generators
from engine.params import Int, Switch
from engine.partitions import DISTANCES
from engine.selection import known_strategies
from ui.session.settings import DATA, ENSEMBLE, SHARE, Among, Places, Ranges, Setting

SETTINGS = (
    Setting(
        "data",
        "moons",
        DATA,
        "A name of the catalog, or `upload-<content hash>`.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "scaling",
        "standard",
        Among(offered=data.SCALINGS),
        "How features are brought to one scale.",
        makes_ensemble=True,
    ),
    Setting(
        "m",
        None,
        Int(low=1, high=MAX_CLUSTERINGS, optional=True),
        "Base clusterings M; automatic: 20 are made, and of a file of base clusterings all are taken.",
        makes_ensemble=True,
    ),
    Setting(
        "generator", "kmeans", Among(offered=known_generators), "What makes base clusterings.", makes_ensemble=True
    ),
    Setting(
        "seed",
        7,
        Int(low=0, high=2**31 - 1),
        "The same seed gives the same clusterings, always.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "lend",
        False,
        Switch(),
        "Whether missing labels are lent by the most similar object that has one.",
        makes_ensemble=True,
    ),
    Setting(
        "labelled",
        False,
        Switch(),
        "Whether objects that miss a label in a file of base clusterings are set aside.",
        reset_by=("data",),
        makes_ensemble=True,
    ),
    Setting("pick", (), Ranges(), "Picked objects, as ranges.", reset_by=("data", "labelled")),
    Setting("switched_off", (), Places(most=9_999), "Base clusterings that are switched off, from 0.", (ENSEMBLE,)),
    Setting("map_distance", "vi", Among(offered=DISTANCES), "Distance between partitions on their map."),
    Setting("strategy", "snmi", Among(offered=known_strategies), "How base clusterings to keep are chosen."),
    Setting("keep", 0.5, SHARE, "Share of the base clusterings that are kept."),
    Setting("method_beside", "eac", Among(offered=consensus_methods), "The method that is set beside the chosen one."),
    Setting("panel", 1, Int(low=1, high=MAX_CLUSTERINGS), "Page of the small multiples.", (ENSEMBLE,)),
)
