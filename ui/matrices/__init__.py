"""What the Matrices page alone needs."""

from ui.session.settings import Setting
from ui.session.url_values import one_of, read_name, read_numbers, read_share, read_switch

#: Orders of the objects along a matrix.
ORDERS = ("truth", "consensus", "tree", "input")

#: What evidence was called in older links.
_OLD = {"co_association": "ca", "trajectories": "pts"}


def _read_matrix(text: str) -> str:
    return _OLD.get(read_name(text), text)


def _read_brightest(text: str) -> float | None:
    return None if text == "auto" else read_share(text)


SETTINGS = (
    Setting("left", "ca", _read_matrix, "The matrix on the left."),
    Setting("right", "lwca", _read_matrix, "The matrix on the right."),
    Setting("order", "truth", one_of(ORDERS), "Order of the objects."),
    Setting("zoom", (), read_numbers(4), "First and past-the-last row, then column, that are seen.", ("data", "order")),
    Setting(
        "brightest", None, _read_brightest, "The value with the brightest colour; auto fits each matrix to its own."
    ),
    Setting("right_minus_left", False, read_switch, "The right picture shows right minus left."),
)
