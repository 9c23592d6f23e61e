"""Where a memory keeps what it was given, and what recall reads."""
