"""Evidence made by hand: a chat or a recording as a few lines of text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from mmem.schemas import Citation, Evidence, Hit, Line, Trace
from mmem.schemas.clock import wall_us

START = dt.datetime(2023, 5, 24, 16, 10)
Told = tuple[str, str] | tuple[str, str, dt.datetime]


def message(number: int, speaker: str | None, text: str, at: dt.datetime | None) -> Line:
    """Return one message of a chat as a line."""
    citation = Citation(
        atom_id=f"m-{number}",
        unit_id=f"p-{number}",
        source_id="s-chat",
        source_title="chat.txt",
        kind="turn",
        speaker=speaker,
        quote=text,
        chars=(0, len(text)) if text else None,
        at=at.isoformat() if at else None,
        at_confidence="stated" if at else "unknown",
        locator=f"message {number}",
    )
    return Line(citation=citation, text=text, wall_us=wall_us(at) if at else None)


def hit(line: Line, score: float) -> Hit:
    """Return a hit of one line."""
    cited = line.citation
    return Hit(
        unit_id=cited.unit_id,
        kind="passage",
        source_id=cited.source_id,
        source_title=cited.source_title,
        speaker=cited.speaker,
        session="1",
        score=score,
        lines=(line,),
    )


def chat(question: str, *told: Told) -> Evidence:
    """Return evidence of messages, a minute apart unless they carry a time, all equally ranked."""
    hits = []
    for number, (speaker, text, *at) in enumerate(told):
        moment = at[0] if at else START + dt.timedelta(minutes=number)
        hits.append(hit(message(number, speaker, text, moment), 1.0))
    return Evidence(question=question, hits=tuple(hits), trace=Trace(question=question))


def recording(
    question: str, spoken: Sequence[tuple[float, str, str]], shown: Sequence[tuple[float, str]]
) -> Evidence:
    """Return evidence of one stretch of a recording: (second, speaker, text), (second, words)."""
    ends = [*(at_s for at_s, _ in shown[1:]), 120.0]
    screens = tuple(
        Line(
            citation=Citation(
                atom_id=f"t-{at_s}",
                unit_id="a-0",
                source_id="s-mp4",
                source_title="standup.mp4",
                kind="screen",
                start_s=at_s,
                end_s=end_s,
                picture=f"{at_s}.jpg",
            ),
            text=words,
        )
        for (at_s, words), end_s in zip(shown, ends, strict=False)
    )
    lines = tuple(
        Line(
            citation=Citation(
                atom_id=f"u-{at_s}",
                unit_id="a-0",
                source_id="s-vtt",
                source_title="standup.vtt",
                kind="utterance",
                speaker=speaker,
                start_s=at_s,
                end_s=at_s + 3,
            ),
            text=text,
        )
        for at_s, speaker, text in spoken
    )
    pictures = tuple(
        Citation(
            atom_id=f"k-{at_s}",
            unit_id="a-0",
            source_id="s-mp4",
            source_title="standup.mp4",
            kind="keyframe",
            start_s=at_s,
            end_s=at_s,
            picture=f"{at_s}.jpg",
        )
        for at_s, _ in shown
    )
    anchor = Hit(
        unit_id="a-0",
        kind="anchor",
        source_id="s-mp4",
        source_title="standup.mp4",
        session="1",
        score=1.0,
        lines=lines + screens,
        keyframes=pictures,
        caption="Words on the screen.",
    )
    trace = Trace(question=question)
    return Evidence(question=question, hits=(anchor,), keyframes=pictures, trace=trace)
