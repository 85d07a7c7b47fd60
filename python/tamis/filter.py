"""Filter: a set that may be wrong about absent keys, and never about others."""

from __future__ import annotations

import math
import os
import pickle
from collections.abc import Iterable, Sized
from itertools import islice
from typing import Any, Optional, Protocol, TypeVar, Union

import numpy as np
import numpy.typing as npt

from tamis import _core
from tamis.errors import InvalidArgumentError, NotFoundError

Key = Union[bytes, bytearray, memoryview, str, int, "np.integer[Any]"]
Keys = Union[Iterable[Key], "npt.NDArray[Any]"]
BoolArray = npt.NDArray[np.bool_]

Self = TypeVar("Self", bound="Filter")
Path = Union[str, "os.PathLike[str]"]

_FLAGS = {"grows": 1, "deletes": 2, "adapts": 4, "threads": 8}
_FIXED_SEED = 16
_ALGORITHMS = {"xxh3": 1, "siphash": 2}
_CAPABILITIES = {
    1: "discard",
    2: "report",
    4: "knows_members",
    8: "report_with_members",
    16: "expand",
    32: "merge",
    64: "threads",
}
_CHUNK = 1 << 16  # keys of an iterable that are added at a time


class KeySource(Protocol):
    """What an adaptive filter asks for the members of the set.

    members(low, high) returns the hashes (Filter.hash_of) of all members in
    that range, both ends included, in ascending order, as integers or as 16
    bytes, the high ones first.  One that was added twice is there twice.  It
    may raise; the filter is as it was then.  It must not use the filter.
    """

    def members(self, low: int, high: int) -> Iterable[Union[int, bytes]]:
        """Return the hashes of the members in [low, high]."""


def _rate(name: str, value: Optional[float], most: float) -> float:
    if value is None:
        return 0.0
    number = float(value)
    if not 0 < number < most:
        limits = f"between 0 and {most:g}" if most < math.inf else "above 0"
        raise InvalidArgumentError(f"{name} is {value}; expected {limits}")
    return number


def _count(value: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"keys is a number of keys, not {type(value).__name__}")
    number = value.__index__()
    if not 0 < number < 1 << 64:
        raise InvalidArgumentError(f"keys is {number}; expected 1 to 2**64 - 1")
    return number


def _spec(value: Optional[str]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"a spec is a str, not {type(value).__name__}")
    if not value or "\0" in value:
        raise InvalidArgumentError(f"not a spec: {value!r}")
    return value


