"""From evidence to a cited answer (floor 2): quoted, then checked."""

from mmem.answer.compose import compose
from mmem.answer.settings import QuotedSettings
from mmem.answer.verify import verified

__all__ = ["QuotedSettings", "compose", "verified"]
