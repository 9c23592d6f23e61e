"""Evidence -> an answer that a language model writes, each sentence proven before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mmem.answer.answer_prompts import answer_request
from mmem.answer.given import Records, records_of
from mmem.answer.particulars import Known, known_words
from mmem.answer.proving import Asking, known_of, plainly_said, prove
from mmem.answer.statements import Statement, statements
from mmem.answer.taken_back import taken_back
from mmem.answer.verify import verified
from mmem.answer.writing import not_found, page, plain
from mmem.errors import BudgetExceeded, ConfigError, ReplyUnusable
from mmem.ports import LanguageModel, Spent
from mmem.schemas import Answer, Citation, Evidence, Sentence
from mmem.schemas.clock import local_datetime
from mmem.words import fold, terms

Listener = Callable[[Sentence], None]
_NEAR_MISSES = 3
_LONGEST_SHORT = 120
_REASONS = 2
_SAYS_ONLY = frozenset({"yes", "no"})


def write(
    question: str,
    evidence: Evidence,
    *,
    model: LanguageModel,
    quoted: Callable[[], Answer],
    listener: Listener,
    now_us: int | None = None,
    options: Sequence[str] = (),
) -> Answer:
    """Return the answer that a model writes from the evidence, as far as the evidence proves it.

    `listener` is told each sentence as soon as it is proven; its citations are those of the answer.
    Where nothing is left, or the model gives no whole reply, the answer is what `quoted` gives,
    with a note that says why. Without evidence no model is asked.
    """
    records = records_of(evidence)
    if not records.given:
        return quoted()
    draft = Draft(question, evidence, records, now_us=now_us, options=options, listener=listener)
    request = answer_request(question, records, now_us=now_us, options=options)
    try:
        for statement in statements(model.stream(request)):
            draft.take(statement)
    except ConfigError as error:
        return _instead(quoted(), draft, str(error))
    except (ReplyUnusable, BudgetExceeded) as error:
        return _instead(quoted(), draft, error.message)
    if draft.sentences:
        return draft.answer(model.identity, model.spent)
    if draft.abstains:
        return _abstained(quoted(), draft, model.identity)
    return _instead(quoted(), draft, f"nothing in the reply of {model.identity} could be proven")


class Draft:
    """An answer while it is written: the sentences that were proven so far, and what was struck."""

    def __init__(
        self,
        question: str,
        evidence: Evidence,
        records: Records,
        *,
        now_us: int | None,
        options: Sequence[str],
        listener: Listener,
    ) -> None:
        now = None if now_us is None else local_datetime(now_us)
        self.evidence, self.records = evidence, records
        self.sentences: list[Sentence] = []
        self.citations: list[Citation] = []
        self.struck: list[str] = []
        self.abstains = False
        back = taken_back([line for given in records.given for line in given.lines])
        self._asking = Asking(question, tuple(options), now, evidence.frames, back)
        self._listener = listener
        self._absent: list[str] = []
        self._short = ""
        self._cited: list[int] = []

    def take(self, statement: Statement) -> None:
        """Take in the next statement of the reply."""
        if statement.kind == "absent":
            self._take_absent(statement.text)
        elif statement.kind == "answer" and (self.sentences or not statement.numbers):
            self._short = statement.text
        elif statement.text:
            self._take_sentence(statement)

    def answer(self, identity: str, spent: Spent) -> Answer:
        """Return the answer of the sentences that were proven; there is one at least."""
        short = self._proven_short()
        text = page([short] if short else [], self.sentences)
        if self._absent:
            text += "\nNot in this memory: " + "; ".join(self._absent)
        kept = len(self.sentences)
        return Answer(
            question=self._asking.question,
            found=True,
            short=short,
            text=text,
            sentences=tuple(self.sentences),
            citations=tuple(self.citations),
            confidence=kept / (kept + len(self.struck)),
            written_by=identity,
            struck=len(self.struck),
            notes=(f"written by {identity}, {_told(spent)}", *self.notes()),
            evidence=self.evidence,
        )

    def notes(self) -> list[str]:
        """Return what is missing, what was struck and why, and what the request had no room for."""
        notes = []
        if self._absent:
            notes.append(f"not in this memory: {'; '.join(self._absent)}")
        if self.struck:
            reasons = "; ".join(dict.fromkeys(self.struck[:_REASONS]))
            which = "1 sentence" if len(self.struck) == 1 else f"{len(self.struck)} sentences"
            notes.append(f"{which} of the model's struck: {reasons}")
        if self.records.left_out:
            notes.append(f"{self.records.left_out} lines of the evidence did not fit")
        return notes

    def _take_absent(self, words: str) -> None:
        """Keep what is said to be missing if it is in the question's own words."""
        if not words:
            self.abstains = True
        elif set(terms(words)) <= self._asking.terms:
            self._absent.append(words)

    def _take_sentence(self, statement: Statement) -> None:
        cited = self.records.numbered(statement.numbers)
        proof = prove(statement.text, cited, self._asking)
        places = tuple(range(len(proof.citations)))
        sentence = Sentence(text=proof.text, citations=places)
        kept, citations = verified([sentence], proof.citations, self.evidence)
        if proof.struck or not kept:
            self.struck.append(proof.struck or "its citations are not of the evidence")
            return
        self.citations += [c for c in citations if c not in self.citations]
        numbers = tuple(self.citations.index(c) for c in citations)
        self.sentences.append(Sentence(text=proof.text, citations=numbers))
        self._cited += statement.numbers
        self._listener(self.sentences[-1])

    def _proven_short(self) -> str | None:
        """The direct answer, if all its words are in what the kept sentences cite.

        What was taken back, or orders machines what to believe, counts as unsaid.
        """
        words = plain(self._short).rstrip(".")
        if not words or len(words) > _LONGEST_SHORT:
            return None
        cited = [plainly_said(g, self._asking) for g in self.records.numbered(self._cited)]
        known = known_of(cited) | known_words(self._asking.options, None)
        return words if fold(words) in _SAYS_ONLY or _is_known(words, known) else None


def _told(spent: Spent) -> str:
    """Return what an answer took, in words."""
    if not spent.calls:
        return "from a reply that is remembered"
    tokens = spent.prompt_tokens + spent.completion_tokens
    counted = "tokens not counted" if spent.uncounted else f"{tokens} tokens"
    money = "" if spent.money is None else f", {spent.money:.4g} spent"
    return f"{spent.calls} call{'s' if spent.calls > 1 else ''}, {counted}{money}"


def _is_known(words: str, known: Known) -> bool:
    spelt = [term for term in terms(words) if not any(c.isdigit() for c in term)]
    return not known.unfounded(words) and known.share_of(spelt) == 1.0


def _instead(quoted: Answer, draft: Draft, reason: str) -> Answer:
    """Return the quoted answer with why it stands in the place of a written one."""
    notes = (f"quoted, not written: {plain(reason)}", *draft.notes())
    return quoted.model_copy(update={"notes": notes, "struck": len(draft.struck)})


def _abstained(quoted: Answer, draft: Draft, identity: str) -> Answer:
    """Return that the model finds no answer, with the quotes that come nearest."""
    misses = quoted.near_misses or quoted.citations[:_NEAR_MISSES]
    return Answer(
        question=quoted.question,
        found=False,
        text=not_found(misses),
        near_misses=misses,
        written_by=identity,
        struck=len(draft.struck),
        notes=(f"{identity} finds no answer in the evidence", *draft.notes()),
        evidence=draft.evidence,
    )
