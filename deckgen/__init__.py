"""deckgen turns PyTorch notes into Anki decks whose claims were checked against torch."""

__version__ = "0.1.0"
