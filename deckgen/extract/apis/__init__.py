"""Names of APIs that a document writes down, each with the parameters that it is given."""
