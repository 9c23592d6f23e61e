"""A memory and its answers as one HTML file (floor 4): writing, its sources, its page."""

from mmem.report.writing import Entry, write

__all__ = ["Entry", "write"]
