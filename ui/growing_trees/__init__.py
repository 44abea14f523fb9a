"""What the Growing trees page alone needs."""

from ui.session.settings import ENSEMBLE, Setting
from ui.session.url_values import read_off, read_switch, whole

SETTINGS = (
    Setting("roots", (), read_off, "Prototypes picked by hand.", (ENSEMBLE, "switched_off")),
    Setting("round", 1, whole(1), "The round whose margins are shown.", (ENSEMBLE, "switched_off")),
    Setting("nearest", False, read_switch, "Whether the nearest prototypes are shown instead of the trees."),
)
