"""What pictures look like: their vectors, made in the stage "images" and looked up by questions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from mmem.errors import MissingExtra
from mmem.lifecycle.attached import Attached, keep_attached
from mmem.lifecycle.progress import Told
from mmem.lifecycle.recording import outcome
from mmem.models.image_choice import LABELS, image_encoder_named
from mmem.ports import ByteArray, ImageEncoder, Labeller, TextEncoder
from mmem.recall.visual import asks_what_is_seen
from mmem.schemas import Keyframe, Outcome, Source, Turn
from mmem.schemas.source import Status
from mmem.stores.images import Images, Picture, check_image_space, image_rows
from mmem.stores.library import Library

_log = logging.getLogger("mmem")
_A_WRITE = 16
SWITCHED_OFF = "MMEM_IMAGE_MODEL is off"


class Eyes:
    """The image encoder of one memory: the given one, the one set, else the memory's own.

    `given` and `model` are the caller's; where neither is there, the memory's pictures say with
    which they were encoded, and a memory without any takes "labels".
    """

    def __init__(
        self,
        images: Callable[[], Images],
        text: TextEncoder,
        *,
        given: ImageEncoder | None,
        labeller: Labeller | None,
        model: str | None,
    ) -> None:
        self._images = images
        self._text = text
        self._given = given
        self._labeller = labeller
        self._model = model
        self._made: tuple[str, ImageEncoder | None] | None = None

    @property
    def model(self) -> str:
        """What to set as MMEM_IMAGE_MODEL to get this encoder again."""
        return self._model or self._images().model or LABELS

    def encoder(self) -> ImageEncoder | None:
        """Return the encoder, not yet loaded; None where it is switched off. Raises ConfigError."""
        if self._given is not None:
            return self._given
        name = self.model
        if self._made is None or self._made[0] != name:
            self._made = (name, image_encoder_named(name, self._text, self._labeller))
        return self._made[1]

    def of_memory(self) -> ImageEncoder | None:
        """Return the encoder if the memory has pictures of its space; None without pictures.

        Raises ModelMismatch, MissingExtra, ConfigError.
        """
        stored, encoder = self._images().space, self.encoder()
        if stored is None or encoder is None:
            return None
        check_image_space(stored, encoder.identity)
        return encoder

    def for_question(self, question: str) -> ImageEncoder | None:
        """Return what looks at pictures for a question, None where it asks for nothing seen.

        Where the encoder is not installed the question is answered without, and the log says so.
        Raises ModelMismatch, ConfigError.
        """
        if not asks_what_is_seen(question):
            return None
        try:
            return self.of_memory()
        except MissingExtra as missing:
            _log.warning("pictures are not looked at: %s", missing)
            return None


def encode_pictures(
    library: Library,
    source: Source,
    eyes: Eyes | None,
    told: Told,
) -> Outcome:
    """Store a vector for every picture of a source; without `eyes` what is missing is pending.

    A vector is a function of the picture's bytes. Skipped, with the reason, where the encoder is
    not installed or switched off. Raises ModelMismatch, ConfigError.
    """
    pictures = list(pictures_of(library, source))
    missing = _drop_stale(library, source, pictures)
    if not pictures:
        return outcome(source, "images", "empty", "no pictures")
    if not missing:
        return outcome(source, "images", "ok", count=len(pictures))
    if eyes is None:
        return outcome(source, "images", "pending", "`mmem retry` encodes what they look like")
    encoder, why = available(eyes)
    if encoder is None:
        return outcome(source, "images", "skipped", why, len(pictures) - len(missing))
    table = library.images.claim(encoder.identity, eyes.model)
    for start in range(0, len(missing), _A_WRITE):
        batch = missing[start : start + _A_WRITE]
        vectors = [encoder.encode(pixels_of(library.media.path(p.file))[None]) for p in batch]
        digests = [library.media.digest(picture.file) for picture in batch]
        table.upsert(image_rows(source.id, batch, digests, np.concatenate(vectors)))
        told(batch[-1].end_us or 0)
    return outcome(source, "images", "ok", count=len(pictures))


def encode_attached(
    library: Library, source: Source, eyes: Eyes | None, told: Told, *, reads: bool
) -> Outcome:
    """Keep the pictures that lie beside a chat and store their vectors; tell which are lacking.

    Without `reads` no file is opened: what is kept already counts. A picture that can't be read
    leaves the stage partial; one that does not lie there is told.
    """
    found = keep_attached(library, source) if reads else Attached(0, (), ())
    ended = encode_pictures(library, source, eyes, told)
    if not found.told:
        return ended
    done: tuple[Status, ...] = ("ok", "empty")
    status: Status = "partial" if found.unread and ended.status in done else ended.status
    said = "" if ended.status == "empty" else ended.reason
    reason = "; ".join(filter(None, (said, found.told)))
    return ended.model_copy(update={"status": status, "reason": reason})


def available(eyes: Eyes) -> tuple[ImageEncoder | None, str]:
    """Return what can encode pictures here, else None and why. Raises ConfigError."""
    encoder = eyes.encoder()
    if encoder is None:
        return None, SWITCHED_OFF
    try:
        encoder.ensure_installed()
    except MissingExtra as missing:
        return None, str(missing)
    return encoder, ""


def pictures_of(library: Library, source: Source) -> Iterator[Picture]:
    """Yield the pictures of a source: its keyframes, and what its messages carry."""
    for atom in library.atoms(source.id):
        if isinstance(atom, Keyframe):
            yield Picture(atom.id, atom.file, atom.shown.end_us)
        elif isinstance(atom, Turn):
            for file in dict.fromkeys(atom.files):
                yield Picture(atom.id, file)


def pixels_of(picture: Path) -> ByteArray:
    """Return u8[h, w, 3] of one of the memory's own pictures."""
    from PIL import Image

    with Image.open(picture) as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def _drop_stale(library: Library, source: Source, pictures: Sequence[Picture]) -> list[Picture]:
    """Delete vectors of pictures that are gone or not as they were; return those without one."""
    table = library.images.table()
    if table is None:
        return list(pictures)
    where = f"source_id = '{source.id}'"
    rows = table.read(["id", "made_of"], where=where).to_pylist()
    stored = {str(row["id"]): str(row["made_of"]) for row in rows}
    wanted = {picture.id: picture for picture in pictures}
    right = {
        key
        for key, digest in stored.items()
        if key in wanted and library.media.digest(wanted[key].file) == digest
    }
    if stale := stored.keys() - right:
        table.delete_ids(stale)
    return [picture for key, picture in wanted.items() if key not in right]
