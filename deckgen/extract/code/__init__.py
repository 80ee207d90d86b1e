"""Code on cards: what its statements do (`statements`), what it needs of the code above (`needed`), how it is shown (`listing`)."""
