"""What a document defines: terms with their meanings, sentences, rhymes, what to take away."""
