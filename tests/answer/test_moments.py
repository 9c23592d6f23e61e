"""What a language model is told of a recording beside its records, and that nothing cites it."""

from __future__ import annotations

from typing import Any

import pytest

from mmem.answer.answer_prompts import answer_request
from mmem.answer.given import records_of
from mmem.answer.written import write
from mmem.models.llm import ChatModel
from mmem.models.llm_endpoint import Endpoint
from mmem.schemas import (
    Answer,
    CriticalLine,
    EventFrame,
    Evidence,
    Quadruple,
    SemanticFact,
    TextRecord,
    View,
    VisualRecord,
)
from mmem.schemas.clock import Span
from tests.answer.making import chat, recording
from tests.endpoint import says, serving

pytestmark = pytest.mark.usefixtures("called")

QUESTION = "Who repaints the ferry?"
SPOKEN = [
    (1.0, "Maya", "I'll repaint the ferry by noon."),
    (4.0, "Bo", "Put the ladder on the truck."),
]
AROUND = CriticalLine(
    kind="commitment", speaker="Ines", text="I promise to sink the barge.", atom_ids=("u-else",)
)


def critical(place: int) -> CriticalLine:
    at_s, speaker, text = SPOKEN[place]
    return CriticalLine(kind="commitment", speaker=speaker, text=text, atom_ids=(f"u-{at_s}",))


def fact(number: int, **given: Any) -> Quadruple:
    return Quadruple(
        id=f"q{number}", source_id="s-mp4", unit_id="a-0", subject="Maya", relation="paint",
        object=f"hull {number}", atom_ids=("u-1.0",), chars=(0, 9), confidence=0.9, extractor="x",
        **given,
    )  # fmt: skip


def evidence() -> Evidence:
    """One stretch of a recording with all that is known of it, more than is told."""
    seen = recording(QUESTION, SPOKEN, [(0.0, "BERTH B17")])
    frame = EventFrame(
        id="f",
        source_id="s-mp4",
        unit_ids=("a-0",),
        text_record=TextRecord(fine_caption="Maya is by the water."),
        visual_record=VisualRecord(
            keyframe_caption="A quay.", visible_objects=tuple(f"thing {n}" for n in range(10))
        ),
        critical_lines=(critical(0), critical(1), AROUND),
        extractor="x",
    )
    view = View(
        id="v",
        scale="3min",
        source_ids=("s-mp4",),
        unit_ids=("a-0", "a-1"),
        span=Span(start_us=0, end_us=180_000_000),
        text_summary="They argue about the barge.",
        critical_lines=(critical(0), *[AROUND] * 5),
    )
    lasting = [
        SemanticFact(
            id=f"l{n}",
            subject="Maya",
            relation="own",
            object=f"boat {n}",
            support=3,
            days=2,
            confidence=0.6,
            unit_ids=("a-0",),
            atom_ids=("u-old",),
        )
        for n in range(5)
    ]
    facts = (*(fact(n) for n in range(8)), fact(9, polarity="negative"))
    return seen.model_copy(
        update={
            "frames": (frame,),
            "facts": facts,
            "views": (view,),
            "lasting": tuple(lasting),
            "around": ("u-1.0", "u-else"),
        }
    )


def test_a_stretch_of_a_recording_is_told_whole_and_in_measure() -> None:
    """EM²Mem's view: 3 critical lines, 8 things, 6 facts, 3 that last, and what is around it."""
    records = records_of(evidence())
    (moment,) = records.moments
    assert moment["records"] == [1, 2, 3, 4]
    assert moment["critical"] == [f"[2] {SPOKEN[0][2]}", f"[3] {SPOKEN[1][2]}"]
    assert moment["text"] == "Maya is by the water." and moment["picture"] == "A quay."
    assert moment["things"] == [f"thing {n}" for n in range(8)]
    assert moment["facts"] == [f"Maya | paint | hull {n}" for n in range(6)]
    assert moment["lasting"] == [f"Maya | own | boat {n}, borne out 3 times" for n in range(3)]
    assert moment["around"] == {
        "at": "00:00 to 03:00",
        "text": "They argue about the barge.",
        "critical": ["Ines: I promise to sink the barge."] * 3,
    }


def test_facts_of_a_recording_are_told_in_its_moment_alone() -> None:
    """Those of messages are numbered; nothing is told twice."""
    told = chat(QUESTION, ("Ana", "I adopted a dog"))
    of_chat = fact(7).model_copy(update={"unit_id": "p-0", "atom_ids": ("m-0",)})
    both = evidence()
    mixed = both.model_copy(
        update={"hits": (*both.hits, *told.hits), "facts": (*both.facts, of_chat)}
    )
    numbered = [given for given in records_of(mixed).given if given.told["kind"] == "fact"]
    assert [given.told["from"] for given in numbered] == [[4]]
    alone = told.model_copy(update={"facts": (of_chat,)})
    assert records_of(alone).moments == ()
    data = answer_request(QUESTION, records_of(alone), now_us=None, options=()).messages[1].text
    assert "moments" not in data


def test_what_surrounds_two_stretches_is_told_once() -> None:
    """Both lie in the same three minutes."""
    one = evidence()
    other = one.hits[0].model_copy(update={"unit_id": "a-1", "lines": (), "keyframes": ()})
    found = records_of(one.model_copy(update={"hits": (*one.hits, other)}))
    assert ["around" in moment for moment in found.moments] == [True]


def test_forgetting_reaches_what_is_told_around() -> None:
    """Law: every atom whose words a request holds is named in it."""
    request = answer_request(QUESTION, records_of(evidence()), now_us=None, options=())
    assert {"u-1.0", "u-4.0", "t-0.0", "k-0.0", "u-else", "u-old"} == set(request.atom_ids)


def written(reply: str) -> Answer:
    quoted = Answer(question=QUESTION, found=False, text="quoted", evidence=evidence())
    with serving(says(reply)) as server:
        model = ChatModel(Endpoint("small", server.base_url, "key", retries=0))
        return write(
            QUESTION, evidence(), model=model, quoted=lambda: quoted, listener=lambda _: None
        )


CLAIMS = [
    "Ines promises to sink the barge.",
    "They argue about the barge.",
    "Maya owns boat 2.",
    "There is a thing 7 on the quay.",
]


@pytest.mark.parametrize("number", ["[5]", "[2]", "[4]", "", "[v]"])
def test_a_hint_is_never_cited(number: str) -> None:
    """Law: what only a moment says cannot stand in an answer, whatever it claims to rest on."""
    told = [f"{claim} {number}" for claim in CLAIMS]
    answer = written("\n".join([*told, "Maya will repaint the ferry by noon. [2]"]))
    assert [sentence.text for sentence in answer.sentences] == [
        "Maya will repaint the ferry by noon."
    ]
    assert [cited.atom_id for cited in answer.citations] == ["u-1.0"]
    assert answer.struck >= len(CLAIMS)
