"""APIs that a document describes: entries under headings, on lines, in tables."""
