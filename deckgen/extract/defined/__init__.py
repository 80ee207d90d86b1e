"""What a document defines: terms with their meanings, sentences, rhymes, what to take away.

`definitions`, `sentences`, `rhymes` and `takeaways` are the idioms; `holes` says where a sentence is best hidden, and `no_facts`
which lists hold nothing to learn.
"""
