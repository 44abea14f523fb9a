"""What the Consensus page alone needs."""

from engine import consensus_methods
from engine.params import Int, Switch
from ui.session.run_config import MEASURES
from ui.session.settings import ENSEMBLE, SHARE, Among, Places, Setting

SETTINGS = (
    Setting("method", "lwea", Among(offered=consensus_methods), "The consensus method.", always=True),
    Setting(
        "k", None, Int(low=2, optional=True), "Clusters of the consensus; automatic: as many as classes.", ("data",)
    ),
    Setting(
        "cluster_order",
        "clustering",
        Among(offered=("clustering", "tree")),
        "Order of the clusters in the picture of them all.",
    ),
    Setting(
        "cluster_pair",
        (),
        Places(n=2),
        "Two clusters whose shared objects are looked at.",
        (ENSEMBLE, "switched_off"),
    ),
    Setting("sample", None, Int(low=100, optional=True), "Objects of the sample that the method runs on.", ("data",)),
    Setting("confidence", False, Switch(), "Whether objects that sit loosely are drawn faint."),
    Setting("unsure", 0.05, SHARE, "Share of the objects that counts as least sure."),
    Setting("measure", "nmi_max", Among(offered=MEASURES), "How agreement with the truth is measured."),
)
