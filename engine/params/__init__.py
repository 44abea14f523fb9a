"""Parameters of methods and generators: declared once, read, ruled, written as text, and made into ladders."""

from .choices import Choice, Switch, Words
from .declaring import Params, ParamSpec, param, same_as
from .kinds import Kind, RefusedError
from .ranges import Float, Int, Interval, Number
