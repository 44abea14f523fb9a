"""What the page Published tables alone needs."""

import data
from engine import consensus_methods
from ui.session.settings import Setting
from ui.session.url_values import one_of, read_data, read_names

SETTINGS = (
    Setting("table", "", one_of(("", *data.published_tables())), "The printed table; empty: all of them."),
    Setting("only", (), read_names(read_data), "Those of its data sets that are shown and run; none: all."),
    Setting("printed_by", (), read_names(one_of(consensus_methods)), "Those of its methods; none: all."),
)
