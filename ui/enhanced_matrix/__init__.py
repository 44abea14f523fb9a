"""What the Enhanced matrix page alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import one_of, read_share, read_switch

#: Versions of EC-CMS: as published, and with a part left out.
ABLATIONS = ("full", "no_laplacian", "no_completion")

SETTINGS = (
    Setting("brightest_enhanced", 0.3, read_share, "The value with the brightest colour."),
    Setting("ablation", "full", one_of(ABLATIONS), "The version of EC-CMS."),
    Setting("warm", False, read_switch, "Whether it starts from the last solution."),
)
