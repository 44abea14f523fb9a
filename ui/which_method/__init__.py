"""What the page Which method alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import whole

SETTINGS = (Setting("budget", 20, whole(1, 3600), "Seconds that asking every method may take."),)
