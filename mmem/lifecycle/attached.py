"""Pictures attached in chats: read from beside the chat, kept, and named in their messages."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from mmem.errors import MmemError
from mmem.ingestors.stills import Still, read_still
from mmem.schemas import Attachment, Source, Turn
from mmem.schemas.identity import digest_of
from mmem.stores.library import Library

_ENDINGS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic", ".heif", ".bmp"))
_DRIVE = re.compile(r"[A-Za-z]:")
_NAMED = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Attached:
    """What became of the pictures that a chat's messages name.

    `unread` are those that lie beside the chat and can't be read, each with the reason; `absent`
    are the names of those that do not lie there.
    """

    kept: int
    unread: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def told(self) -> str:
        """What is lacking, in one line, "" for nothing."""
        parts = list(self.unread[:_NAMED])
        if more := len(self.unread) - _NAMED:
            parts += [f"{more} more could not be read"] if more > 0 else []
        if self.absent:
            few = ", ".join(self.absent[:_NAMED])
            rest = ", …" if len(self.absent) > _NAMED else ""
            parts.append(f"{len(self.absent)} attached but not beside the chat: {few}{rest}")
        return "; ".join(parts)


def keep_attached(library: Library, source: Source) -> Attached:
    """Copy the pictures that a conversation's messages name into the memory, small and upright.

    A message whose picture is kept names the copy. What was kept once stays, wherever its file has
    gone. Every picture that can't be read is told; its message stays as it is.
    """
    folders = _folders(source)
    kept, unread, absent, changed = 0, list[str](), list[str](), list[Turn]()
    for turn in _with_pictures(library, source):
        attachments = []
        for one in turn.attachments:
            if not _is_picture(one):
                attachments.append(one)
                continue
            file, why = _kept(library, source, one, folders)
            kept += file is not None
            unread += [why] if why else []
            absent += [one.name or ""] if file is None and not why else []
            attachments.append(one.model_copy(update={"file": file}))
        if tuple(attachments) != turn.attachments:
            changed.append(turn.model_copy(update={"attachments": tuple(attachments)}))
    library.put_atoms(changed)
    return Attached(kept, tuple(unread), tuple(absent))


def lies_beside(library: Library, source: Source) -> bool:
    """Tell whether a picture that was lacking can be read now."""
    folders = _folders(source)
    for turn in _with_pictures(library, source):
        for one in turn.attachments:
            if _is_picture(one) and one.file is None and _read(one, folders)[0] is not None:
                return True
    return False


def beside(folder: Path, name: str) -> Path | None:
    """Return the file of a name inside a folder or below it, None where there is none.

    A name is data (DESIGN, invariant 11): one that is absolute, that climbs, or that is a link to
    elsewhere names nothing.
    """
    plain = name.replace("\\", "/")
    parts = PurePosixPath(plain).parts
    if not parts or plain.startswith("/") or ".." in parts or _DRIVE.match(plain) or "\0" in plain:
        return None
    root = folder.resolve()
    for form in dict.fromkeys((plain, *(unicodedata.normalize(f, plain) for f in ("NFC", "NFD")))):
        try:
            path = (root / form).resolve()
            if path.is_relative_to(root) and path.is_file():
                return path
        except (OSError, RuntimeError):
            # A name that is too long for the file system, or a ring of links.
            continue
    return None


def _kept(
    library: Library, source: Source, one: Attachment, folders: Sequence[Path]
) -> tuple[str | None, str]:
    """Return the name of the memory's copy of a picture, None without one; and why it is unread."""
    if one.file is not None and library.media.path(one.file).is_file():
        right = _name(source, library.media.digest(one.file))
        if right != one.file:
            library.media.write(right, library.media.path(one.file).read_bytes())
        return right, ""
    still, why = _read(one, folders)
    if still is None:
        return None, why
    name = _name(source, still.digest)
    library.media.write(name, still.jpeg)
    return name, ""


def _read(one: Attachment, folders: Sequence[Path]) -> tuple[Still | None, str]:
    """Return the first readable file of a name, else why the last one is not."""
    why = ""
    for folder in folders:
        path = beside(folder, one.name or "")
        if path is None:
            continue
        try:
            return read_still(path), ""
        except MmemError as error:
            why = error.message
    return None, why


def _name(source: Source, digest: str) -> str:
    """Return the name of a copy: by what it shows and whose it is, so that no two chats share it.

    That is what lets one of them be forgotten whole.
    """
    return f"i-{digest_of('attached', source.id, digest)}.jpg"


def _folders(source: Source) -> list[Path]:
    places = {Path(place).parent for revision in source.revisions for place in revision.locations}
    return sorted(places)


def _with_pictures(library: Library, source: Source) -> Iterator[Turn]:
    for atom in library.atoms(source.id):
        if isinstance(atom, Turn) and any(map(_is_picture, atom.attachments)):
            yield atom


def _is_picture(one: Attachment) -> bool:
    """Tell whether an attachment is a picture file by its name; web addresses are none."""
    if one.kind != "picture" or not one.name or "://" in one.name:
        return False
    return PurePosixPath(one.name.replace("\\", "/")).suffix.casefold() in _ENDINGS
