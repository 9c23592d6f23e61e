"""The stages that a recording has: its pictures, the words on them, their names, its speech."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mmem.derive.screens import merged, screen_text
from mmem.errors import MmemError
from mmem.ingestors.reading import Damage, RecordingReader
from mmem.ingestors.registry import reader_named
from mmem.lifecycle.hearing import hear
from mmem.lifecycle.labelling import name_pictures
from mmem.lifecycle.progress import Told
from mmem.lifecycle.settle import transcript_of
from mmem.ports import Labeller, ReadLine, Recogniser, ScreenReader
from mmem.schemas import Keyframe, Outcome, ScreenLine, ScreenText, Source, Utterance
from mmem.schemas.clock import offset
from mmem.schemas.identity import file_digest, screen_text_id
from mmem.schemas.source import Status
from mmem.stores.library import Library

_PICTURES_A_WRITE = 16
"""Is told the media offset, in microseconds, that is done."""


def choose_pictures(library: Library, source: Source, told: Told) -> Outcome:
    """Store the keyframes of a recording. Raises DamagedFile, MmemError where its file is gone."""
    reader, path = _reader_and_file(source)
    batch: list[Keyframe] = []
    count = 0
    damage = Damage()
    for picture in reader.pictures(path, source, damage):
        library.media.write(picture.keyframe.file, picture.jpeg)
        batch.append(picture.keyframe)
        count += 1
        if len(batch) == _PICTURES_A_WRITE:
            library.put_atoms(batch)
            batch = []
        told(picture.keyframe.shown.end_us)
    library.put_atoms(batch)
    status: Status = "ok" if count else "empty"
    reason = "" if count else "no picture track that can be decoded"
    if lost := damage.told():
        status, reason = "partial", lost
    return outcome(source, "pictures", status, reason, count)


def read_screens(
    library: Library, source: Source, reader: Callable[[], ScreenReader] | None, told: Told
) -> Outcome:
    """Store the words on a recording's keyframes; pending without a reader."""
    keyframes = _keyframes(library, source)
    if reader is None and keyframes:
        return outcome(source, "screen", "pending", "`mmem retry` reads the screens")
    paths = [str(library.media.path(keyframe.file)) for keyframe in keyframes]
    pages = reader().read_all(paths) if reader and keyframes else iter(())
    read: list[ScreenText] = []
    for keyframe, lines in zip(keyframes, pages, strict=True):
        read.extend(_screen_text(source, keyframe, lines))
        told(keyframe.shown.end_us)
    found = merged(read)
    library.put_atoms(found)
    status: Status = "ok" if found else "empty"
    return outcome(source, "screen", status, "" if found else "no words on a screen", len(found))


def label_pictures(
    library: Library,
    source: Source,
    labeller_there: Callable[[], tuple[Labeller | None, str]] | None,
    told: Told,
) -> Outcome:
    """Store what a recording's keyframes show.

    `labeller_there` returns what names things, or why there is none; without it this is pending.
    """
    keyframes = _keyframes(library, source)
    if not keyframes:
        return outcome(source, "labels", "empty", "no pictures")
    if labeller_there is None:
        return outcome(source, "labels", "pending", "`mmem retry` names what they show")
    labeller, missing = labeller_there()
    recording = _reader_and_file(source)[1] if labeller else None
    how = name_pictures(library, keyframes, recording=recording, labeller=labeller, told=told)
    status: Status = "ok" if labeller else "skipped"
    return outcome(source, "labels", status, missing or how, len(keyframes))


def hear_speech(
    library: Library, source: Source, recogniser: Callable[[], Recogniser] | None, told: Told
) -> Outcome:
    """Store what is said in a recording; a transcript wins over recognition."""
    transcript = transcript_of(source, library)
    recognised = [a for a in library.atoms(source.id) if isinstance(a, Utterance)]
    if transcript is not None:
        library.table("atoms").delete_ids(atom.id for atom in recognised)
        library.drafts.delete(source.id)
        return outcome(source, "speech", "skipped", f"transcript: {transcript.title}")
    if recogniser is None:
        return outcome(source, "speech", "pending", "`mmem retry` recognises the speech")
    reader, path = _reader_and_file(source)
    if not reader.has_sound(path):
        return outcome(source, "speech", "empty", "no sound track that can be decoded")
    model, damage = recogniser(), Damage()
    spoken, rejected = hear(library, source, model, reader, path, damage=damage, told=told)
    library.put_atoms(spoken)
    library.drafts.delete(source.id)
    status: Status = "ok" if spoken else "empty"
    language = f"language: {model.language} ({model.language_basis})"
    reasons = [language] if spoken else ["no speech heard"]
    reasons += [f"{rejected} lines dropped as no speech"] if rejected else []
    if lost := damage.told():
        status = "partial"
        reasons.append(lost)
    return outcome(source, "speech", status, ", ".join(reasons), len(spoken))


def outcome(
    source: Source, stage: str, status: Status, reason: str = "", count: int = 0
) -> Outcome:
    """Return how a stage of a source ended."""
    return Outcome(source_id=source.id, stage=stage, status=status, reason=reason, count=count)


def _keyframes(library: Library, source: Source) -> list[Keyframe]:
    return [atom for atom in library.atoms(source.id) if isinstance(atom, Keyframe)]


def _reader_and_file(source: Source) -> tuple[RecordingReader, Path]:
    """Return a recording's reader and the first of its files that is there and still the same."""
    places = [place for revision in source.revisions for place in revision.locations]
    for revision in source.revisions:
        for place in map(Path, revision.locations):
            if place.is_file() and file_digest(place) == revision.digest:
                reader = reader_named(source.format)
                assert isinstance(reader, RecordingReader)
                return reader, place
    raise MmemError(
        f"{source.title}: its file, as it was, is no longer at {', '.join(places)}",
        hint="`mmem add` it from where it is now",
    )


def _screen_text(
    source: Source, keyframe: Keyframe, lines: Sequence[ReadLine]
) -> Iterator[ScreenText]:
    if not lines:
        return
    kept = tuple(
        ScreenLine(text=line.text, box=line.box, confidence=round(line.confidence, 4))
        for line in lines
    )
    yield ScreenText(
        id=screen_text_id(source.id, keyframe.id),
        source_id=source.id,
        ordinal=keyframe.ordinal,
        locator=f"on screen at {offset(keyframe.time_us)}",
        text=screen_text(kept),
        span=keyframe.shown,
        lines=kept,
        file=keyframe.file,
    )
