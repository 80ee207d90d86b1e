"""The notes that a document gives: one module a kind."""
