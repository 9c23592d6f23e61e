"""Which image encoder a name means."""

from __future__ import annotations

from mmem.ports import ImageEncoder, Labeller, TextEncoder

LABELS, OFF = "labels", "off"


def image_encoder_named(
    name: str, text: TextEncoder, labeller: Labeller | None
) -> ImageEncoder | None:
    """Return the image encoder of a name (see MMEM_IMAGE_MODEL), None for "off".

    `text` and `labeller` make the vectors of "labels". Raises ConfigError for other names.
    """
    if name == OFF:
        return None
    if name == LABELS:
        from mmem.models.image_labels import LabelVectors

        return LabelVectors(text, labeller)
    from mmem.models.image_clip import OpenClip

    return OpenClip(name)
