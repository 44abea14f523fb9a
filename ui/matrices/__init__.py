"""What the Matrices page alone needs."""

from engine.params import Switch
from ui.session.settings import BRIGHTEST, Among, Places, Setting, Written

#: Orders of the objects along a matrix.
ORDERS = ("truth", "consensus", "tree", "input")

SETTINGS = (
    Setting("left", "ca", Written(), "The matrix on the left."),
    Setting("right", "lwca", Written(), "The matrix on the right."),
    Setting("order", "truth", Among(offered=ORDERS), "Order of the objects."),
    Setting("zoom", (), Places(n=4), "First and past-the-last row, then column, that are seen.", ("data", "order")),
    Setting("brightest", None, BRIGHTEST, "The value with the brightest colour; auto fits each matrix to its own."),
    Setting("right_minus_left", False, Switch(), "The right picture shows right minus left."),
)
