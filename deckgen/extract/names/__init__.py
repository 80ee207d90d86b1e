"""Names of the API that a document writes down, each with the parameters that it is given.

`mentions` goes through headings, lists, tables and text, `written` knows what a name looks like, and `place` whose it is, by the
headings and the code around it.
"""
