"""What lies between two objects: counts, co-association, agreement, quality of links."""
