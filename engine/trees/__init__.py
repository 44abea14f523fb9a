"""Dendrograms: linkage, with a matrix and without one, cutting, branches, and other programs' formats."""
