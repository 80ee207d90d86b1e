"""Benchmarks: `make bench` writes docs/benchmarks.md."""
