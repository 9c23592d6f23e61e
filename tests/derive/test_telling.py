"""Units as a reader of grammar wants them."""

from __future__ import annotations

import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from mmem.derive.telling import told_of
from mmem.derive.told import Told
from mmem.derive.units import cut
from mmem.schemas import Atom, Clock, Revision, Source, Span, Turn, Utterance
from mmem.schemas.clock import wall_us

START = wall_us(dt.datetime(2024, 3, 14, 9, 0))


UNDATED = Clock()


def transcript(clock: Clock = UNDATED) -> Source:
    return Source(
        id="s-1",
        kind="transcript",
        key="k",
        title="talk",
        format="webvtt",
        clock=clock,
        revisions=(Revision(digest="d", reader="webvtt", count=1),),
    )


def line(number: int, speaker: str | None, text: str) -> Utterance:
    span = Span(start_us=number * 1_000_000, end_us=number * 1_000_000 + 900_000)
    return Utterance(
        id=f"u-{number}",
        source_id="s-1",
        ordinal=number,
        locator=f"cue {number}",
        speaker=speaker,
        text=text,
        span=span,
    )


def told(source: Source, atoms: list[Utterance] | list[Turn]) -> list[Told]:
    found: list[Atom] = list(atoms)
    return told_of(source, cut(source, found), {atom.id: atom for atom in found})


def test_lines_are_joined_to_sentences_of_one_voice() -> None:
    """A sentence over two cues is one line of both; what is left unfinished tells nothing."""
    atoms = [
        line(0, "Ada", "I think that we"),
        line(1, "Ada", "should wait. But"),
        line(2, "Ada", "not long."),
        line(3, "Kit", "Well"),
        line(4, "Ada", "Fine."),
    ]
    told_lines = [each.lines for each in told(transcript(), atoms)]
    assert [[said.text for said in lines] for lines in told_lines] == [
        ["I think that we should wait. But not long."],
        [],
        ["Fine."],
    ]
    (said,) = told_lines[0]
    assert said.atom_ids == ("u-0", "u-1", "u-2")
    assert (said.speaker, said.others) == ("Ada", ())


def test_earlier_units_of_the_session_come_along() -> None:
    """At most three of them, oldest first; "you" is somebody who has spoken by then."""
    atoms = [line(n, ("Ada", "Kit")[n % 2], f"Number {n}.") for n in range(6)]
    found = told(transcript(), atoms)
    before = [[lines[0].text for lines in each.before] for each in found]
    assert [each.lines[0].others for each in found[:3]] == [(), ("Ada",), ("Kit",)]
    assert before[0] == []
    assert before[5] == ["Number 2.", "Number 3.", "Number 4."]


def test_lines_are_dated_by_the_recordings_clock() -> None:
    """ "Yesterday" is read against the moment at which it was said, in the zone of the place."""
    clock = Clock(at_us=START, zone="+02:00", confidence="stated")
    (each,) = told(transcript(clock), [line(3, "Ada", "It broke yesterday.")])
    (said,) = each.lines
    assert said.at_us == START + 3_900_000
    assert said.zone_us == 2 * 3600 * 1_000_000
    assert each.known_at_us == START + 3_900_000
    (undated,) = told(transcript(), [line(3, "Ada", "It broke yesterday.")])
    assert undated.known_at_us is None and undated.lines[0].at_us is None


texts = st.sampled_from(["I think that we", "should wait.", "Fine!", "Did it", "work?", "ok"])
voices = st.sampled_from(["Ada", "Kit", None])


@settings(deadline=None)
@given(st.lists(st.tuples(voices, texts), min_size=1, max_size=14), st.data())
def test_what_was_told_by_a_moment_is_told_so_ever_after(
    spoken: list[tuple[str | None, str]], data: st.DataObject
) -> None:
    """Law 6: lines of a memory of that moment are the lines whose atoms had all been said."""
    atoms = [line(n, speaker, text) for n, (speaker, text) in enumerate(spoken)]
    moment = data.draw(st.integers(1, len(atoms)))
    early = {said for each in told(transcript(), atoms[:moment]) for said in each.lines}
    known = {atom.id for atom in atoms[:moment]}
    later = {said for each in told(transcript(), atoms) for said in each.lines}
    assert early == {said for said in later if set(said.atom_ids) <= known}
