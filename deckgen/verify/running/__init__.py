"""Snippets run: worker processes and the cache, seen from deckgen's side.

`engine` takes the sessions of a plan: what `cache` does not have is asked (`requests`) of `workers`, each of which is a
`runner`: a zygote that forks (`fork`), or processes for one session each (`spawn`). `frames` come back, and become observations.
"""
