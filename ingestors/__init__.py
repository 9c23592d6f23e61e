"""Readers of the outside world (floor 1): one format a file, sniffed by content."""

if not __name__.startswith("mmem."):
    raise ImportError(
        "import this package as mmem.ingestors: the top-level name is not ours to take"
    )
