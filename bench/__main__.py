"""`python -m bench` runs every benchmark and writes its section of docs/benchmarks.md."""

from bench.engine import main

if __name__ == "__main__":
    main()
