"""What the page How many alone needs."""

from engine.choosing_k.choosing import DEFAULT_K_MAX
from ui.session.settings import Setting
from ui.session.url_values import whole

SETTINGS = (Setting("k_max", DEFAULT_K_MAX, whole(2, 50), "The largest number of clusters looked at.", ("data",)),)
