"""Membership filters that learn from their mistakes and grow.

>>> import tamis
>>> f = tamis.Filter(keys=1_000_000, fpr=0.001)
>>> f.add("alice")
>>> "alice" in f
True

A filter answers "is this key in the set?" from a few bits a key: "no" is
certain, "maybe" is wrong at a rate that you choose.  See tamis.Filter, and
tamis.compare for which filter suits your keys and queries.
"""

from tamis._core import version as _version
from tamis._compare import Comparison, compare
from tamis.errors import (
    CorruptError,
    FileError,
    FullError,
    IncompatibleError,
    InvalidArgumentError,
    IsMemberError,
    NotFoundError,
    OutOfMemoryError,
    StaleError,
    TamisError,
    UnsupportedError,
    VersionError,
)
from tamis.filter import Filter, KeySource

__version__ = _version()
__all__ = [
    "Comparison",
    "CorruptError",
    "FileError",
    "Filter",
    "FullError",
    "IncompatibleError",
    "InvalidArgumentError",
    "IsMemberError",
    "KeySource",
    "NotFoundError",
    "OutOfMemoryError",
    "StaleError",
    "TamisError",
    "UnsupportedError",
    "VersionError",
    "compare",
]
