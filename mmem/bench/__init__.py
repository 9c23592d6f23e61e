"""Measuring mmem: receipts, paired comparisons, speed (a door)."""
