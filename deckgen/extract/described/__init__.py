"""APIs that a document describes: entries under headings, on lines, in tables.

`entries` and `tables` are the idioms. Tables without facts are told apart in `no_facts`.
"""
