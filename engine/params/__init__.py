"""Parameters of methods and generators: declared once, read, ruled, written as text, and made into ladders."""

from .declaring import Params, ParamSpec, one_of, param, require, require_integer, same_as
from .kinds import Choice, Float, Int, Interval, Kind, Number, RefusedError, Switch, Words
