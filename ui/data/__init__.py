"""What the Data page alone needs."""

from ui.session.setting_kinds import Among
from ui.session.settings import Setting

#: Layouts: the data themselves or their principal components (labels only: spectral), or t-SNE.
VIEWS = ("plain", "tsne")

SETTINGS = (Setting("view", "plain", Among(offered=VIEWS), "How objects are laid out."),)
