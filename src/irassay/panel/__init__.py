"""Judgments and runs aligned: integers, and no document ids after it."""
