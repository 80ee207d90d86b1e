"""The engine: worker processes and the cache of observations, seen from deckgen's side.

`engine` takes the sessions of a plan. What `cache` does not have is asked of `workers` (`records` writes the request), each of which
is a `runner`: a zygote that forks (`fork`), or one process for each session (`spawn`). Their answers arrive as `frames`, which
`records` turns into observations.
"""
