"""How many topics a difference needs."""
