"""What a document says of torch outside of code: defaults, and what expressions give."""
