"""What the sidebar and the Ensemble page keep, and what the page is made of."""

import data
from data.limits import MAX_CLUSTERINGS
from engine import consensus_methods
from engine.generators import known_generators
from engine.partitions import DISTANCES
from engine.selection import known_strategies
from ui.session.settings import ENSEMBLE, Setting
from ui.session.url_values import (
    one_of,
    ranges_as_text,
    read_data,
    read_off,
    read_ranges,
    read_share,
    read_switch,
    whole,
)

SETTINGS = (
    Setting(
        "data",
        "moons",
        read_data,
        "A name of the catalog, or `upload-<content hash>`.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "scaling", "standard", one_of(data.SCALINGS), "How features are brought to one scale.", makes_ensemble=True
    ),
    Setting(
        "m",
        None,
        whole(1, MAX_CLUSTERINGS, optional=True),
        "Base clusterings M; automatic: 20 are made, and of a file of base clusterings all are taken.",
        makes_ensemble=True,
    ),
    Setting("generator", "kmeans", one_of(known_generators), "What makes base clusterings.", makes_ensemble=True),
    Setting(
        "seed",
        7,
        whole(0, 2**31 - 1),
        "The same seed gives the same clusterings, always.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "lend",
        False,
        read_switch,
        "Whether missing labels are lent by the most similar object that has one.",
        makes_ensemble=True,
    ),
    Setting(
        "labelled",
        False,
        read_switch,
        "Whether objects that miss a label in a file of base clusterings are set aside.",
        reset_by=("data",),
        makes_ensemble=True,
    ),
    Setting("pick", (), read_ranges, "Picked objects, as ranges.", reset_by=("data", "labelled"), text=ranges_as_text),
    Setting("switched_off", (), read_off, "Base clusterings that are switched off, from 0.", (ENSEMBLE,)),
    Setting("map_distance", "vi", one_of(DISTANCES), "Distance between partitions on their map."),
    Setting("strategy", "snmi", one_of(known_strategies), "How base clusterings to keep are chosen."),
    Setting("keep", 0.5, read_share, "Share of the base clusterings that are kept."),
    Setting("method_beside", "eac", one_of(consensus_methods), "The method that is set beside the chosen one."),
    Setting("panel", 1, whole(1, MAX_CLUSTERINGS), "Page of the small multiples.", (ENSEMBLE,)),
)
