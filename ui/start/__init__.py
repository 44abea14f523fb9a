"""What the Start page alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import read_switch

SETTINGS = (Setting("truth", True, read_switch, "Whether the truth is shown."),)
