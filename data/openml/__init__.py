"""Data sets of OpenML: asked for over the network, and kept in a cache folder."""
