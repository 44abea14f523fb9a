"""What the Ensemble page keeps."""

from ui.frame.settings import MAX_CLUSTERINGS
from ui.session.settings import ENSEMBLE, Setting
from ui.session.url_values import read_off, whole

SETTINGS = (
    Setting("switched_off", (), read_off, "Base clusterings that are switched off, from 0.", (ENSEMBLE,)),
    Setting("panel", 1, whole(1, MAX_CLUSTERINGS), "Page of the small multiples.", (ENSEMBLE,)),
)
