"""A run, from the options to what is written: here the stations are joined, and nowhere else.

`load` reads and extracts, `check` verifies and looks into the lock, `build` decides, renders and packs, `write_outputs` writes,
`update` writes into the sources, `lock` does the rest with locks. `recall` passes all of them by when nothing has changed.
`page_server` answers the page of a review, `agents` answers agents.
"""
