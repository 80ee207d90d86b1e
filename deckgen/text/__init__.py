"""Small pure functions on text that every station may use."""
