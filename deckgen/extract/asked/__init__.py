"""Questions with their answers, in every dress that authors give them."""
