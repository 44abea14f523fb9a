"""What the page Walks needs."""

from ui.session.settings import Among, Setting

#: What may colour the nodes of the elite-neighbour graph.
NODE_COLORS = ("truth", "consensus", "density")

SETTINGS = (Setting("color", "truth", Among(offered=NODE_COLORS), "What colours the nodes of the graph."),)
