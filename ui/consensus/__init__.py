"""What the Consensus page alone needs."""

from engine import consensus_methods
from ui.session.run_config import MEASURES
from ui.session.settings import ENSEMBLE, Setting
from ui.session.url_values import one_of, read_numbers, read_share, read_switch, whole

SETTINGS = (
    Setting("method", "lwea", one_of(consensus_methods), "The consensus method.", always=True),
    Setting("k", None, whole(2, optional=True), "Clusters of the consensus; automatic: as many as classes.", ("data",)),
    Setting(
        "cluster_order",
        "clustering",
        one_of(("clustering", "tree")),
        "Order of the clusters in the picture of them all.",
    ),
    Setting(
        "cluster_pair",
        (),
        read_numbers(2),
        "Two clusters whose shared objects are looked at.",
        (ENSEMBLE, "switched_off"),
    ),
    Setting("sample", None, whole(100, optional=True), "Objects of the sample that the method runs on.", ("data",)),
    Setting("confidence", False, read_switch, "Whether objects that sit loosely are drawn faint."),
    Setting("unsure", 0.05, read_share, "Share of the objects that counts as least sure."),
    Setting("measure", "nmi_max", one_of(MEASURES), "How agreement with the truth is measured."),
)
