"""`python -m bench [--quick]` runs every benchmark and writes docs/benchmarks.md."""

import sys

from bench import decks, engine, indentation, judging, page, reading

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    engine.main()
    for section in (reading.section(quick), judging.section(quick), indentation.section(quick), decks.section(quick)):
        page.write(section)
        print(section)
