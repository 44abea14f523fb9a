"""What the Data page alone needs."""

from ui.session.settings import Among, Setting

#: Layouts: the data themselves or their principal components (labels only: spectral), or t-SNE.
VIEWS = ("plain", "tsne")

SETTINGS = (Setting("view", "plain", Among(offered=VIEWS), "How objects are laid out."),)
