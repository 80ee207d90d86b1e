"""`python -m bench [--quick]` runs every benchmark and writes docs/benchmarks.md; `--against COMMIT` compares, and writes nothing."""

import sys

from bench import against, decks, engine, indentation, judging, page, reading

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    if "--against" in sys.argv:
        against.main(sys.argv[sys.argv.index("--against") + 1], quick)
        sys.exit()
    engine.main()
    for part in (reading, judging, indentation, decks):
        section = part.section(quick)
        page.write(section)
        print(section, flush=True)
