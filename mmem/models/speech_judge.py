"""What Whisper writes where nobody speaks, told from what was said."""

from __future__ import annotations

import bisect
import re
import zlib
from collections import Counter

from mmem.ports import Heard

# Whisper's own rule for silence (Radford et al. 2022, section 4.5).
_NO_SPEECH = 0.6
_UNSURE_LOGPROB = -1.0
_MOST_COMPRESSION = 2.4
# Lines that its training on subtitles makes it write over noise (openai/whisper #928, #1783;
# whisperX #820). A person says some of them too: they go only when the model itself is in doubt.
_INVENTED = frozenset(
    """
    you|thank you|thanks|thank you very much|thank you so much|thanks for watching
    |thank you for watching|thank you for listening|please subscribe|subscribe
    |like and subscribe|please subscribe to my channel|bye|bye bye|goodbye|the end|so|oh
    |i'm sorry|we'll be right back|see you next time|see you in the next video
    |subtitles by the amara org community|transcription by castingwords|music|applause|silence
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_DOUBT_NO_SPEECH = 0.3
_DOUBT_LOGPROB = -0.4
_DOUBT_WORD = 0.5
_MOST_EQUAL = 2
_SHARED_WORDS = 0.6
_LATE_US = 1_000_000
_OVERLAP_US = 200_000
_ASIDE = re.compile(r"[\[(*♪♫][^\])*♪♫]*[\])*♪♫]?")
_HUM = re.compile(r"m+|m*h+m+|u+h+|u+m+|a+h+|o+h+|h+uh+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def words_of(text: str) -> list[str]:
    """Return the words of a line in lower case.

    >>> words_of("[Music] I'm here...")
    ["i'm", 'here']
    """
    return _WORD.findall(_ASIDE.sub(" ", text).casefold().replace("’", "'"))


def reason_against(text: str, *, no_speech: float, logprob: float, certainty: float) -> str | None:
    """Return why a line is held to be no speech, or None.

    `no_speech` is the model's probability of silence and `logprob` the mean log probability of
    its tokens, both over the piece of sound that the line is from; `certainty` is the mean
    probability of the line's own words.
    """
    words = words_of(text)
    if not words:
        return "no words"
    if no_speech > _NO_SPEECH and logprob < _UNSURE_LOGPROB:
        return "no speech"
    if is_loop(text):
        return "repetition"
    doubt = no_speech > _DOUBT_NO_SPEECH or logprob < _DOUBT_LOGPROB or certainty < _DOUBT_WORD
    hum = all(_HUM.fullmatch(word) for word in words)
    if doubt and (hum or " ".join(words) in _INVENTED):
        return "a phrase invented in silence"
    return None


def is_loop(text: str) -> bool:
    """Tell whether a line repeats itself as a stuck decoder does.

    >>> is_loop("no no no"), is_loop("and so on, " * 12)
    (False, True)
    """
    data = text.encode()
    if len(data) > 60 and len(data) / len(zlib.compress(data)) > _MOST_COMPRESSION:
        return True
    words = words_of(text)
    return len(words) >= 8 and len(set(words)) * 4 <= len(words)


class Echoes:
    """Counts equal lines in a row: a third one is the decoder's echo, not a person's."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._count = 0

    def is_echo(self, text: str) -> bool:
        """Take the next line; tell whether it is at least the third equal one of three words."""
        words = words_of(text)
        self._count = self._count + 1 if words == self._line else 1
        self._line = words
        return self._count > _MOST_EQUAL and len(words) >= 3


class Elsewhere:
    """Tells lines that an earlier lane of the same recording has already.

    A line that begins clearly before the last one ended begins another lane.
    """

    def __init__(self) -> None:
        self._earlier: list[Heard] = []
        self._lane: list[Heard] = []

    def is_there(self, line: Heard) -> bool:
        """Take the next line; tell whether an earlier lane says most of it at the same time."""
        if self._lane and line.start_us < self._lane[-1].end_us - _OVERLAP_US:
            self._earlier = sorted([*self._earlier, *self._lane], key=_start)
            self._lane = []
        said = Counter[str]()
        end = bisect.bisect_right(self._earlier, line.end_us + _LATE_US, key=_start)
        for other in self._earlier[max(0, end - 50) : end]:
            if other.end_us + _LATE_US > line.start_us:
                said.update(words_of(other.text))
        words = Counter(words_of(line.text))
        if said and (words & said).total() >= _SHARED_WORDS * words.total():
            return True
        self._lane.append(line)
        return False


def _start(line: Heard) -> int:
    return line.start_us
