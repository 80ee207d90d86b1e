"""What was written against what was seen."""
