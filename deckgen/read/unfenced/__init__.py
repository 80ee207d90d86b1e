"""Text that has lost its fences: which of its lines are code, output, tables and text.

`lines` knows how much each line is code, `runs` groups them. Code ends where `coderuns` (scraped pages) or `cells` (exported
notebooks) says, its output where `printed` says, and what is left is text (`titles`).
"""
