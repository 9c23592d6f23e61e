"""Make the stand-up of the samples: `standup.mp4` and `standup.vtt`.

    python samples/make_samples.py [FOLDER]      (default: the folder of this file)

Needs the programs espeak-ng (1.51) and ffmpeg (5.1, with libx264), the fonts of Debian's
fonts-dejavu, and Pillow. Speech is made line by line, cut at its first and last audible sample
and laid at a whole tenth of a second, so that the cue times follow from the sound itself. No
randomness and no clock is read: the same versions of the programs give the same bytes; other
versions may give other sizes and cue ends, never other words or other slide changes.

The chat (`team-chat.txt`) and the questions (`questions.json`) are written by hand; the seconds
in the questions are those of this script's output.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import wave
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

RECORDED_AT = "2025-11-18T09:30:00Z"  # a Tuesday; the chat's local time is UTC too (London)
DURATION_S = 120
SIZE_PX = (854, 480)
FRAMES_PER_S = 10
GOP_S = 2
RATE_HZ = 22050  # what espeak-ng writes
FIRST_LINE_AFTER_S = 0.6  # of a slide
GAP_S = 0.4  # between two lines; tiny.en runs sentences together below this
AUDIBLE = 200  # of 32768; below it espeak-ng's padding counts as silence
FONTS = Path("/usr/share/fonts/truetype/dejavu")

Paint = Callable[[ImageDraw.ImageDraw], None]


@dataclass(frozen=True)
class Voice:
    """An espeak-ng voice: name and variant, words per minute, pitch (0-99)."""

    name: str
    words_per_minute: int
    pitch: int


@dataclass(frozen=True)
class Slide:
    """A picture, the whole second at which it appears, and what is said over it.

    `play` holds a spoken line a row: the speaker's first name, a colon, the words.
    """

    start_s: int
    paint: Paint
    play: str

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the full name of the speaker and the words of each line."""
        for row in self.play.strip().splitlines():
            first_name, text = row.strip().split(": ", 1)
            yield next(name for name in VOICES if name.startswith(first_name)), text


@dataclass(frozen=True)
class Cue:
    """A spoken line; `start` and `end` count samples at RATE_HZ, half-open."""

    speaker: str
    text: str
    start: int
    end: int


VOICES = {
    "Maya Okafor": Voice("en-us+f3", 155, 20),
    "Tomas Lindqvist": Voice("en-us+m3", 155, 25),
    "Priya Nair": Voice("en-gb-x-rp+f2", 140, 90),
}

SPOKEN = {"482": "four eight two", "4,000": "four thousand", "stand-up": "stand up"}
"""Written form -> what the voice is given, where espeak-ng would read the written one badly."""


def font(size_px: int, face: str = "DejaVuSans") -> ImageFont.FreeTypeFont:
    """Return a DejaVu face; raises OSError where fonts-dejavu is not installed."""
    return ImageFont.truetype(str(FONTS / f"{face}.ttf"), size_px)


def bold(size_px: int) -> ImageFont.FreeTypeFont:
    """Return DejaVu Sans Bold."""
    return font(size_px, "DejaVuSans-Bold")


def paint_rows(title: str, *rows: str, bar: str) -> Paint:
    """Return the painter of a plain slide: a coloured title bar over up to five rows."""

    def paint(draw: ImageDraw.ImageDraw) -> None:
        draw.rectangle((0, 0, SIZE_PX[0], 96), fill=bar)
        draw.text((40, 24), title, font=bold(40), fill="white")
        for row, text in enumerate(rows):
            draw.text((48, 128 + 66 * row), text, font=font(32), fill="#1c2733")

    return paint


def paint_ticket(draw: ImageDraw.ImageDraw) -> None:
    """Draw the issue tracker: ticket HARBOR-482 with its error text."""
    draw.rectangle((0, 0, SIZE_PX[0], 54), fill="#30363d")
    draw.text((24, 12), "Issue tracker", font=font(25), fill="white")
    draw.text((40, 76), "HARBOR-482", font=bold(38), fill="#0550ae")
    draw.rounded_rectangle((640, 78, 814, 122), 10, fill="#cf222e")
    draw.text((668, 85), "CRITICAL", font=bold(24), fill="white")
    draw.text((40, 136), "Two boats get the same berth", font=bold(36), fill="#1f2328")
    draw.rectangle((40, 204, 814, 306), fill="#ffebe9", outline="#cf222e", width=2)
    red, mono = "#82071e", font(28, "DejaVuSansMono")
    draw.text((60, 218), "DuplicateBookingError:", font=mono, fill=red)
    draw.text((60, 258), "berth B17 is already taken", font=mono, fill=red)
    for row, text in enumerate(("Reported by: Marina Lisbon", "Status: open", "Assignee: nobody")):
        draw.text((40, 326 + 48 * row), text, font=font(30), fill="#1f2328")


