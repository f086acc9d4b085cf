"""Shallow pools, and systems that did not contribute."""
