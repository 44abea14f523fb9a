"""Communities of graphs: nearest neighbours, seeded runs of Leiden, and votes that count on edges."""
