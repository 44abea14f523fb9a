"""What the Compare page alone needs."""

import re

from engine import consensus_methods
from ui.session.settings import Setting
from ui.session.url_values import one_of, read_data, read_names

_read_methods = read_names(one_of(consensus_methods))


def _read_answer(text: str) -> str:
    """A method, or the place of a clustering of one's own, as `ui.scene.methods` counts them."""
    return text if re.fullmatch(r"own\d{1,3}", text) else one_of(consensus_methods)(text)


#: What stands side by side on the page.
COMPARED = ("methods", "settings")

SETTINGS = (
    Setting("compared", "methods", one_of(COMPARED), "What stands side by side: methods, or settings of one method."),
    Setting("methods", ("eac", "lwea", "lwgp", "pta", "ptgp"), _read_methods, "The methods compared."),
    Setting(
        "sets",
        ("iris", "wine", "moons", "spirals", "uneven_blobs", "digits"),
        read_names(read_data),
        "The data sets they are compared on.",
    ),
    Setting("flow", (), read_names(_read_answer), "The two methods whose answers flow into each other."),
    Setting("own", "", read_data, "A file of one's own labels beside the methods.", ("data",)),
)
