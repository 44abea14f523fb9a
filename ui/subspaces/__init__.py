"""What the Subspaces page alone needs."""

from engine.params import Float
from ui.session.settings import Places, Setting

SETTINGS = (
    Setting("lac_inverse_h", 5.0, Float(low=0, low_open=True, high=1e4), "The 1/h that is looked at."),
    Setting("axes", (), Places(n=2), "The two features that are seen.", ("data",)),
)
