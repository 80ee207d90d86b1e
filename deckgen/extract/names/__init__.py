"""Names of the API that a document writes down, each with the parameters that it is given.

`mentions` goes through headings, lists and text, `tables` through tables; `written` knows what a name looks like, `place` whose it
is, and `code` what the document's own code says about names.
"""
