"""The command line: parses and shows, decides nothing (floor 4).

Reading order: app (the commands), door (options of all commands, errors, exit codes), adding,
asking, looking, demo; page (what is printed), progress (what is told meanwhile).
"""

from mmem.cli.app import app, main

__all__ = ["app", "main"]
