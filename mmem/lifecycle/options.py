"""What the caller says of the files that are added."""

from __future__ import annotations

import dataclasses
import json

from mmem.schemas.record import canonical_json


@dataclasses.dataclass(frozen=True, slots=True)
class AddOptions:
    """What the caller says of the files; see ReadContext. `labels` go onto every source read."""

    labels: tuple[str, ...] = ()
    title: str | None = None
    format_name: str | None = None
    zone: str | None = None
    recorded_us: int | None = None
    day_first: bool | None = None
    anchor_s: int | None = None

    def text(self) -> str:
        """Return the options as JSON."""
        return canonical_json(dataclasses.asdict(self))

    @classmethod
    def of_text(cls, text: str) -> AddOptions:
        """Return options from their JSON; "" is none."""
        fields = json.loads(text or "{}")
        return cls(**{**fields, "labels": tuple(fields.get("labels", ()))})

    def unapplied(self) -> str:
        """Return a remark on what is said in vain of a file that is known, "" for nothing."""
        said = {
            "--as": self.title,
            "--tz": self.zone,
            "--recorded-at": self.recorded_us,
            "day and month": self.day_first,
            "--anchor": self.anchor_s,
        }
        names = [name for name, value in said.items() if value is not None]
        if not names:
            return ""
        return f"{', '.join(names)} not applied: forget it and add it again"
