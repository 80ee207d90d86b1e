"""`python -m deckgen` is the command `deckgen`."""

from deckgen.cli import main

main()
