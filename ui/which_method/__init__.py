"""What the page Which method alone needs."""

from engine.params import Int
from ui.session.settings import Setting

SETTINGS = (Setting("budget", 20, Int(low=1, high=3600), "Seconds that asking every method may take."),)
