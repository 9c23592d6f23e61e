"""What outside harnesses load: passages and clips go in, ids come out."""

from __future__ import annotations

from mmem.bench import bootstrap, plug_egolife, receipt
from mmem.bench.plug_locomo import System
from mmem.schemas import Evidence, Step, Trace

DAY1 = 86_400.0


class Asked(str):
    """A question with the options that the harness hangs onto it."""

    choices = ("Ada", "Kit")


def clip(number: int, *lines: tuple[float, float, str]) -> dict[str, object]:
    start = DAY1 + 36_000 + 30 * number
    clock = 100_000_00 + number // 2 * 100_00 + number % 2 * 30_00
    return {
        "id": f"DAY1_A1_JAKE_{clock:08d}",
        "day": 1,
        "start": start,
        "end": start + 30,
        "caption": [(start + a, start + b, text) for a, b, text in lines],
        "transcript": [],
    }


def test_turns_come_back_by_their_ids() -> None:
    """Law: the plug returns the harness's own ids, best first, each once."""
    said = [("D1:1", "Ada", "The boat leaves from pier seven."), ("D1:2", "Kit", "Thanks!")]
    passages = [
        {"id": i, "speaker": who, "text": text, "caption": "", "group": "D1", "time": ""}
        for i, who, text in said
    ]
    system = System()
    found = system.search(system.build(passages), "Where does the boat leave from?", 5)
    assert found[0] == "D1:1"
    assert sorted(found) == ["D1:1", "D1:2"]


def test_only_clips_that_had_ended_come_back() -> None:
    """Law: a clip that had begun is no answer, not even with a caption of no length."""
    clips = [
        clip(0, (1, 3, "I open the red box.")),
        clip(1, (0, 0, "I close the red box."), (5, 9, "I carry the red box.")),
    ]
    index = plug_egolife.build(clips)
    question = Asked("Where is the red box?")
    early = plug_egolife.search(index, question, DAY1 + 36_031, 10)
    late = plug_egolife.search(index, question, DAY1 + 36_060, 10)
    assert [found for found, _ in early] == [clips[0]["id"]]
    assert {found for found, _ in late} == {c["id"] for c in clips}


def test_receipts_count_what_fired_and_changed() -> None:
    """Law: for each mechanism, on how many questions it fired and changed the first ten."""
    steps = (
        Step(name="late", fired=True, changed=True),
        Step(name="age", fired=True, changed=False),
    )
    evidence = Evidence(question="q", trace=Trace(question="q", steps=steps))
    rows = [receipt.asked_of(str(n), "1", ["a", "b"], ["b", "c"], evidence) for n in range(3)]
    assert receipt.mechanisms(rows) == [("age", 3, 0), ("late", 3, 3)]
    assert (rows[0].recall(1), rows[0].all_found(10)) == (0.5, 0.0)


def test_a_difference_that_is_none_has_zero_inside() -> None:
    """Law: equal systems differ by 0, and the interval says so."""
    same = bootstrap.paired([0.0, 1.0] * 40, [1.0, 0.0] * 40)
    assert same.low < 0 < same.high
