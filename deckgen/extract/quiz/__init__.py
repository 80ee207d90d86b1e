"""Quizzes: choices among options, and gaps to fill in, with the answers wherever a document gives them.

`notations` holds the tables of what is read; `choices` and `blanks` make the notes.
"""
