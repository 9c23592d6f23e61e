"""Pictures described by a captioner: stored beside the frames, failed and retried, forgotten."""

from __future__ import annotations

import base64
import datetime as dt
import io
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mmem import Memory
from mmem.models.captions import record_of
from mmem.ports import Described, PictureSet
from mmem.schemas import EventFrame, Outcome
from mmem.stores.library import Library
from tests.bodies import quick
from tests.endpoint import Act, ModelServer, refuses, says, serving
from tests.ingestors.film import even, film
from tests.lifecycle.conftest import START, transcript_text

CUES = [
    (1.0, 4.0, "Ada", "The gauge is broken."),
    (45.0, 48.0, "Kit", "I will close the valve."),
]


def colour_of(picture: Any) -> str:
    with Image.open(picture) as image:
        red, _, blue = image.convert("RGB").resize((1, 1)).getpixel((0, 0))
    return "red" if red > blue else "blue"


class Colours:
    """A captioner without weights: it tells the colours of pictures, and counts what it is shown.

    It can't describe what `refused` names.
    """

    def __init__(self, revision: str = "1", *, refused: str = "") -> None:
        self.identity = f"colours {revision}"
        self.shown: list[tuple[str, ...]] = []
        self._refused = refused

    def describe_all(self, sets: Iterable[PictureSet]) -> Iterator[Described]:
        for pictures in sets:
            colours = tuple(map(colour_of, pictures.files))
            self.shown.append(colours)
            if self._refused and self._refused in colours:
                yield Described(None, f"{self._refused} is too much")
                continue
            scene = "kitchen" if colours[0] == "red" else "outdoors"
            words = f"It is {' then '.join(colours)}."
            yield Described(record_of(words, scene=scene, objects=[f"{colours[0]} thing"]))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of 100 seconds: red, blue from 75 s; its pictures in four anchors are two."""
    path = tmp_path_factory.mktemp("film") / "valve.mp4"
    return film(path, even(["red"] * 75 + ["blue"] * 25, fps=1), [])


@pytest.fixture
def clip(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


def words_beside(clip: Path) -> Path:
    path = clip.with_suffix(".vtt")
    path.write_text(transcript_text(CUES))
    return path


def opened(folder: Path, captioner: object | None = None) -> Memory:
    return Memory(folder, **{**quick(), "captioner": captioner})


def stage(memory: Memory, name: str = "captions") -> Outcome:
    (found,) = [o for o in memory.outcomes() if o.stage == name]
    return found


def told(memory: Memory, **given: Any) -> list[str]:
    return [frame.visual_record.keyframe_caption for frame in frames(memory, **given)]


def frames(memory: Memory, **given: Any) -> list[EventFrame]:
    """The film's frames in the order of its anchors."""
    place = {unit.id: number for number, unit in enumerate(memory.units("valve.mp4"))}
    return sorted(memory.frames("valve.mp4", **given), key=lambda f: place[f.unit_ids[0]])


def test_what_is_seen_lies_beside_what_is_told(clip: Path, tmp_path: Path) -> None:
    """Law 4: before or after its transcript, one state; the same pictures are described once.

    A frame that is read anew keeps what was seen, and neither record has a word of the other.
    """
    seer = Colours()
    with opened(tmp_path / "late", seer) as memory:
        memory.add(clip)
        alone = memory.state_digest()
        assert (stage(memory).status, stage(memory).count) == ("ok", 4)
        assert sorted(seer.shown) == [("blue",), ("red",), ("red", "blue")]
        memory.add(words_beside(clip))
        late = memory.state_digest()
        first, *_ = frames(memory)
        assert told(memory) == ["It is red."] * 2 + ["It is red then blue.", "It is blue."]
        assert "gauge" in first.text_record.fine_caption
        assert first.extractor.endswith(", pictures by colours 1")
        assert "red" not in first.text_record.canonical()
        assert "gauge" not in first.visual_record.canonical()
        assert len(seer.shown) == 3
        (view,) = memory.views("3min")
        assert view.scene is not None and view.scene.dominant == "kitchen"
        assert [(s.label, s.share) for s in view.scene.distribution] == [
            ("kitchen", 0.75),
            ("outdoors", 0.25),
        ]
    with opened(tmp_path / "both", Colours()) as memory:
        memory.add(words_beside(clip), clip)
        assert memory.state_digest() == late
    with opened(tmp_path / "late") as memory:
        memory.forget(source="valve.vtt")
        memory.retry()
        assert memory.state_digest() == alone and stage(memory).status == "ok"


