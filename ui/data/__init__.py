"""What the Data page alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import one_of

#: Layouts: the data themselves or their principal components (labels only: spectral), or t-SNE.
VIEWS = ("plain", "tsne")

SETTINGS = (Setting("view", "plain", one_of(VIEWS), "How objects are laid out."),)
