"""Code on cards: what its statements do, and need of the code above (`statements`); how it is shown (`listing`)."""
