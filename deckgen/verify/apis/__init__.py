"""API names against the live torch."""
