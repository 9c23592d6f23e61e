"""Clauses of a text: a predicate, who does it, and the words that are its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mmem.derive.lexicon import NEGATIONS, UNBIDDEN_VERBS
from mmem.derive.trees import Tree, quoted

_VERBAL = ("VERB", "AUX")
_CLAUSAL = frozenset({"ROOT", "conj", "ccomp", "advcl", "parataxis"})
_APART = frozenset({"ccomp", "advcl", "conj", "parataxis", "relcl", "csubj"})
_SUBJECT = ("nsubj", "nsubjpass")


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate in its text.

    `chain` are its verbs from the governing one to the one that bears the complements ("want",
    "become"); `subjects` the heads of who or what does it, empty where none is said; `places` all
    words of the clause in order, other clauses left out.
    """

    chain: tuple[int, ...]
    subjects: tuple[int, ...]
    inherited: bool
    auxiliaries: tuple[int, ...]
    negative: bool
    passive: bool
    places: tuple[int, ...]

    @property
    def head(self) -> int:
        """The governing verb."""
        return self.chain[0]

    @property
    def last(self) -> int:
        """The verb that bears the complements."""
        return self.chain[-1]


def clauses(tree: Tree) -> Iterator[Clause]:
    """Yield the clauses of a text in order of their predicates."""
    for place, word in enumerate(tree.words):
        if word.pos in _VERBAL and word.dep in _CLAUSAL:
            governor = _governor(tree, place)
            if governor is not None and not _is_purpose(tree, place):
                yield _clause(tree, place, governor)


def drops_speaker(tree: Tree, clause: Clause) -> bool:
    """Tell whether a sentence begins with its past verb, "I" left out ("Bought a new bike")."""
    word = tree.words[clause.head]
    if clause.subjects or word.dep != "ROOT" or word.tag != "VBD":
        return False
    if tree.first(clause.head, "expl", "csubj") is not None:
        return False
    start, _ = tree.sentence(clause.head)
    between = [w for w in tree.words if start <= w.start < word.start]
    return all(w.pos in ("ADV", "INTJ", "PUNCT", "CCONJ") for w in between)


def leaves_out_i(tree: Tree, clause: Clause) -> bool:
    """Tell whether a bare verb that nobody is told to do leaves out "I" ("Love that hat")."""
    verb = tree.words[clause.head]
    if clause.subjects or tree.first(clause.head, *_SUBJECT) is not None:
        return False
    bare = verb.dep == "ROOT" and verb.tag in ("VB", "VBP")
    helpers = {tree.lower(c) for c in tree.children(clause.head, "aux", "auxpass")}
    if verb.lemma == "wait":
        return bare and "ca" in helpers
    return bare and not helpers and verb.lemma.lower() in UNBIDDEN_VERBS


