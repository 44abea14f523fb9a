"""Why are two objects together? The panel, and one function a kind of reason."""

from ui.session.settings import Places, Setting

SETTINGS = (Setting("pair", (), Places(n=2), "Two objects that are looked at.", ("data",)),)
