"""Code that a document shows, and the cards that are made of it."""
