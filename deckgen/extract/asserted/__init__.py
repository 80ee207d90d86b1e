"""What a document says of torch outside of code: defaults, and what expressions give.

`said` goes through the document: what stands in lines (`assertions`) and what notes answer. `told_values`, `value_tables` and
`asked_values` read values, `default_sentences`, `default_columns` and `answered_defaults` defaults; `told_claims` makes claims of both.
`answered` takes the answers of quizzes about code.
"""
