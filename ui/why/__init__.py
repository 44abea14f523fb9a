"""Why are two objects together? The panel, and one file a kind of reason."""
