"""What the page Published tables alone needs."""

import data
from ui.session.settings import Setting
from ui.session.url_values import one_of, read_data, read_names

SETTINGS = (
    Setting(
        "table", "", one_of(("", *data.published_tables())), "The printed table; at first one whose data are here."
    ),
    Setting("only", (), read_names(read_data), "Those of its data sets that are run; none: all."),
)