def stands_alone(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause is only set beside another ("we sang, laughing - it felt good")."""
    word = tree.words[clause.head]
    if word.dep != "advcl" or clause.inherited or not clause.subjects:
        return False
    if any(c < clause.head for c in tree.children(clause.head, "mark", "advmod")):
        return False
    first = min([*clause.auxiliaries, clause.head])
    return clause.subjects[0] < first and tree.words[first].tag in ("VBD", "VBZ", "VBP")


def is_past(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause speaks of what was: past tense or perfect."""
    tags = [tree.words[a].tag for a in clause.auxiliaries]
    return (tags[0] if tags else tree.words[clause.head].tag) == "VBD" or _has(tree, clause)


def is_progressive(tree: Tree, clause: Clause) -> bool:
    """Tell whether a clause speaks of what goes on ("is building")."""
    return tree.words[clause.head].tag == "VBG"


def _has(tree: Tree, clause: Clause) -> bool:
    return any(tree.words[a].lemma in ("have", "'ve") for a in clause.auxiliaries)


def lacks_subject(tree: Tree, verb: int) -> bool:
    """Tell whether a finite verb has no subject before it, so that a noun there may be it."""
    word = tree.words[verb]
    main = word.head if word.dep in ("aux", "auxpass") else verb
    subject = tree.first(main, "nsubj", "nsubjpass", "csubj", "expl")
    return (subject is None or subject > verb) and tree.words[main].dep != "relcl"


def _is_purpose(tree: Tree, place: int) -> bool:
    """Tell whether a predicate only says what for: it is the cause of another."""
    word = tree.words[place]
    to = any(tree.lower(c) == "to" for c in tree.children(place, "aux"))
    return word.dep == "advcl" and word.tag == "VB" and to


def _governor(tree: Tree, place: int) -> tuple[int, ...] | None:
    """Return the verbs above a predicate in its own chain; None where it is no clause."""
    word = tree.words[place]
    if word.dep != "conj":
        return ()
    head = word.head
    while tree.words[head].dep == "conj" and tree.words[head].pos in _VERBAL:
        head = tree.words[head].head
    if tree.words[head].pos not in _VERBAL:
        return None
    chain: list[int] = []
    while tree.words[head].dep == "xcomp" and word.tag in ("VB", "VBG"):
        if word.tag != tree.words[head].tag:
            return None  # "consider moving, and to teach", where the second is a purpose
        head = tree.words[head].head
        adrift = tree.words[head].pos not in _VERBAL  # "it's fine to go and see"
        if adrift or tree.first(head, "dobj", "acomp", "attr") is not None:
            return None
        chain.insert(0, head)
    return tuple(chain)


def _clause(tree: Tree, place: int, above: tuple[int, ...]) -> Clause:
    chain = (*above, place)
    while (below := _complement(tree, chain[-1])) is not None:
        chain = (*chain, below)
    own = sorted({p for verb in chain for p in _own(tree, verb)}) if above else _own(tree, place)
    subjects, inherited = _subjects(tree, chain[0])
    auxiliaries = _auxiliaries(tree, chain[0])
    return Clause(
        chain=chain,
        subjects=tuple(subjects),
        inherited=inherited or bool(above),
        auxiliaries=tuple(auxiliaries),
        negative=_is_negative(tree, chain, auxiliaries),
        passive=_is_passive(tree, chain[-1]),
        places=tuple(own),
    )


def _complement(tree: Tree, verb: int) -> int | None:
    """Return the verb that another takes as its complement ("want to become")."""
    below = tree.first(verb, "xcomp")
    if tree.first(verb, "acomp", "attr") is not None:
        return None
    if below is None or tree.words[below].pos not in _VERBAL or below < verb:
        return None
    if tree.words[below].tag not in ("VB", "VBG") or tree.first(below, *_SUBJECT) is not None:
        return None
    if quoted(tree, below) is not None:
        return None
    return None if tree.first(verb, "dobj") is not None else below


def _own(tree: Tree, verb: int) -> list[int]:
    found, waiting = [], [verb]
    while waiting:
        here = waiting.pop()
        found.append(here)
        for child in tree.children(here):
            word = tree.words[child]
            verbal = tree.words[here].pos in _VERBAL
            apart = verbal and word.dep in _APART and word.pos in _VERBAL
            if not apart and not (verbal and word.dep == "cc"):
                waiting.append(child)
    return sorted(found)


def _subjects(tree: Tree, verb: int) -> tuple[list[int], bool]:
    """Return the heads of the subject, and whether it is that of an earlier verb."""
    here, inherited = verb, False
    while True:
        subject = _subject(tree, here)
        if subject is not None:
            return _joined(tree, subject), inherited
        word = tree.words[here]
        beside = word.dep == "advcl" and word.tag == "VBG"
        if tree.first(here, "expl", "csubj") is not None or not (word.dep == "conj" or beside):
            return [], inherited
        if word.dep == "conj" and _stands_off(tree, here):
            return [], inherited
        here, inherited = word.head, True


def _stands_off(tree: Tree, verb: int) -> bool:
    """Tell whether a joined verb does not share the subject of the verb that it is joined to.

    An order is joined by a comma alone; a gerund between may be the subject instead ("it was late
    and playing there took hours").
    """
    head = tree.words[verb].head
    joint = tree.first(head, "cc") is not None or tree.first(verb, "cc") is not None
    order = tree.words[verb].tag == "VB" and not joint
    helped = tree.first(verb, "aux") is not None or tree.first(head, "aux") is not None
    gerund = any(
        tree.words[p].tag == "VBG"
        and tree.words[p - 1].pos == "CCONJ"
        and tree.words[tree.words[p].head].tag != "VBG"
        for p in range(head + 1, verb)
    )
    return (order and not helped) or (gerund and tree.words[verb].tag in ("VBD", "VBZ"))


def _subject(tree: Tree, verb: int) -> int | None:
    """Return the head of a verb's own subject; names that are called out before it are none."""
    found = tree.children(verb, *_SUBJECT)
    if not found:
        return None
    last, word = found[-1], tree.words[found[-1]]
    alone = word.tag == "NNP" and tree.first(last, "conj") is None
    plain = tree.words[verb].tag == "VBP" and tree.first(verb, "aux") is None
    called = tree.first(verb, "csubj") is not None  # "yes Ann, making soup | is easy"
    return None if (alone and plain) or called or _disagrees(tree, last, verb) else last


def _disagrees(tree: Tree, subject: int, verb: int) -> bool:
    """Tell that a noun before a verb is not its subject, but the end of another phrase.

    So a pronoun of another number ("keeping them with you makes …"), so the last of a list
    ("cooking rice and beans was fun").
    """
    finite = min([*tree.children(verb, "aux", "auxpass"), verb])
    said = tree.lower(subject)
    third = tree.words[finite].tag == "VBZ" and tree.lower(finite) not in ("'s", "s")
    if third and said in ("i", "we", "you", "they", "me", "us", "them"):
        return True
    before = min(tree.below(subject, frozenset({"conj", "relcl"}))) - 1
    listed = before > 0 and tree.words[before].pos == "CCONJ"
    above = tree.words[verb].head
    main = above == verb or (tree.words[above].tag == "VBG" and not tree.children(above, "aux"))
    return main and listed and tree.words[before].start > tree.sentence(subject)[0]


def _joined(tree: Tree, subject: int) -> list[int]:
    found = [subject]
    while following := tree.children(found[-1], "conj"):
        found.append(following[0])
    return found


def _auxiliaries(tree: Tree, verb: int) -> list[int]:
    """Return the auxiliaries of a verb, those of the verb that it is joined to if it has none."""
    here = verb
    while True:
        found = tree.children(here, "aux", "auxpass")
        word = tree.words[here]
        if found or word.dep != "conj" or word.tag not in ("VB", "VBN", "VBG"):
            return found
        if tree.first(here, *_SUBJECT) is not None:
            return found
        here = word.head


def _is_passive(tree: Tree, verb: int) -> bool:
    word = tree.words[verb]
    helper = tree.first(verb, "auxpass")
    if helper is None or word.tag != "VBN" or word.lemma == "be":
        return False
    had = tree.lower(helper) == "'s" and tree.first(verb, "dobj") is not None
    return not had  # "she's brought me joy"


def _is_negative(tree: Tree, chain: tuple[int, ...], auxiliaries: list[int]) -> bool:
    if tree.words[chain[0]].lemma == "wait" and any(tree.lower(a) == "ca" for a in auxiliaries):
        return False
    subject = tree.first(chain[0], *_SUBJECT)
    if subject is not None and tree.lower(subject) in ("nobody", "none", "nothing", "neither"):
        return True
    heads = {chain[0], *(tree.words[a].head for a in auxiliaries)}
    said = [
        tree.lower(c) in NEGATIONS
        for head in heads
        for c in tree.children(head, "neg", "advmod", "preconj")
    ]
    objects = [c for c in tree.children(chain[-1], "dobj", "attr")]
    none = any(tree.lower(d) == "no" for o in objects for d in tree.children(o, "det"))
    return any(said) or none
