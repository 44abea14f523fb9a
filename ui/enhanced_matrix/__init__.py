"""What the Enhanced matrix page alone needs."""

from engine.params import Switch
from ui.session.settings import BRIGHTEST, Among, Setting

#: Versions of EC-CMS: as published, and with a part left out.
ABLATIONS = ("full", "no_laplacian", "no_completion")

SETTINGS = (
    Setting("brightest_enhanced", None, BRIGHTEST, "The value with the brightest colour; auto fits it to the input."),
    Setting("ablation", "full", Among(offered=ABLATIONS), "The version of EC-CMS."),
    Setting("warm", False, Switch(), "Whether it starts from the last solution."),
)
