"""What the page All methods is made of: a table, details, filters, and what every method makes of one example."""

from engine import consensus_methods
from engine.consensus import FAMILIES
from engine.params import Switch
from ui.session.settings import Among, Setting, Several

#: What a method may take, as a filter: its name in a URL, and in words.
TAKES = {
    "any": "anything",
    "labels": "the labels alone",
    "dense": "a matrix between all microclusters",
    "memberships": "soft memberships",
    "graph": "a graph",
    "gaps": "missing labels as they are",
}

SETTINGS = (
    Setting(
        "about", "", Among(offered=("", *consensus_methods())), "The method that is looked at; at first the chosen one."
    ),
    Setting("families", (), Several(of=Among(offered=FAMILIES)), "Families of methods that are listed; none: all."),
    Setting("takes", "any", Among(offered=TAKES), "What the methods listed take."),
    Setting("pictured", True, Switch(), "Every method stands beside what it makes of a small example."),
)
