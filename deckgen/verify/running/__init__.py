"""Snippets run: worker processes and the cache, seen from deckgen's side."""
