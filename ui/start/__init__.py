"""What the Start page alone needs."""

from engine.params import Switch
from ui.session.settings import Setting

SETTINGS = (Setting("truth", True, Switch(), "Whether the truth is shown."),)
