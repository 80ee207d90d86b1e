"""HTML, made Markdown again."""
