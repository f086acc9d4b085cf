"""Scoring on a GPU."""
