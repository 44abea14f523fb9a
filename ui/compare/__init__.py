"""What the Compare page alone needs."""

import re
from dataclasses import dataclass
from typing import Any

from engine import consensus_methods
from ui.session.settings import DATA, Among, Setting, Several


@dataclass(frozen=True)
class Answer(Among):
    """A method, or the place of a clustering of one's own, as `ui.scene.methods` counts them."""

    def _read(self, value: Any) -> str:
        return value if re.fullmatch(r"own\d{1,3}", str(value)) else super()._read(value)


#: What stands side by side on the page.
COMPARED = ("methods", "settings")

SETTINGS = (
    Setting(
        "compared", "methods", Among(offered=COMPARED), "What stands side by side: methods, or settings of one method."
    ),
    Setting(
        "methods",
        ("eac", "lwea", "lwgp", "pta", "ptgp"),
        Several(of=Among(offered=consensus_methods)),
        "The methods compared.",
    ),
    Setting(
        "sets",
        ("iris", "wine", "moons", "spirals", "uneven_blobs", "digits"),
        Several(of=DATA),
        "The data sets they are compared on.",
    ),
    Setting(
        "flow", (), Several(of=Answer(offered=consensus_methods)), "The two methods whose answers flow into each other."
    ),
    Setting("own", "", DATA, "A file of one's own labels beside the methods.", ("data",)),
)
