"""What lies between two clusters: reliability, overlaps, triples, SimRank."""
