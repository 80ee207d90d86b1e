"""Notes that are not quizzes: one module for each kind of find.

`question` finds questions that are answered right there, `definition` terms and statements in lists, `sentence` terms in running
text, remarks to remember and lines to learn by heart, `table` one note a row, `entry` headings and sentences about an API,
`output` what code prints, and the calls in it. `statement` cuts a line into a term and its meaning and says what a cloze hides,
`answer` which blocks answer a question, `no_facts` which lists and tables hold nothing to learn.
"""
