"""Which captioner a setting names, and the form that the words of every captioner have."""

from __future__ import annotations

from collections.abc import Iterable

from mmem.config import Settings
from mmem.models.llm_budget import Cap
from mmem.models.transformers_parts import LOCAL_DIR
from mmem.ports import Captioner
from mmem.schemas import SCENES, VisualRecord
from mmem.words import sentences

LONGEST_CAPTION = 300
MOST_OBJECTS = 8
_LONGEST_OBJECT = 40
_OFF = "off"


def vision_name(settings: Settings) -> str:
    """Return the name in MMEM_VISION_MODEL, "" for none and for "off"."""
    name = (settings.vision_model or "").strip()
    return "" if name == _OFF else name


def captioner_named(settings: Settings, cap: Cap) -> Captioner | None:
    """Return the captioner that MMEM_VISION_MODEL names, None where it names none.

    What it spends counts against `cap`. Nothing is loaded or sent yet. Raises ConfigError,
    MissingExtra.
    """
    name = vision_name(settings)
    if not name:
        return None
    if name.startswith(LOCAL_DIR):
        from mmem.models.captions_transformers import TransformersCaptioner

        return TransformersCaptioner(name)
    from mmem.models.captions_vision import vision_captioner

    return vision_captioner(settings, name, cap)


def record_of(caption: str, *, scene: str = "", objects: Iterable[str] = ()) -> VisualRecord:
    """Return a model's words as a visual record: one line, whole sentences, labels that are known.

    >>> record_of("A man  sits.\\n", scene="Office", objects=["cup", "Cup", ""])
    VisualRecord(scene='', keyframe_caption='A man sits.', visible_objects=('cup',))
    """
    label = _plain(scene).lower()
    named: dict[str, str] = {}
    for one in map(_plain, objects):
        if one and len(one) <= _LONGEST_OBJECT:
            named.setdefault(one.casefold(), one)
    return VisualRecord(
        scene=label if label in SCENES else "",
        keyframe_caption=_short(_plain(caption)),
        visible_objects=tuple(named.values())[:MOST_OBJECTS],
    )


def _plain(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _short(text: str) -> str:
    """Return the first sentences that fit, of one that does not its beginning."""
    kept = ""
    for sentence in sentences(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > LONGEST_CAPTION:
            break
        kept = longer
    return kept or text[:LONGEST_CAPTION].rstrip()
