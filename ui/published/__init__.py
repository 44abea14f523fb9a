"""What the page Published tables alone needs."""
