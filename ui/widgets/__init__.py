"""Pieces that several pages place: widgets, charts, progress, menus."""
