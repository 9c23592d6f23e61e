"""Evidence -> an answer of quotes: no model, every word looked up (keyless body)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mmem.answer.choosing import choose, overtaken
from mmem.answer.claims import supported
from mmem.answer.clauses import Clause, clauses
from mmem.answer.confidence import signs_of
from mmem.answer.occasions import asks_of_time_alone, told_then
from mmem.answer.passages import Passage, passages_of, speakers_of
from mmem.answer.question import Asked, read_question
from mmem.answer.screen import Shown, shown_about, shown_with
from mmem.answer.settings import QuotedSettings
from mmem.answer.short import answers_kind, best_option, changed, short_of
from mmem.answer.verify import verified
from mmem.answer.weighing import Weighed, weigh
from mmem.answer.writing import UNSETTLED, not_found, page, pictured, plain, quoted
from mmem.ports import TextEncoder
from mmem.schemas import Answer, Citation, Evidence, Sentence


@dataclass(frozen=True)
class Finding:
    """What one clause of the question came to; `unsaid` are its claims that no line supports."""

    asked: Asked
    pool: tuple[Weighed, ...] = ()
    chosen: tuple[Weighed, ...] = ()
    short: str | None = None
    shown: Shown | None = None
    confidence: float = 0.0
    unsaid: tuple[str, ...] = ()


def compose(
    question: str,
    evidence: Evidence,
    *,
    encoder: TextEncoder | None = None,
    now_us: int | None = None,
    options: Sequence[str] = (),
    settings: QuotedSettings | None = None,
) -> Answer:
    """Return the sentences of the evidence that answer the question, each cited.

    `encoder` compares a handful of sentences with the question; without one words alone count.
    `now_us` (wall microseconds) resolves "yesterday" in the question; without it such words are
    left aside. `options` are the choices of a multiple-choice question.
    """
    settings = settings or QuotedSettings()
    passages = passages_of(evidence)
    speakers = speakers_of(evidence)
    findings: list[Finding] = []
    for clause in clauses(question):
        asked = read_question(clause.text, speakers, options, scene=clause.scene, now_us=now_us)
        if asked.kind == "screen":
            finding = _look(asked, findings, evidence)
        elif asks_of_time_alone(asked, evidence.times):
            told, near = told_then(asked, passages, evidence.times)
            finding = Finding(asked, near, told, confidence=1.0 if told else 0.0)
        else:
            finding = _find(asked, passages, speakers, encoder, settings)
        sure = {f.short for f in findings if f.confidence >= settings.found}
        if asked.revised and finding.short in sure:
            finding = Finding(asked, finding.pool)
        findings.append(_with_claims(finding, clause, passages, speakers, settings))
    return _answer(question, evidence, findings, settings)


def _find(
    asked: Asked,
    passages: Sequence[Passage],
    speakers: Sequence[str],
    encoder: TextEncoder | None,
    settings: QuotedSettings,
) -> Finding:
    pool = weigh(
        asked,
        passages,
        encoder=encoder,
        answers_kind=lambda quote: answers_kind(quote, asked, speakers),
        settings=settings,
    )
    if not pool:
        return Finding(asked)
    chosen = choose(asked, pool, settings)
    short, chosen = _direct(asked, pool, chosen, speakers, settings)
    sure = signs_of(asked, pool, passages, settings, first=chosen[0], short=short).confidence(
        settings
    )
    return Finding(asked, tuple(pool), tuple(chosen), short, None, sure)


def _direct(
    asked: Asked,
    pool: Sequence[Weighed],
    chosen: Sequence[Weighed],
    speakers: Sequence[str],
    settings: QuotedSettings,
) -> tuple[str | None, list[Weighed]]:
    """Return the direct answer, if there is one, and the sentences that give it or what it was."""
    if asked.kind == "choice":
        return best_option(asked, chosen, pool), list(chosen)
    shorts = [short_of(each, asked, speakers, settings) for each in chosen]
    if shorts[0] is None or asked.several:
        return shorts[0], list(chosen)
    before = overtaken(asked, chosen[0], pool, settings)
    was = short_of(before, asked, speakers, settings) if before else None
    if before and was and was != shorts[0]:
        return changed(shorts[0], was), [chosen[0], before]
    return shorts[0], [w for w, short in zip(chosen, shorts, strict=True) if short == shorts[0]]


def _with_claims(
    finding: Finding,
    clause: Clause,
    passages: Sequence[Passage],
    speakers: Sequence[str],
    settings: QuotedSettings,
) -> Finding:
    """Add the lines that say what the question itself states before it asks."""
    if not finding.chosen:
        return finding
    found = {c: supported(c, passages, speakers, settings) for c in clause.claims}
    said = tuple(weighed for weighed in found.values() if weighed)
    unsaid = tuple(claim for claim, weighed in found.items() if not weighed)
    return replace(finding, chosen=finding.chosen + said, unsaid=unsaid)


def _look(asked: Asked, before: Sequence[Finding], evidence: Evidence) -> Finding:
    """A clause about the screen: at the moment of the clause before it, or by its own words."""
    said = next((f for f in reversed(before) if f.chosen), None)
    if said is not None:
        shown = shown_with(said.chosen[0].quote, evidence)
        return Finding(asked, shown=shown, confidence=said.confidence if shown else 0.0)
    shown = shown_about(asked, evidence)
    return Finding(asked, shown=shown, confidence=1.0 if shown else 0.0)


def _answer(
    question: str, evidence: Evidence, findings: Sequence[Finding], settings: QuotedSettings
) -> Answer:
    good = [f for f in findings if f.confidence >= settings.found and (f.chosen or f.shown)]
    sentences, citations = verified(*_cited(good), evidence)
    confidence = max((f.confidence for f in findings), default=0.0)
    if not sentences:
        misses = _near_misses(findings, settings)
        return Answer(
            question=question,
            found=False,
            text=not_found(misses),
            near_misses=misses,
            confidence=confidence,
            evidence=evidence,
        )
    shorts = [plain(f.short) for f in good if f.short]
    missing = [plain(f.asked.text) for f in findings if f not in good]
    missing += [plain(claim) for f in good for claim in f.unsaid]
    open_ended = any(f.asked.kind == "polar" and not f.short for f in good)
    text = page([*shorts, UNSETTLED] if open_ended else shorts, sentences)
    if missing:
        text += "\nNot in this memory: " + "; ".join(missing)
    return Answer(
        question=question,
        found=True,
        short="; ".join(shorts) or None,
        text=text,
        sentences=sentences,
        citations=citations,
        confidence=confidence,
        evidence=evidence,
    )


def _cited(findings: Sequence[Finding]) -> tuple[list[Sentence], list[Citation]]:
    """Return the sentences and citations of the findings; a sentence quoted twice is cited once."""
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    for finding in findings:
        for each in finding.chosen:
            citation = each.quote.citation
            if citation not in citations:
                words = (
                    pictured(citation, each.quote.text)
                    if each.quote.passage.shown
                    else quoted(citation)
                )
                sentences.append(Sentence(text=words, citations=(len(citations),)))
                citations.append(citation)
        if finding.shown is not None:
            sentences.append(_screen_sentence(finding.shown, citations))
    return sentences, citations


def _screen_sentence(shown: Shown, citations: list[Citation]) -> Sentence:
    """Return what is known of the screen as one sentence; its citations join the list."""
    for each in shown.citations:
        if each not in citations:
            citations.append(each)
    words = shown.words.quote if shown.words else shown.caption
    numbers = tuple(citations.index(each) for each in shown.citations)
    return Sentence(text=pictured(shown.citations[0], words), citations=numbers)


def _near_misses(findings: Sequence[Finding], settings: QuotedSettings) -> tuple[Citation, ...]:
    found: dict[str, Citation] = {}
    for finding in findings:
        for each in finding.pool:
            citation = each.quote.citation
            found.setdefault(citation.atom_id, citation)
    return tuple(found.values())[: settings.near_misses]