def paint_terminal(draw: ImageDraw.ImageDraw) -> None:
    """Draw the terminal with the log of the night import."""
    draw.rectangle((0, 0, *SIZE_PX), fill="#10151c")
    draw.rectangle((0, 0, SIZE_PX[0], 46), fill="#2d333b")
    draw.text((24, 9), "ops@harbor-2: tail import.log", font=font(24), fill="#e6edf3")
    log = (
        ("02:14:01 night import started", "#9be9a8"),
        ("02:14:40 tide service: no answer", "#f2cc60"),
        ("02:14:41 warning: retry 3 of 3", "#f2cc60"),
        ("02:15:11 error: timeout after 30 s", "#ff9492"),
        ("02:15:11 error: 1240 rows skipped", "#ff9492"),
        ("02:15:12 night import stopped", "#9be9a8"),
    )
    for row, (text, colour) in enumerate(log):
        draw.text((30, 74 + 64 * row), text, font=font(31, "DejaVuSansMono-Bold"), fill=colour)


def paint_dashboard(draw: ImageDraw.ImageDraw) -> None:
    """Draw the dashboard: four tiles with last week's numbers."""
    draw.rectangle((0, 0, *SIZE_PX), fill="#dde3ea")
    draw.text((40, 20), "Dashboard: week 46", font=bold(36), fill="#1c2733")
    tiles = (
        ("Bookings", "1,864", "#1a7f37"),
        ("Failed payments", "23", "#cf222e"),
        ("Page load", "1.8 s", "#9a6700"),
        ("Uptime", "99.4 %", "#0550ae"),
    )
    for place, (label, number, colour) in enumerate(tiles):
        left, top = 40 + 397 * (place % 2), 86 + 192 * (place // 2)
        draw.rounded_rectangle((left, top, left + 377, top + 172), 14, fill="white")
        draw.text((left + 24, top + 18), label, font=font(30), fill="#57606a")
        draw.text((left + 24, top + 70), number, font=bold(64), fill=colour)


SLIDES = (
    Slide(
        0,
        paint_rows(
            "Harbor stand-up",
            "Tuesday, 18 November 2025",
            "1. Bug from the marina",
            "2. Night import",
            "3. Numbers of last week",
            "4. Roadmap and demo",
            bar="#0b4f6c",
        ),
        """
        Maya: Good morning, everyone. Welcome to the stand-up of the Harbor team.
        Maya: We start with the bug that the marina in Lisbon reported.
        """,
    ),
    Slide(
        11,
        paint_ticket,
        """
        Maya: This is ticket 482. Two boats were given the same place on Saturday.
        Tomas: I saw it too. Both captains paid, and one of them had to leave again.
        Tomas: The database accepts the second booking, because nothing locks the first one.
        Maya: This is bad for us. Who can take care of it?
        Priya: I can. I promise to have the fix ready by Wednesday evening.
        Maya: Thank you, Priya. Please call the marina when it works.
        """,
    ),
    Slide(
        41,
        paint_terminal,
        """
        Tomas: Now the night import. Here is the log of the server.
        Tomas: The import stopped, because the tide service did not answer.
        Priya: Did we lose any data?
        Tomas: No, nothing is lost. I will run the import again after lunch.
        Priya: Why was the service silent?
        Tomas: I do not know yet. I will look for the reason today.
        """,
    ),
    Slide(
        64,
        paint_dashboard,
        """
        Maya: Here are the numbers of last week. We had more bookings than ever before.
        Priya: But the payments look worse, and the page is slow on old phones.
        Tomas: How many payments failed?
        Priya: Twenty three. Most of the cards had expired.
        """,
    ),
    Slide(
        80,
        paint_rows(
            "Roadmap",
            "November: refunds",
            "1 December: pilot in Hamburg",
            "January: mobile app",
            "March: second harbor",
            bar="#1a7f37",
        ),
        """
        Maya: Look at the roadmap. The pilot in Hamburg starts on the first of December.
        Tomas: Do we have the money for the trip?
        Maya: Yes. The finance department has approved 4,000 euros.
        Priya: Great. And the mobile app comes in January.
        """,
    ),
    Slide(
        99,
        paint_rows(
            "Customer demo",
            "Friday, 21 November, 14:00",
            "Room: Lighthouse, third floor",
            "Topic: the new calendar",
            "Guests: six harbor masters",
            bar="#6639ba",
        ),
        """
        Maya: The last point. On Friday we show the new calendar to our customers.
        Tomas: I will prepare the slides. Which room is it?
        Maya: We meet in the Lighthouse, on the third floor. Six harbor masters will come.
        Priya: And I will bring a cake.
        Maya: Perfect. That is all. Have a good day!
        """,
    ),
)


def run(*command: str | Path) -> None:
    """Run a program; raises CalledProcessError when it fails, FileNotFoundError when missing."""
    subprocess.run([str(part) for part in command], check=True)


def speak(speaker: str, text: str, *, scratch: Path) -> array[int]:
    """Return `text` in the voice of `speaker`: 16-bit mono samples, silence cut at both ends."""
    for written, spoken in SPOKEN.items():
        text = text.replace(written, spoken)
    voice, path = VOICES[speaker], scratch / "line.wav"
    rate, pitch = f"-s{voice.words_per_minute}", f"-p{voice.pitch}"
    run("espeak-ng", f"-v{voice.name}", rate, pitch, "-w", path, text)
    with wave.open(str(path)) as wav:
        if (wav.getframerate(), wav.getnchannels(), wav.getsampwidth()) != (RATE_HZ, 1, 2):
            raise ValueError(f"espeak-ng wrote {wav.getparams()}, expected mono {RATE_HZ} Hz")
        samples = array("h", wav.readframes(wav.getnframes()))
    audible = [place for place, sample in enumerate(samples) if abs(sample) > AUDIBLE]
    return samples[audible[0] : audible[-1] + 1]


def lay_out(scratch: Path) -> tuple[array[int], list[Cue]]:
    """Return the whole sound and its cues; raises ValueError if a slide is too short."""
    sound, cues = array("h", bytes(2 * DURATION_S * RATE_HZ)), []
    for slide, end_s in timeline():
        start = slide.start_s * RATE_HZ + int(FIRST_LINE_AFTER_S * RATE_HZ)
        for speaker, text in slide.lines():
            speech = speak(speaker, text, scratch=scratch)
            cue = Cue(speaker, text, start, start + len(speech))
            sound[cue.start : cue.end] = speech
            cues.append(cue)
            start = math.ceil(10 * (cue.end / RATE_HZ + GAP_S)) * RATE_HZ // 10
        if cues[-1].end > end_s * RATE_HZ:
            raise ValueError(f"speech ends at {cues[-1].end / RATE_HZ:.1f} s, slide at {end_s} s")
    return sound, cues


def timeline() -> Iterator[tuple[Slide, int]]:
    """Yield each slide with the second at which it ends."""
    ends = [slide.start_s for slide in SLIDES[1:]] + [DURATION_S]
    yield from zip(SLIDES, ends, strict=True)


def clock(samples: int) -> str:
    """Return a WebVTT time.

    >>> clock(RATE_HZ * 61 + RATE_HZ // 2)
    '00:01:01.500'
    """
    milliseconds = round(1000 * samples / RATE_HZ)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"00:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"


def transcript(cues: list[Cue]) -> str:
    """Return WebVTT with voice tags, one cue a line of speech."""
    blocks = [
        f"{number}\n{clock(cue.start)} --> {clock(cue.end)}\n<v {cue.speaker}>{cue.text}</v>\n"
        for number, cue in enumerate(cues, 1)
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def write_sound(path: Path, sound: array[int]) -> None:
    """Write mono 16-bit PCM."""
    with wave.open(str(path), "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(RATE_HZ)
        wav.writeframes(sound.tobytes())


def write_pictures(scratch: Path) -> Path:
    """Draw every slide once and return ffmpeg's list of pictures with their seconds."""
    entries = ["ffconcat version 1.0"]
    for slide, end_s in timeline():
        picture = Image.new("RGB", SIZE_PX, "#f6f8fa")
        slide.paint(ImageDraw.Draw(picture))
        path = scratch / f"at{slide.start_s:03}.png"
        picture.save(path)
        entries += [f"file {path.name}", f"duration {end_s - slide.start_s}"]
    entries.append(f"file {path.name}")  # the concat reader drops the last duration otherwise
    listing = scratch / "slides.ffconcat"
    listing.write_text("\n".join(entries) + "\n", encoding="utf-8")
    return listing


def encode(listing: Path, sound: Path, *, target: Path) -> None:
    """Write H.264 + AAC in MP4, a key frame every GOP_S seconds, its start in `creation_time`."""
    gop = GOP_S * FRAMES_PER_S
    video = f"-c:v libx264 -preset slow -tune stillimage -crf 29 -pix_fmt yuv420p -g {gop}"
    gops = f"-keyint_min {gop} -sc_threshold 0"
    sameness = "-map_metadata -1 -threads 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact"
    options = f"-vf fps={FRAMES_PER_S} -t {DURATION_S} {video} {gops} -c:a aac -b:a 48k {sameness}"
    tags = ("-metadata", f"creation_time={RECORDED_AT}", "-metadata", "title=Harbor stand-up")
    inputs = ("-v", "error", "-y", "-f", "concat", "-i", listing, "-i", sound)
    run("ffmpeg", *inputs, *options.split(), *tags, target)


def make(folder: Path) -> None:
    """Write `standup.mp4` and `standup.vtt` into `folder`."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        sound, cues = lay_out(scratch)
        write_sound(scratch / "sound.wav", sound)
        encode(write_pictures(scratch), scratch / "sound.wav", target=folder / "standup.mp4")
    (folder / "standup.vtt").write_text(transcript(cues), encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
