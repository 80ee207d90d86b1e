"""Code that a document shows, and the cards that are made of it.

`snippets` finds the code and its claims. `outputs` asks what it prints, with the code that an answer needs (`listing`, `needed`);
`code_clozes` hides the call that is worth recalling.
"""
