"""Print all benchmark tables: `make bench`."""

from benchmarks import missions, others, pairing, start, streams


def main() -> None:
    """Run the benchmarks one after another, the quick ones first."""
    for benchmark in (streams, missions, others, pairing, start):
        print(benchmark.__doc__.splitlines()[0] + "\n")  # type: ignore[union-attr]
        print(benchmark.table())
        print()


if __name__ == "__main__":
    main()
