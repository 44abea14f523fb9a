"""Kinds of parameters: each reads a value, phrases its rule, writes and reads text, and makes ladders of values."""

from .base import Kind, RefusedError
from .ranges import Float, Int, Interval, Number
from .words import Choice, Switch, Words

__all__ = ["Choice", "Float", "Int", "Interval", "Kind", "Number", "RefusedError", "Switch", "Words"]
