"""Speech: Whisper (Radford et al. 2022) on CTranslate2, through faster-whisper.

Sound is cut at silences by Silero VAD, the islands of speech are packed into pieces of at most
30 s without the silence between them, and eight pieces go through the network at once. Every
line's times are mapped back across the cuts; a line that would reach over a long silence is
recognised again, island by island. What is no speech is rejected with its reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mmem.models.islands import RATE_HZ, Island, Piece, islands, pieces
from mmem.models.nonspeech import Judge
from mmem.models.weights import WHISPER, digest, folder
from mmem.ports import FloatArray, Heard, SoundWindow
