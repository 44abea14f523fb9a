"""What the Subspaces page alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import read_numbers, read_positive

SETTINGS = (
    Setting("lac_inverse_h", 5.0, read_positive, "The 1/h that is looked at."),
    Setting("axes", (), read_numbers(2), "The two features that are seen.", ("data",)),
)
