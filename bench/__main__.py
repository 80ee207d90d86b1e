"""`python -m bench [--quick]` runs every benchmark and writes docs/benchmarks.md."""

import sys

from bench import decks, engine, indentation, judging, page, reading

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    engine.main()
    for part in (reading, judging, indentation, decks):
        section = part.section(quick)
        page.write(section)
        print(section, flush=True)
