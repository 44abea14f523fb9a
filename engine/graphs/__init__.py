"""Graphs of objects and clusters, and what cuts them: spectra, METIS, Mt-KaHyPar."""
