"""Questions with their answers, in every dress that authors give them.

`questions` asks each block how it asks (`asking`, `asking_headings`, `asking_items`, `hidden`), and `answering` takes what
stands below. Cards, tables, dialogues and questions about code are idioms of their own.
"""
