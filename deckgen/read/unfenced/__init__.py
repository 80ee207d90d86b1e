"""Text that has lost its fences: which of its lines are code, output, tables and text."""
