"""What the page All methods is made of: a table, details, filters, and what every method makes of one example."""

from engine import consensus_methods
from engine.consensus import FAMILIES
from ui.session.settings import Setting
from ui.session.url_values import one_of, read_names, read_switch

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
    Setting("about", "", one_of(("", *consensus_methods())), "The method that is looked at; at first the chosen one."),
    Setting("families", (), read_names(one_of(FAMILIES)), "Families of methods that are listed; none: all."),
    Setting("takes", "any", one_of(TAKES), "What the methods listed take."),
    Setting("pictured", True, read_switch, "Every method stands beside what it makes of a small example."),
)