def test_a_forgotten_recording_takes_what_was_seen_along(
    clip: Path, chat: Callable, tmp_path: Path
) -> None:
    """Law 5: the receipt tells of the layer, and the state is that of a memory without it."""
    talk = chat("Lou", [(0, "Kit", "the kettle is blue")])
    with opened(tmp_path / "never", Colours()) as memory:
        memory.add(talk)
        never = memory.state_digest()
    with opened(tmp_path / "m", Colours()) as memory:
        memory.add(talk, clip)
        assert Library.open(memory.folder).seen.marks()
        receipt = memory.forget(source="valve.mp4")
        lines = {line.layer: line for line in receipt.lines}
        seen = lines["what was seen on pictures"]
        assert (seen.found_before, seen.verdict, receipt.complete) == (4, "erased", True)
        assert memory.state_digest() == never


def test_another_captioner_sees_anew_and_none_takes_nothing_away(
    clip: Path, tmp_path: Path
) -> None:
    """What one wrote stays until another writes it anew; a stage that lacks one opens with one."""
    with opened(tmp_path / "m") as memory:
        memory.add(clip)
        assert not [o for o in memory.outcomes() if o.stage == "captions"]
        plain = told(memory)
        assert plain[0] == "Colours: red." and memory.views("3min")[0].scene is None
    with opened(tmp_path / "m", Colours(refused="blue")) as memory:
        (report,) = memory.retry()
        assert report.failed and stage(memory).status == "partial"
        assert "2 units" in stage(memory).reason and "blue is too much" in stage(memory).reason
        assert told(memory) == ["It is red."] * 2 + plain[2:]
    with opened(tmp_path / "m") as memory:
        memory.add(words_beside(clip))
        assert (stage(memory).status, stage(memory).count) == ("skipped", 2)
        assert told(memory)[0] == "It is red."
        assert memory.retry() == []
    with opened(tmp_path / "m", Colours("2", refused="red")) as memory:
        memory.retry()
        assert (stage(memory).status, stage(memory).count) == ("partial", 1)
        assert told(memory) == ["It is red.", "It is red.", plain[2], "It is blue."]
    with opened(tmp_path / "m", Colours("2")) as memory:
        (report,) = memory.retry()
        assert not report.failed and stage(memory).status == "ok"
        assert all("colours 2" in frame.extractor for frame in frames(memory))


