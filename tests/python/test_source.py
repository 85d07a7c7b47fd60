"""Learning: from a source in Python, and with members that the caller brings."""

import bisect
import gc
import weakref

import numpy as np
import pytest

import tamis
from tamis import Filter

MEMBERS = range(3000)
ABSENT = np.arange(10**6, 10**6 + 20_000, dtype=np.uint64)


SPEC = "tamis:f=6,members=source,extensions=32"


class Sorted:
    """A set sorted by hash."""

    def __init__(self, as_bytes=False):
        self.hashes = []
        self.as_bytes = as_bytes
        self.error = None
        self.reads = 0
        self.answer = None

    def fill(self, f):
        self.hashes = sorted(f.hash_of(key) for key in MEMBERS)

    def members(self, low, high):
        self.reads += 1
        if self.error:
            raise self.error
        if self.answer is not None:
            return self.answer
        first = bisect.bisect_left(self.hashes, low)
        last = bisect.bisect_right(self.hashes, high)
        found = self.hashes[first:last]
        return [h.to_bytes(16, "big") for h in found] if self.as_bytes else found


def make(source, spec=SPEC):
    f = Filter(keys=len(MEMBERS), spec=spec, source=source)
    f.update(MEMBERS)
    source.fill(f)
    return f


@pytest.mark.parametrize("spec", [SPEC, "taf:r=6", "exaf:r=6"])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_learns(spec, as_bytes):
    source = Sorted(as_bytes)
    f = make(source, spec)
    wrong = ABSENT[f.contains_many(ABSENT)]
    assert len(wrong) > 50
    for key in wrong[:20].tolist():
        f.report(key)
    assert f.report_many(wrong[20:]).dtype == bool
    assert source.reads > 0
    assert f.contains_many(wrong).mean() < 0.3
    assert f.contains_many(np.array(MEMBERS)).all()
    with pytest.raises(tamis.IsMemberError):
        f.report(5)
    assert not f.report_many([5])[0]
    f.check()


class Gone(Exception):
    pass


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, Gone("disk")),
        (5, TypeError),
        ([None], TypeError),
        (["x"], TypeError),
        ([-1], OverflowError),
        ([1 << 128], OverflowError),
        ([b"short"], ValueError),
        ([1.5], TypeError),
        ([True], TypeError),
        ([0], tamis.CorruptError),
        ([(1 << 128) - 1], tamis.CorruptError),
    ],
    ids=repr,
)
def test_what_goes_wrong_in_it_is_raised(answer, error):
    source = Sorted()
    f = make(source)
    key = int(ABSENT[f.contains_many(ABSENT)][0])
    before = f.dumps()
    source.answer = answer
    if isinstance(error, Exception):
        source.error = error
    with pytest.raises(error if isinstance(error, type) else type(error)):
        f.report(key)
    with pytest.raises(error if isinstance(error, type) else type(error)):
        f.report_many([key] * 1000)
    source.answer = source.error = None
    assert f.dumps() == before
    assert key in f
    f.report(key)
    assert f.contains_many(np.array(MEMBERS)).all()


def test_it_must_not_use_its_filter():
    class Bad(Sorted):
        def members(self, low, high):
            self.filter.add(1)
            return []

    source = Bad()
    f = make(source)
    source.filter = f
    key = int(ABSENT[f.contains_many(ABSENT)][0])
    with pytest.raises(RuntimeError, match="source"):
        f.report(key)
    del source.filter
    assert f.contains_many(np.array(MEMBERS)).all()


def test_it_lives_until_the_last_filter():
    source = Sorted()
    f = make(source)
    gone = weakref.ref(source)
    del source
    g = f.copy()
    f.close()
    gc.collect()
    assert gone() is not None
    wrong = ABSENT[g.contains_many(ABSENT)]
    g.report_many(wrong)
    g.close()
    gc.collect()
    assert gone() is None


def test_it_is_given_again_when_loading(tmp_path):
    source = Sorted()
    f = make(source)
    path = tmp_path / "f.tamis"
    f.save(path)
    g = Filter.load(path, source=source)
    wrong = ABSENT[g.contains_many(ABSENT)]
    assert g.report_many(wrong).any()
    h = Filter.loads(f.dumps(), source=source)
    assert h.report_many(wrong).any()


def test_members_by_the_caller():
    f = Filter(keys=len(MEMBERS), fpr=0.02, adapts=True, deletes=True)
    f.update(MEMBERS)
    by_hash = sorted((f.hash_of(key), key) for key in MEMBERS)
    hashes = [h for h, _ in by_hash]
    fixed = 0
    wrong = ABSENT[f.contains_many(ABSENT)].tolist()
    for key in wrong:
        erases = f.erase_count(key)
        span = f.collision_range(key)
        if span is None:
            continue  # fixed with an earlier one
        first = bisect.bisect_left(hashes, span[0])
        last = bisect.bisect_right(hashes, span[1])
        members = [member for _, member in by_hash[first:last]]
        # At the end of its budget a filter turns some reports away.
        if f.report(key, members=members, erases=erases):
            fixed += 1
            assert key not in f
    assert fixed > len(wrong) // 2
    assert f.contains_many(np.array(MEMBERS)).all()
    old = f.erase_count(wrong[0])
    f.discard(0)
    with pytest.raises(tamis.StaleError):
        f.report(wrong[0], members=[], erases=old)
