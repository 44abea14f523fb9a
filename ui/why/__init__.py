"""Why are two objects together? The panel, and one file a kind of reason."""

from ui.session.settings import Setting
from ui.session.url_values import read_numbers

SETTINGS = (Setting("pair", (), read_numbers(2), "Two objects that are looked at.", ("data",)),)
