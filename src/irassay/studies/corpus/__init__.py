"""Scores over bootstrap corpora."""
