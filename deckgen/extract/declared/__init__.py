"""What its author wrote to be a card (docs/notations.md, "Forms that are always cards").

`marks` reads the author's gaps in a text, `gaps` takes them out of a document and makes clozes of them, `separators` reads
`term :: text` and a `?` between two sides, `asked` says which questions their author declared, `kept` makes what it can of
anything below `<!-- deckgen: keep -->`. `tags` says where the tag of a tool for flashcards counts.
"""
