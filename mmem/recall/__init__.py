"""From a question to ranked rows: plan, channels side by side, fuse, and a trace of each step."""
