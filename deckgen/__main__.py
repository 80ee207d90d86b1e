"""`python -m deckgen` is the command `deckgen`."""

from deckgen import namesake

namesake.tell()  # before what the other distribution of this name may have overwritten is imported

from deckgen.cli import main  # noqa: E402  # see above

main()
