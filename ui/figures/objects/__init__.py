"""Figures of objects and of what lies between them: dots, graphs, matrices, trees, walks, subspaces."""
