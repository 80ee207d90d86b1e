"""Notes that are not quizzes: one module for each kind of find.

`question` finds questions that are answered right there, `definition` terms and statements in lists, `sentence` terms in running
text and remarks to remember, `table` one note a row, `entry` headings and sentences about an API, `mnemonic` lines to learn by heart.
`term` cuts a line into a term and its meaning, `hole` says what a cloze hides, `no_facts` which lists and tables hold nothing to learn.
"""
