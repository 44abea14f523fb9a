"""What the Growing trees page alone needs."""

from engine.params import Int, Switch
from ui.session.settings import ENSEMBLE, Places, Setting

SETTINGS = (
    Setting("roots", (), Places(most=9_999), "Prototypes picked by hand.", (ENSEMBLE, "switched_off")),
    Setting("round", 1, Int(low=1), "The round whose margins are shown.", (ENSEMBLE, "switched_off")),
    Setting("nearest", False, Switch(), "Whether the nearest prototypes are shown instead of the trees."),
)
