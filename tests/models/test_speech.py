from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.errors import ConfigError, MissingExtra
from mmem.ingestors.sound import sound_windows
from mmem.models.ahead import ahead
from mmem.models.speech import FasterWhisper
from mmem.models.speech_islands import MOST_SAMPLES, RATE_HZ, Island, Piece, pieces
from mmem.models.speech_judge import Echoes, Elsewhere, reason_against
from mmem.models.speech_lines import LONGEST_LINE_US, Word, lines_of
from mmem.models.speech_weights import tiny_en_folder
from mmem.ports import FloatArray, Heard, SoundWindow, Stretch

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="module")
def whisper() -> FasterWhisper:
    try:
        tiny_en_folder()
    except MissingExtra as error:
        pytest.skip(str(error))
    return FasterWhisper()


def said(
    whisper: FasterWhisper, windows: Iterable[SoundWindow], known: Sequence[Stretch] = ()
) -> list[Heard]:
    """Return the lines that are held to be speech."""
    return [line for stretch in whisper.recognise(windows, known=known) for line in stretch.said]


def _island(start_us: int, end_us: int) -> Island:
    samples = np.ones((end_us - start_us) * RATE_HZ // 1_000_000, np.float32)
    return Island(start_us=start_us, end_us=end_us, from_us=start_us, samples=samples)


ISLANDS = st.lists(
    st.tuples(st.integers(1, 60_000), st.integers(1, 29_000)), min_size=1, max_size=30
).map(
    lambda steps: [
        _island(1000 * (end - voice), 1000 * end)
        for end, voice in zip(
            itertools.accumulate(gap + voice for gap, voice in steps),
            [voice for _, voice in steps],
            strict=True,
        )
    ]
)


@given(ISLANDS)
def test_pieces_hold_every_island_once_and_fit(found: list[Island]) -> None:
    """Packing keeps order and sound, and no piece is longer than the network's 30 s."""
    packed = list(pieces(found))
    assert [island for piece in packed for island in piece.islands] == found
    for piece in packed:
        assert piece.size <= MOST_SAMPLES
        assert piece.sound.sum() == sum(len(island.samples) for island in piece.islands)


@given(ISLANDS, st.floats(0, 1), st.floats(0, 1))
def test_times_are_mapped_into_voice(found: list[Island], one: float, other: float) -> None:
    """Any stretch of a piece lies, on the media clock, within the voice of one island."""
    piece = Piece.of(found[:3])
    start, end = sorted((int(one * piece.size), int(other * piece.size)))
    first, last = piece.media_us(start, end)
    assert first <= last
    assert any(island.start_us <= first and last <= island.end_us for island in piece.islands)


WORDS = st.lists(
    st.tuples(
        st.integers(0, 4_000_000),
        st.integers(0, 3_000_000),
        st.sampled_from([" Yes.", " Dr.", " no", ",", " 3.5", " why?", " well", "-known", " ..."]),
    ),
    max_size=80,
)


@given(WORDS)
def test_lines_keep_every_word_in_order(steps: list[tuple[int, int, str]]) -> None:
    """Lines are a partition of the words, in order; a line of several words has at most 8 s."""
    words, at = [], 0
    for gap, length, text in steps:
        words.append(Word(text, at + gap, at + gap + length, 0.9))
        at += gap + length
    lines = list(lines_of(words))
    assert [word for line in lines for word in line.words] == words
    for line in lines:
        heard = line.heard
        assert heard.start_us < heard.end_us
        assert len(line.words) == 1 or heard.end_us - heard.start_us <= LONGEST_LINE_US + 1


@pytest.mark.parametrize(
    ("text", "no_speech", "logprob", "certainty", "reason"),
    [
        ("We ship on Friday.", 0.1, -0.3, 0.9, None),
        ("Thank you.", 0.1, -0.3, 0.9, None),
        ("Thank you.", 0.5, -0.3, 0.9, "a phrase invented in silence"),
        ("Thank you.", 0.1, -0.5, 0.9, "a phrase invented in silence"),
        ("Thanks for watching!", 0.1, -0.9, 0.9, "a phrase invented in silence"),
        ("Mmm.", 0.6, -0.7, 0.3, "a phrase invented in silence"),
        ("Anything at all", 0.8, -1.2, 0.9, "no speech"),
        ("...", 0.0, 0.0, 1.0, "no words"),
        ("[Music] ♪♪", 0.0, 0.0, 1.0, "no words"),
        ("and then and then " * 8, 0.0, -0.1, 1.0, "repetition"),
        ("Ναι, αύριο.", 0.1, -0.3, 0.9, None),
    ],
)
def test_what_is_held_to_be_no_speech(
    text: str, no_speech: float, logprob: float, certainty: float, reason: str | None
) -> None:
    """A phrase that a person may say goes only when the model is in doubt itself."""
    found = reason_against(text, no_speech=no_speech, logprob=logprob, certainty=certainty)
    assert found == reason


def test_a_third_equal_line_is_an_echo() -> None:
    """People repeat themselves once; short answers are never echoes."""
    echoes = Echoes()
    assert [echoes.is_echo("I will do that") for _ in range(4)] == [False, False, True, True]
    assert not any(echoes.is_echo("No.") for _ in range(5))


def test_a_line_of_another_lane_is_told_once() -> None:
    """What two tracks have at the same time is one line; other words at that time are another."""
    elsewhere, second = Elsewhere(), 1_000_000
    first = [Heard(n * second, (n + 1) * second, f"number {n} is here") for n in range(3)]
    again = [Heard(n * second + 40_000, (n + 1) * second, f"Number {n} is here.") for n in range(3)]
    other = Heard(4 * second, 5 * second, "something else")
    assert [elsewhere.is_there(line) for line in (*first, *again, other)] == [
        *[False] * 3,
        *[True] * 3,
        False,
    ]
    late = Heard(60 * second, 61 * second, "number 1 is here")
    assert not elsewhere.is_there(late)


def test_two_voices_on_two_channels(whisper: FasterWhisper, shared: Path) -> None:
    """Callers who talk at once, one a channel, are both understood."""
    path = shared / "media" / "audio" / "fasterwhisper_stereo_diarization.wav"
    left, right = said(whisper, sound_windows(path))
    assert "vanished behind the curtain on the left" in left.text
    assert right.text == "The horizon seems extremely distant."


def test_the_same_speech_on_two_tracks_is_heard_once(whisper: FasterWhisper, shared: Path) -> None:
    """A recording with its sound in two encodings has each line once."""
    path = shared / "media" / "video" / "torchcodec_nasa_13013.mp4"
    heard = said(whisper, sound_windows(path))
    assert [line.start_us for line in heard] == sorted(line.start_us for line in heard)
    assert len({line.text for line in heard}) == len(heard)


def test_work_ahead_keeps_order_and_errors() -> None:
    """Items come in order; an error comes where its item would have come; leaving early stops."""

    def items() -> Iterator[int]:
        yield from range(3)
        raise ConfigError("no more")

    seen = []
    with pytest.raises(ConfigError, match="no more"), ahead(items()) as made:
        for item in made:
            seen.append(item)
    assert seen == [0, 1, 2]
    with ahead(iter(range(1000))) as made:
        assert next(made) == 0


def _voice(path: Path) -> FloatArray:
    return np.concatenate([window.samples for window in sound_windows(path)])


def _cut(sound: FloatArray, seconds: float) -> Iterator[SoundWindow]:
    step = int(seconds * RATE_HZ)
    for place in range(0, len(sound), step):
        yield SoundWindow(place * 1_000_000 // RATE_HZ, sound[place : place + step])


def _noise(kind: str) -> FloatArray:
    at = np.arange(40 * RATE_HZ) / RATE_HZ
    rng = np.random.default_rng(1)
    sound = {
        "silence": np.zeros_like(at),
        "hiss": rng.normal(size=len(at)) * 0.02,
        "loud hiss": rng.normal(size=len(at)) * 0.2,
        "hum": 0.3 * np.sin(2 * np.pi * 50 * at),
        "chord": 0.1 * sum(np.sin(2 * np.pi * hz * at) for hz in (220, 277, 330, 440)),
        "melody": 0.3
        * np.sin(2 * np.pi * at * np.repeat(rng.choice([262, 294, 330, 392], 80), RATE_HZ // 2))
        * np.exp(-6 * (at % 0.5)),
    }
    return sound[kind].astype(np.float32)


@pytest.mark.parametrize("kind", ["silence", "hiss", "loud hiss", "hum", "chord", "melody"])
def test_nobody_is_heard_where_nobody_speaks(whisper: FasterWhisper, kind: str) -> None:
    """Silence, noise and tones give no line; what the model invents is counted with its reason."""
    (*stretches,) = whisper.recognise(_cut(_noise(kind), 30))
    assert [line for stretch in stretches for line in stretch.said] == []


def test_no_sound_at_all(whisper: FasterWhisper) -> None:
    """No window, or an empty one, is no speech."""
    assert list(whisper.recognise([])) == []
    assert list(whisper.recognise([SoundWindow(0, np.zeros(0, np.float32))])) == []


def test_identity_names_engine_model_and_weights(whisper: FasterWhisper) -> None:
    """The identity of the embedded model is pinned; English is assumed, and said to be."""
    assert whisper.identity == "faster-whisper/tiny.en/int8/1a5afae06a4d"
    assert (whisper.language, whisper.english_only) == ("en", True)
    assert whisper.language_basis == "assumed: the model knows no other"
    german = FasterWhisper("small", language="de")
    assert (german.language, german.language_basis) == ("de", "stated")
    assert FasterWhisper("small").language is None
    assert FasterWhisper("small").language_basis == "detected"


def test_a_model_that_is_not_there_is_named(shared: Path) -> None:
    """A wrong size is a setting that cannot be right, said when there is speech to recognise."""
    sound = sound_windows(shared / "media" / "audio" / "llamafactory_3.flac")
    with pytest.raises(ConfigError, match="enormous"):
        list(FasterWhisper("enormous").recognise(sound))


def test_lines_depend_on_the_sound_alone(whisper: FasterWhisper, shared: Path) -> None:
    """However the sound is cut into windows, the lines are the same."""
    sound = _voice(shared / "media" / "audio" / "fasterwhisper_jfk.flac")
    whole = said(whisper, _cut(sound, 1000))
    assert "country" in whole[-1].text
    assert said(whisper, _cut(sound, 0.73)) == whole


def test_a_break_in_the_sound_moves_what_follows(whisper: FasterWhisper, shared: Path) -> None:
    """A window that starts later than the last one ended is dated by its own start."""
    sound = _voice(shared / "media" / "audio" / "llamafactory_3.flac")
    (alone,) = said(whisper, [SoundWindow(0, sound)])
    both = said(whisper, [SoundWindow(0, sound), SoundWindow(3_600_000_000, sound)])
    assert [line.start_us for line in both] == pytest.approx(
        [alone.start_us, alone.start_us + 3_600_000_000], abs=250_000
    )


def test_progress_rises_to_the_last_voice(whisper: FasterWhisper, shared: Path) -> None:
    """Progress is told in media time and never falls back."""
    path = shared / "media" / "audio" / "fasterwhisper_jfk.flac"
    told = [stretch.done_us for stretch in whisper.recognise(sound_windows(path))]
    assert told == sorted(told) and 9_000_000 < told[-1] <= 11_000_000


def test_a_broken_run_goes_on_where_it_was(whisper: FasterWhisper) -> None:
    """What an earlier run had is not recognised again, and the rest comes out the same.

    Two lanes of the same 5 minutes: the second one's lines are known from the first.
    """
    voice = _voice(SAMPLES / "standup.mp4")[: 60 * RATE_HZ]
    lane = np.concatenate([voice] * 5)
    sound = [SoundWindow(0, lane), SoundWindow(0, lane)]
    whole = list(whisper.recognise(sound))
    assert len(whole) > 2
    reasons = [line.rejected for line in whole[-1].lines]
    assert reasons and all(reasons)
    for done in (1, len(whole) - 1):
        assert list(whisper.recognise(sound, known=whole[:done])) == whole
    unloaded = FasterWhisper()
    assert list(unloaded.recognise(sound, known=whole)) == whole
    assert "_pipeline" not in vars(unloaded)


CASES = {
    "o01-vfr-gap/screen.mp4": [(4.0, "budget"), (40.0, "open"), (74.0, "schedule")],
    "o02-no-audio-track/batch/02-with-voice.mp4": [(1.5, "delivery")],
    "o03-no-index-mp4/inbox/02-complete.mp4": [(1.0, "blue")],
    "o04-silent-recording/left-running.m4a": [],
    "o05-long-silence-gap/council.m4a": [(2.0, "wait"), (80.0, "bridge"), (124.0, "carried")],
    "os1-webm-no-duration/tab-recording.webm": [(6.5, "ticket")],
}


@pytest.mark.parametrize("name", CASES)
def test_field_cases(whisper: FasterWhisper, shared: Path, name: str) -> None:
    """o01 to o05, os1: what is said is found at its second, across silences and gaps."""
    heard = said(whisper, sound_windows(shared / "cases" / name))
    assert len(heard) == len(CASES[name])
    for line, (start_s, word) in zip(heard, CASES[name], strict=True):
        assert line.start_us / 1e6 == pytest.approx(start_s, abs=1.0)
        assert line.end_us - line.start_us <= 8_000_000
        assert word in line.text.casefold()


SPOKEN = {
    "audio/fasterwhisper_jfk.flac": "what your country can do for you",
    "audio/llamafactory_3.flac": "the apostle of the middle classes",
    "audio/haystack_this_is_the_content_of_the_document.wav": "the content of the document",
    "video/docling_sample_10s.mp4": "are in the public domain",
    "video/torchcodec_nasa_13013.mp4": "the webb space telescope",
}


@pytest.mark.parametrize("name", SPOKEN)
def test_real_recordings(whisper: FasterWhisper, shared: Path, name: str) -> None:
    """Well-spoken recordings are heard word for word."""
    heard = said(whisper, sound_windows(shared / "media" / name))
    assert SPOKEN[name] in " ".join(line.text for line in heard).casefold()


def test_a_silent_file(whisper: FasterWhisper, shared: Path) -> None:
    """A silent file gives no line."""
    path = shared / "media" / "audio" / "docling_silent_1s.wav"
    assert list(whisper.recognise(sound_windows(path))) == []