class Filter(_core.FilterBase):
    """A set that answers "no" for certain and "maybe" in a few bits a key.

    >>> f = Filter(keys=1_000_000, fpr=0.001)
    >>> f.add("alice")
    >>> f.update([b"bob", 42])
    >>> "alice" in f, 42 in f, len(f)
    (True, True, 3)

    Keys are bytes, str (as UTF-8), int (0 <= n < 2**64) and memoryviews.  An
    int is its 8 little-endian bytes, in every language.

    keys          how many keys it has to hold
    fpr           the share of absent keys it may take for members, or
    bits_per_key  the memory it may take; neither: 0.01
    spec          another filter than the one chosen, such as "taf:r=8"
    grows         more keys than `keys` will come
    deletes       discard will be called
    adapts        report will be called
    threads       several threads change it at the same time
    source        who knows the members (KeySource), for report
    hasher        "xxh3", or "siphash" for keys that an adversary chooses
    seed          of the hashes, an integer of 128 bits; else a secret one

    Thread safety: all methods may be called by any thread.  Look-ups run at the
    same time; changes wait for each other, unless it is made with threads=True.
    """

    def __init__(
        self,
        keys: int,
        fpr: Optional[float] = None,
        *,
        bits_per_key: Optional[float] = None,
        spec: Optional[str] = None,
        grows: bool = False,
        deletes: bool = False,
        adapts: bool = False,
        threads: bool = False,
        source: Optional[KeySource] = None,
        hasher: str = "xxh3",
        seed: Optional[int] = None,
    ) -> None:
        wanted = {
            "grows": grows, "deletes": deletes, "adapts": adapts,
            "threads": threads,
        }  # fmt: skip
        flags = sum(_FLAGS[name] for name, on in wanted.items() if on)
        if seed is not None:
            if not isinstance(seed, int) or isinstance(seed, bool):
                raise TypeError(f"seed is an int, not {type(seed).__name__}")
            if not 0 <= seed < 1 << 128:
                raise OverflowError("a seed must be 0 <= seed < 2**128")
            flags |= _FIXED_SEED
        if hasher not in _ALGORITHMS:
            raise InvalidArgumentError(
                f"hasher is {hasher!r}; expected 'xxh3' or 'siphash'"
            )
        made = _core.create(
            spec=_spec(spec),
            keys=_count(keys),
            fpr=_rate("fpr", fpr, 1.0),
            bits_per_key=_rate("bits_per_key", bits_per_key, math.inf),
            flags=flags,
            algorithm=_ALGORITHMS[hasher],
            seed=seed or 0,
            source=source,
        )
        self._take(made)

    @classmethod
    def _wrap(cls: type[Self], made: _core.FilterBase) -> Self:
        self = cls.__new__(cls)
        self._take(made)
        return self

    @classmethod
    def from_spec(cls: type[Self], spec: str, keys: int, **options: Any) -> Self:
        """Make the filter that a spec names; options as for Filter.

        >>> Filter.from_spec("taf:r=8", keys=1000).spec.startswith("taf:r=8")
        True

        Thread safety: yes.
        """
        return cls(keys, spec=spec, **options)

    @classmethod
    def from_keys(
        cls: type[Self], keys: Keys, fpr: Optional[float] = None, **options: Any
    ) -> Self:
        """Make a filter of the right size for these keys, and add them.

        >>> f = Filter.from_keys(["a", "b"], fpr=0.001)
        >>> "b" in f
        True

        Thread safety: yes.
        """
        if not isinstance(keys, Sized):
            keys = list(keys)
        self = cls(max(len(keys), 1), fpr, **options)
        self.add_many(keys)
        return self

    # ---- like a set -----------------------------------------------------

    def update(self, *others: Keys) -> None:
        """Add the keys of arrays or iterables.

        >>> f = Filter(keys=100)
        >>> f.update([1, 2], ("x" * n for n in range(3)))
        >>> len(f)
        5

        Thread safety: waits while other threads use the filter.
        """
        for keys in others:
            if isinstance(keys, Sized):
                self.add_many(keys)
                continue
            iterator = iter(keys)
            while chunk := list(islice(iterator, _CHUNK)):
                self.add_many(chunk)

    def remove(self, key: Key) -> None:
        """Discard a key; KeyError if it is not there for certain.

        >>> f = Filter(keys=100, deletes=True)
        >>> f.remove("x")
        Traceback (most recent call last):
        KeyError: 'x'

        Thread safety: waits while other threads use the filter.
        """
        if not self._discard(key):
            raise KeyError(key)

    def __len__(self) -> int:
        """Return how many keys were added and not discarded.

        Thread safety: any number of threads may ask at the same time.
        """
        return self._size()

    def __bool__(self) -> bool:
        return self._size() > 0

    def __repr__(self) -> str:
        if self.closed:
            return "<tamis.Filter, closed>"
        keys = len(self)
        return f"<tamis.Filter {self.spec}: {keys} key{'s' * (keys != 1)}>"

    def copy(self: Self) -> Self:
        """Return a filter with the same keys and the same source.

        >>> f = Filter.from_keys([1, 2])
        >>> g = f.copy()
        >>> g.clear()
        >>> len(f), len(g)
        (2, 0)

        Thread safety: may run while others ask.
        """
        return self._wrap(self._copy())

    __copy__ = copy

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def clear(self) -> None:
        """Remove all keys.

        Thread safety: waits while other threads use the filter.
        """
        self._clear()

    def __or__(self: Self, other: Filter) -> Self:
        """Return the union of two filters made alike, with the same seed.

        >>> f = Filter(keys=100, spec="rsqf:r=8", seed=7)
        >>> g = f.copy()
        >>> f.add("x"); g.add("y")
        >>> union = f | g
        >>> "x" in union, "y" in union
        (True, True)

        Thread safety: may run while others ask.
        """
        if not isinstance(other, Filter):
            return NotImplemented
        union = self.copy()
        union._merge(other)
        return union

    def __ior__(self: Self, other: Filter) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        self._merge(other)
        return self

    # ---- learning -------------------------------------------------------

    def report(
        self,
        key: Key,
        members: Optional[Keys] = None,
        *,
        erases: Optional[int] = None,
    ) -> bool:
        """Report that a key is absent, although the filter said "maybe".

        The filter learns; the result is whether it says "no" from now on.  It
        has to know the members that it mistook the key for: from its source,
        from a mirror (spec="tamis:members=mirror"), or from you.

        >>> f = Filter(keys=1000, spec="taf:r=4")  # has a mirror
        >>> f.update(range(1000))
        >>> wrong = [key for key in range(1000, 2000) if key in f]
        >>> all(f.report(key) for key in wrong), len(wrong) > 0
        (True, True)

        members   the keys that you have read: all members with hashes in
                  collision_range(key), or some.  Members only: any other key
                  could take a member's place.
        erases    what erase_count(key) was before you read them.  StaleError
                  if a key was discarded since.

        Raises IsMemberError if the filter knows that the key is a member, and
        what the source raises.

        Thread safety: waits while other threads use the filter.
        """
        if members is None:
            return self._report(key)
        if erases is None:
            erases = self._num_erases(key)
        return self._report_with(key, members, erases)

    def report_many(self, keys: Keys, *, offsets: Any = None) -> BoolArray:
        """Report many keys; returns for which the filter now says "no".

        >>> f = Filter.from_keys(range(1000), spec="tamis:f=6,members=mirror")
        >>> asked = range(1000, 2000)
        >>> wrong = [key for key in asked if key in f]
        >>> fixed = f.report_many(wrong)
        >>> fixed.all(), f.contains_many(wrong).any()
        (True, False)

        A key that the filter knows to be a member stays, and is False.

        Thread safety: waits while other threads use the filter, without the GIL.
        """
        return self._report_many(keys, offsets)

    def collision_range(self, key: Key) -> Optional[tuple[int, int]]:
        """Return the hashes between which the members lie that a key is taken for.

        None if the filter does not say "maybe".

        >>> f = Filter(keys=100, adapts=True)
        >>> f.collision_range("absent") is None
        True
        >>> f.add("x")
        >>> low, high = f.collision_range("x")
        >>> low <= f.hash_of("x") <= high
        True

        Thread safety: any number of threads may ask at the same time.
        """
        return self._collision_range(key)

    def erase_count(self, key: Key) -> int:
        """Return how many keys were discarded, for report(erases=...).

        Thread safety: any number of threads may ask at the same time.
        """
        return self._num_erases(key)

    # ---- whole filters --------------------------------------------------

    def expand(self) -> None:
        """Make room ahead of time, in a filter that grows.

        Thread safety: waits while other threads use the filter.
        """
        self._expand()

    def check(self) -> None:
        """Look at every bit of the filter; CorruptError says what is wrong.

        Thread safety: may run while others ask.
        """
        self._check()

    def close(self) -> None:
        """Free the memory, or unmap the file; all else raises ValueError then.

        >>> with Filter(keys=10) as f:
        ...     f.add(1)
        >>> f.closed
        True

        Thread safety: waits while other threads use the filter.
        """
        self._close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether close was called."""
        return self._closed()

    @property
    def bits_per_key(self) -> float:
        """Memory that look-ups need, in bits a key; 0 without keys."""
        stats = self._stats()
        return float(stats["size_bits"] / stats["size"]) if stats["size"] else 0.0

    @property
    def expected_fpr(self) -> float:
        """The false positive rate to expect for a random absent key, now."""
        return float(self._stats()["expected_fpr"])

    @property
    def capacity(self) -> int:
        """How many keys it holds as it is now."""
        return int(self._stats()["capacity"])

    @property
    def spec(self) -> str:
        """What kind of filter it is, such as "rsqf:r=8"."""
        return self._spec()

    @property
    def hasher(self) -> str:
        """Either "xxh3" or "siphash"."""
        return self._algorithm()

    @property
    def seed(self) -> int:
        """The seed of its hashes: a secret, if an adversary chooses keys."""
        return self._seed()

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can do, of discard, report, knows_members,
        report_with_members, expand, merge and threads.

        >>> "discard" in Filter(keys=10, deletes=True).capabilities
        True
        """
        can = self._capabilities()
        return frozenset(name for bit, name in _CAPABILITIES.items() if can & bit)

    def stats(self) -> dict[str, Any]:
        """Return size, capacity, size_bits, side_bits, expected_fpr, details.

        side_bits is memory beside the filter, such as a mirror.

        Thread safety: any number of threads may ask at the same time.
        """
        return self._stats()

    # ---- files and pickles ----------------------------------------------

    def save(self, path: Path) -> None:
        """Write the filter to a file, or leave the old one as it was.

        >>> import os, tempfile
        >>> f = Filter.from_keys(["x"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "x.tamis")
        ...     f.save(path)
        ...     with Filter.load(path, map=True) as mapped:
        ...         "x" in mapped
        True

        Thread safety: may run while others ask.
        """
        self._save(_path(path))

    @classmethod
    def load(
        cls: type[Self],
        path: Path,
        *,
        map: bool = False,
        source: Optional[KeySource] = None,
        check: bool = True,
    ) -> Self:
        """Read a filter from a file of tamis, whatever language wrote it.

        map     refer to the file instead of reading it: at once, and shared
                between processes.  Such a filter can only be asked.
        source  for a filter that was made with one
        check   look for what only a forger would write

        Raises CorruptError for a damaged file, FileNotFoundError for none.

        Thread safety: yes.
        """
        text = _path(path)
        try:
            return cls._wrap(_core.load(text, map, check, source))
        except NotFoundError as error:
            raise FileNotFoundError(str(error)) from error

    def dumps(self) -> bytes:
        """Return what save would write.

        >>> f = Filter.from_keys(["x"])
        >>> "x" in Filter.loads(f.dumps())
        True

        Thread safety: may run while others ask.
        """
        return bytes(memoryview(self._serialize()))

    @classmethod
    def loads(
        cls: type[Self],
        data: Any,
        *,
        source: Optional[KeySource] = None,
        check: bool = True,
    ) -> Self:
        """Make a filter of what dumps returned, or of any buffer of it.

        Thread safety: yes.
        """
        return cls._wrap(_core.loads(data, check, source))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        if protocol >= 5:  # out of band, if the pickler wants it: no copy
            return _unpickle, (type(self), pickle.PickleBuffer(self._serialize()))
        return _unpickle, (type(self), self.dumps())


def _path(path: Path) -> str:
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"a path is a str, not {type(text).__name__}")
    if not text or "\0" in text:
        raise InvalidArgumentError(f"not a path: {text!r}")
    return text


def _unpickle(cls: type[Filter], data: Any) -> Filter:
    return cls.loads(data)
