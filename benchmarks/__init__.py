"""Benchmarks, side by side with the peers: `python -m benchmarks [NAME...]`. Timings never go into tests."""
