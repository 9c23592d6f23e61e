"""From atoms to units, and from units to what is understood of them (floor 2)."""
