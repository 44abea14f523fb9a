"""Figures of scores and counts: bars, strips, curves, sweeps, and methods beside each other."""
