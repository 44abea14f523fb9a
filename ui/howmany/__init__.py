"""What the page How many alone needs."""