def test_a_part_of_a_unit_shows_what_was_seen_of_that_part(clip: Path, tmp_path: Path) -> None:
    """Laws 6 and 7: hidden words leave what was seen; a hidden picture takes it away."""
    with opened(tmp_path / "m", Colours()) as memory:
        memory.add(words_beside(clip), labels=["private"])
        memory.add(clip, recorded_at=START)
        later = START + dt.timedelta(seconds=80)
        cut = frames(memory, as_of=later)[-1]
        assert "then" not in cut.visual_record.keyframe_caption
        assert cut.visual_record.scene == "" and "colours 1" not in cut.extractor
    with Memory(tmp_path / "m", labels=[], **quick()) as guest:
        first, *_ = frames(guest)
        assert first.visual_record.keyframe_caption == "It is red."
        assert first.text_record.fine_caption == ""


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Point the environment at a server that sees; other settings by name."""

    def point(server: ModelServer, **more: str) -> None:
        named = {
            "MMEM_VISION_MODEL": "sees",
            "MMEM_VISION_BASE_URL": server.base_url,
            "MMEM_LLM_RETRIES": "0",
            "MMEM_LLM_CACHE": "off",
        }
        for name, value in {**named, **more}.items():
            monkeypatch.setenv(name, value)

    return point


def reply(body: dict[str, Any]) -> Act:
    """Say what is on the first picture."""
    url = body["messages"][1]["content"][1]["image_url"]["url"]
    colour = colour_of(io.BytesIO(base64.b64decode(url.split(",")[1])))
    told = {"scene": "screen", "caption": f"A {colour} screen.", "objects": [f"{colour} screen"]}
    return says(json.dumps(told), usage=(900, 50))


def test_no_line_is_ever_sent_with_the_pictures(clip: Path, tmp_path: Path, use: Callable) -> None:
    """Law: of a unit that has words too, the server gets pictures alone; the cost is told."""
    with serving(by=reply) as server, opened(tmp_path / "m") as memory:
        use(server, MMEM_VISION_PRICE_IN="1", MMEM_VISION_PRICE_OUT="2")
        assert not any(report.failed for report in memory.add(words_beside(clip), clip))
        assert len(server.asked) == 3
        for body in server.bodies:
            sent = json.dumps(body)
            assert not [w for _, _, who, said in CUES for w in (who, said) if w in sent]
            assert "valve" not in sent and "image_url" in sent
        assert told(memory)[0] == "A red screen."
        cost = stage(memory).cost
        assert (cost.calls, cost.tokens) == (3, 2850)
        assert cost.money == pytest.approx(3 * (900 + 100) / 1e6)
        memory.add(clip)
        assert len(server.asked) == 3


OF_NO_USE: list[tuple[Act, str]] = [
    (says("What a nice picture!"), "no JSON"),
    (says('{"scene": "screen", "caption": "A red', finish="length"), "cut off"),
    (says(None, refusal="I can't help with that"), "declines"),
    (refuses(500, "out of memory"), "HTTP 500"),
    (says('{"scene": 4, "caption": ["x"], "objects": {"a": 1}}'), "PicturesReply"),
    (refuses(401, "no such key"), "MMEM_VISION_API_KEY"),
]


def test_a_reply_of_no_use_loses_nothing(tmp_path: Path, use: Callable) -> None:
    """Laws 1 and 9: the record by rule stays, the stage says why it failed, `retry` does it."""
    short = film(tmp_path / "valve.mp4", even(["red"] * 4, fps=2), [])
    bad: list[Act] = [OF_NO_USE[0][0]]
    with (
        serving(by=lambda body: bad[0] if bad else reply(body)) as server,
        opened(tmp_path / "m") as memory,
    ):
        use(server)
        assert memory.add(short)[0].failed
        for act, reason in OF_NO_USE:
            bad[0] = act
            assert memory.retry()[0].failed
            assert stage(memory).status == "failed" and reason in stage(memory).reason
            assert {stage(memory, s).status for s in ("frames", "units", "vectors")} == {"ok"}
            assert told(memory) == ["Colours: red."]
        bad.clear()
        assert not memory.retry()[0].failed
        assert told(memory) == ["A red screen."]


def test_a_cap_keeps_what_was_described(
    clip: Path, tmp_path: Path, use: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cap on money or calls ends the stage; the rest of the source is there, `retry` goes on."""
    prices = {"MMEM_LLM_PRICE_IN": "1000", "MMEM_LLM_PRICE_OUT": "1000"}
    with serving(by=reply) as server, opened(tmp_path / "m") as memory:
        use(server, **prices)
        memory.add(clip, max_cost=1.0)
        assert "one more call may pass the cap" in stage(memory).reason and not server.asked
        use(server, MMEM_LLM_MAX_CALLS="2", MMEM_LLM_CONCURRENCY="1")
        memory.retry()
        assert stage(memory).status == "failed" and "2 calls" in stage(memory).reason
        assert stage(memory, "vectors").status == "ok"
        monkeypatch.delenv("MMEM_LLM_MAX_CALLS")
        memory.retry()
        assert stage(memory).status == "ok" and len(server.asked) == 3


def test_what_is_seen_is_searched(clip: Path, tmp_path: Path) -> None:
    """Words that only a captioner said find the anchor, at once or after a retry: one state."""
    with opened(tmp_path / "m", Colours()) as memory:
        memory.add(clip, recorded_at=START)
        found = memory.search("an outdoors scene with a blue thing").hits[0]
        assert (found.start_s, found.channels["lexical"] > 0) == (90.0, True)
        at_once = memory.state_digest()
        early = memory.search("outdoors", as_of=START + dt.timedelta(seconds=80))
        assert not any(hit.channels.get("lexical") for hit in early.hits)
    with opened(tmp_path / "late", Colours(refused="blue")) as memory:
        memory.add(clip, recorded_at=START)
        assert stage(memory).status == "partial"
    with opened(tmp_path / "late", Colours()) as memory:
        memory.retry()
        assert memory.state_digest() == at_once
