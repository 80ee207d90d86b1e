"""What the stations hand to each other: frozen nouns, of the standard library alone."""
