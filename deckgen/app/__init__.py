"""A run, from the options to what is said and written: here the stations are joined, and nowhere else.

`loading` reads and extracts, `pipeline` goes on to the verdicts, `rulings` looks into the lock, `making` decides, renders and
keeps, `build` packs and has it delivered, `revise` writes into the sources. A station that has its result already is
passed by: `loading` with `rereading` and `cutting` for a source, `looks` for a note, `unchanged` for a whole run.
"""
