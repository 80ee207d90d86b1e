"""The blocks of Markdown, and what sites and editors write among them."""
