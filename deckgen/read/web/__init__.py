"""HTML, made Markdown again: `hypertext` reads it, `writer` writes, and `roles` says who speaks in a saved chat."""
