"""What the rooms ask of each other: Protocols, and records and arrays that pass between them."""

from mmem.ports.arrays import BoolArray, ByteArray, DoubleArray, FloatArray, IntArray, LongArray
from mmem.ports.index import UNKNOWN_TIME, Columns, FactGraph, Index
from mmem.ports.language import Asked, LanguageModel, Message, Reply, Request, Spent
from mmem.ports.media import (
    Heard,
    ImageEncoder,
    Labeller,
    ReadLine,
    Recogniser,
    ScreenReader,
    SoundWindow,
    Stretch,
)
from mmem.ports.questions import QueryQuadruple, QuestionReader, QuestionReading
from mmem.ports.scales import Scales
from mmem.ports.texts import Encoded, Parser, QueryVectors, TextEncoder, VectorSpace, Word

__all__ = [
    "UNKNOWN_TIME",
    "Asked",
    "BoolArray",
    "ByteArray",
    "Columns",
    "DoubleArray",
    "Encoded",
    "FactGraph",
    "FloatArray",
    "Heard",
    "ImageEncoder",
    "Index",
    "IntArray",
    "Labeller",
    "LanguageModel",
    "LongArray",
    "Message",
    "Parser",
    "QueryQuadruple",
    "QueryVectors",
    "QuestionReader",
    "QuestionReading",
    "ReadLine",
    "Recogniser",
    "Reply",
    "Request",
    "Scales",
    "ScreenReader",
    "SoundWindow",
    "Spent",
    "Stretch",
    "TextEncoder",
    "VectorSpace",
    "Word",
]
