"""What a document claims that its code does.

`snippets` finds the code of a document and gathers its claims: `forms` reads comments beside code (a table), `below` comment lines
under it, `pasted` output inside a block of code (a table), `outputs` blocks that show output. `changes` knows what a statement
changes, `values` what a value is, `code` what code does. `answers` reads the answers of quizzes about code, `defaults` what notes say of parameters' defaults.
"""
