"""What the page How many alone needs."""

from engine.choosing_k.choosing import DEFAULT_K_MAX
from engine.params import Int
from ui.session.settings import Setting

SETTINGS = (
    Setting("k_max", DEFAULT_K_MAX, Int(low=2, high=50), "The largest number of clusters looked at.", ("data",)),
)
