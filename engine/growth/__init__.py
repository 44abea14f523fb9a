"""The ground and the trees of GoT: densities, refined distances, and growing."""
