"""compare: which filter, for these keys and these queries."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from tamis.errors import InvalidArgumentError, TamisError
from tamis.filter import Filter, Keys, Path

# The command that comes with the package: tamis::compare, see compare.h.
COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tamis")
_INTERRUPTED = 130
_USAGE = 2


class Comparison(list[dict[str, Any]]):
    """The rows of a comparison, the lowest false positive rate first.

    Each row is a dict: filter, bits_per_key, fpr, first_time, repeated, ...

    recommendation  the spec to take, or None
    words           why, in words
    does_not_fit    rows of those that need more memory
    notes           what to beware of
    report          the folder of the report, or None
    """

    def __init__(self, result: dict[str, Any], report: Optional[str]) -> None:
        super().__init__(result["filters"])
        self.recommendation: Optional[str] = result["recommendation"]["filter"]
        self.words: Any = result["recommendation"]["words"]
        self.does_not_fit: list[dict[str, Any]] = result["does_not_fit"]
        self.notes: list[str] = result["notes"]
        self.report = report


def _identities(keys: Keys) -> npt.NDArray[np.uint64]:
    """Return 64 bits for each key: integers as they are, all else hashed.

    A comparison only asks which keys are equal.
    """
    if isinstance(keys, np.ndarray) and keys.dtype.kind in "ui":
        if keys.size and keys.min() < 0:
            raise OverflowError("an integer key n must be 0 <= n < 2**64")
        return keys.astype("<u8")
    hasher = Filter(keys=1, seed=0)
    if isinstance(keys, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"expected many keys, not {type(keys).__name__}")
    return np.fromiter(
        (
            int.from_bytes(hasher.hash_of(key).to_bytes(16, "big")[:8], "big")
            for key in keys
        ),
        dtype="<u8",
    )


def _all_identities(*sets: Keys) -> list[npt.NDArray[np.uint64]]:
    arrays = [np.asarray(one) if isinstance(one, range) else one for one in sets]
    direct = [isinstance(a, np.ndarray) and a.dtype.kind in "ui" for a in arrays]
    if not all(direct):  # of one kind with the others: all by their hashes
        arrays = [
            a.tolist() if isinstance(a, np.ndarray) else a for a in arrays
        ]
    return [_identities(a) for a in arrays]


def _run(arguments: list[str]) -> str:
    """Run the command in a process of its own, which Ctrl-C may end."""
    done = subprocess.run(
        [COMMAND, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        return done.stdout
    if done.returncode == _INTERRUPTED:
        raise KeyboardInterrupt
    text = done.stderr.strip().removeprefix("tamis: ")
    if done.returncode == _USAGE:
        raise InvalidArgumentError(text)
    raise TamisError(text or f"the comparison ended with {done.returncode}")


def compare(
    keys: Keys,
    queries: Keys,
    *,
    bits_per_key: float = 12.6,
    keys_in: str = "ram",
    filters: Union[str, list[str]] = "all",
    seeds: int = 3,
    timings: bool = True,
    report: Optional[Path] = None,
) -> Comparison:
    """Compare filters on a set of keys and a stream of queries.

    >>> rows = compare(range(1000), range(500, 3000), bits_per_key=14,
    ...                filters=["rsqf", "blocked"], seeds=1, timings=False)
    >>> sorted(row["filter"].split(":")[0] for row in rows)
    ['blocked', 'rsqf']

    keys          the set: a NumPy array or an iterable of keys
    queries       what it is asked for, in order
    bits_per_key  the memory that each filter gets
    keys_in       where the keys are: "ram", or "store", a database that can
                  also tell an adaptive filter its members
    filters       specs; what they leave open is chosen
    seeds         runs of each filter
    timings       also measure nanoseconds
    report        a folder for the report: a page, plots, CSV and JSON

    Returns a Comparison, a list of rows.  Runs in a process of its own.

    Thread safety: yes.
    """
    if keys_in not in ("ram", "store"):
        raise InvalidArgumentError(f"keys_in is {keys_in!r}; expected ram or store")
    members, asked = _all_identities(keys, queries)
    specs = filters if isinstance(filters, str) else ",".join(filters)
    with tempfile.TemporaryDirectory(prefix="tamis-compare-") as folder:
        paths = [os.path.join(folder, name) for name in ("keys.u64", "queries.u64")]
        members.tofile(paths[0])
        asked.tofile(paths[1])
        arguments = ["compare", "--json", "--keys", paths[0], "--queries", paths[1]]
        arguments += ["--bits-per-key", repr(float(bits_per_key))]
        arguments += ["--filters", specs, "--seeds", str(int(seeds))]
        if keys_in != "ram":
            arguments += ["--keys-in", keys_in]
        if not timings:
            arguments.append("--no-timings")
        out = None
        if report is not None:
            out = os.path.abspath(os.fspath(report))
            arguments += ["--out", out]
        return Comparison(json.loads(_run(arguments)), out)
