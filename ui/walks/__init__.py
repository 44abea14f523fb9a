"""What the page Walks needs."""

from ui.session.settings import Setting
from ui.session.url_values import one_of

#: What may colour the nodes of the elite-neighbour graph.
NODE_COLORS = ("truth", "consensus", "density")

SETTINGS = (Setting("color", "truth", one_of(NODE_COLORS), "What colours the nodes of the graph."),)
