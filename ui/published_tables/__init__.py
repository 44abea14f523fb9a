"""What the page Published tables alone needs."""

import data
from engine import consensus_methods
from ui.session.settings import DATA, Among, Setting, Several

SETTINGS = (
    Setting("table", "", Among(offered=("", *data.published_tables())), "The printed table; empty: all of them."),
    Setting("only", (), Several(of=DATA), "Those of its data sets that are shown and run; none: all."),
    Setting("printed_by", (), Several(of=Among(offered=consensus_methods)), "Those of its methods; none: all."),
)
