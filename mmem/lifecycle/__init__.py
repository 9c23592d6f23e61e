"""What serves the hall: adding, settling, forgetting (floor 3)."""
