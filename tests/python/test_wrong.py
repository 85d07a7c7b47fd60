"""Bad input in every call: an exception, never a crash, and nothing changed."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis import Filter

NO_KEYS = [
    None, True, False, 1.5, float("nan"), 1j, [], (), {}, object(), ..., int,
    np.bool_(True), np.float64(1), np.array([1, 2]), Filter, lambda: 1, range(3),
]  # fmt: skip
NO_BATCHES = [
    None, True, 5, 1.5, b"bytes", "text", bytearray(b"x"), memoryview(b"x"),
    object(), [None], [True], [1, 1.5], [[1]], ["a", None], [-1], [1 << 64],
    np.array([1.5]), np.array([True]), np.array([[1, 2]]), np.array(5),
    np.array([-1]), np.array([1j]), np.array([None]),
    np.array(["2020-01-01"], dtype="M8[D]"), ["\ud800"],
]  # fmt: skip
ERRORS = (TypeError, ValueError, OverflowError, tamis.TamisError, BufferError)


@pytest.fixture
def filter_of_three():
    f = Filter(keys=100, spec="tamis:f=10,members=mirror", seed=1)
    f.update([1, 2, 3])
    yield f
    assert len(f) == 3
    assert f.contains_many([1, 2, 3]).all()
    f.check()


@pytest.mark.parametrize("key", NO_KEYS, ids=repr)
def test_keys(filter_of_three, key):
    f = filter_of_three
    for call in (f.add, f.discard, f.remove, f.report, f.hash_of, f.__contains__,
                 f.collision_range, f.erase_count):  # fmt: skip
        with pytest.raises(TypeError):
            call(key)


@pytest.mark.parametrize("keys", NO_BATCHES, ids=repr)
def test_batches(filter_of_three, keys):
    f = filter_of_three
    for call in (f.add_many, f.contains_many, f.discard_many, f.report_many,
                 f.update, lambda k: f.report(9, members=k)):  # fmt: skip
        if keys is None and call not in (f.add_many, f.contains_many):
            continue  # no members is the other form of report
        with pytest.raises(ERRORS):
            call(keys)


@pytest.mark.parametrize(
    "offsets",
    [
        [], [0, 5], [2, 1], [-1, 2], [0, 1 << 62], [1.5], ["a"], 7, [[0, 1]],
        [0, 1 << 63], [0, 1 << 64], np.array([0, 2**64 - 1], dtype=np.uint64),
        [True, False], object(),
    ],
    ids=repr,
)  # fmt: skip
def test_offsets(filter_of_three, offsets):
    for call in (filter_of_three.add_many, filter_of_three.contains_many):
        with pytest.raises(ERRORS):
            call(b"abc", offsets=offsets)


def test_offsets_without_bytes(filter_of_three):
    for data in (None, "text", [1, 2], 5, object(), np.arange(10)[::2]):
        with pytest.raises(ERRORS):
            filter_of_three.add_many(data, offsets=[0, 1])


@pytest.mark.parametrize(
    "options",
    [
        {"keys": 0}, {"keys": -1}, {"keys": 1 << 64}, {"keys": 1 << 200},
        {"keys": (1 << 64) - 1}, {"keys": 1.5}, {"keys": "many"}, {"keys": None},
        {"keys": True}, {"fpr": 0}, {"fpr": 1}, {"fpr": -0.5}, {"fpr": math.nan},
        {"fpr": math.inf}, {"fpr": "x"}, {"bits_per_key": 0},
        {"bits_per_key": -1}, {"bits_per_key": math.nan},
        {"bits_per_key": math.inf}, {"bits_per_key": 1e300},
        {"fpr": 0.1, "bits_per_key": 10},
        {"spec": "nosuch"}, {"spec": "taf:r=1000"}, {"spec": "taf:r=8,z=1"},
        {"spec": 5}, {"spec": ""}, {"spec": "rsqf\0"}, {"spec": "taf:" + "r=8," * 1000}, {"spec": "\0"},
        {"spec": b"rsqf"}, {"hasher": "md5"}, {"hasher": None},
        {"seed": -1}, {"seed": 1 << 128}, {"seed": "x"}, {"seed": 1.5},
        {"source": 5}, {"source": object(), "spec": "bloom"}, {"nosuch": 1},
        {"spec": "bloom", "deletes": True}, {"spec": "rsqf", "adapts": True},
    ],
    ids=repr,
)  # fmt: skip
def test_options(options):
    with pytest.raises((*ERRORS, MemoryError)):
        Filter(**{"keys": 10, **options})


def test_never_made():
    f = Filter.__new__(Filter)
    for use in (lambda: f.add(1), lambda: 1 in f, lambda: len(f), f.copy, f.dumps):
        with pytest.raises(ValueError, match="closed"):
            use()
    f.__init__(keys=10)
    f.add(1)
    f.__init__(keys=10)
    assert len(f) == 0


def test_members_that_are_none(filter_of_three):
    with pytest.raises(tamis.IsMemberError):
        filter_of_three.report(1)
    f = Filter(keys=10)
    for call in (lambda: f.report(1), lambda: f.discard(1), lambda: f.expand(),
                 lambda: f.report_many([1])):  # fmt: skip
        with pytest.raises(tamis.UnsupportedError):
            call()
    f = Filter(keys=10, adapts=True)
    f.add(1)
    with pytest.raises(tamis.UnsupportedError, match="source|members"):
        f.report(1)
    with pytest.raises(ERRORS):
        f.report(5, members=[1], erases=-1)
    with pytest.raises(ERRORS):
        f.report(5, members=[1], erases="x")


@given(st.binary(max_size=4000))
@settings(max_examples=200, deadline=None)
def test_random_bytes_are_no_filter(data):
    with pytest.raises((tamis.CorruptError, tamis.VersionError)):
        Filter.loads(data)


def test_damaged_bytes():
    f = Filter.from_keys(range(500), spec="taf:r=8")
    good = f.dumps()
    chance = random.Random(1)
    for _ in range(300):
        bad = bytearray(good)
        if chance.random() < 0.5:
            bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        else:
            del bad[chance.randrange(len(bad)) :]
        with pytest.raises((tamis.CorruptError, tamis.VersionError)) as caught:
            Filter.loads(bad)
        assert str(caught.value)
    for nonsense in (None, 5, "text", [1], object()):
        with pytest.raises(TypeError):
            Filter.loads(nonsense)


def test_paths(tmp_path):
    f = Filter.from_keys([1])
    for path in (None, 5, b"bytes", "", "a\0b", tmp_path, "/nonexistent/x"):
        with pytest.raises((TypeError, ValueError, OSError, tamis.TamisError)):
            f.save(path)
    for path in (None, 5, b"bytes", "", "a\0b", tmp_path, "/nonexistent/x"):
        with pytest.raises((TypeError, ValueError, OSError, tamis.TamisError)):
            Filter.load(path)
    with pytest.raises(FileNotFoundError):
        Filter.load(tmp_path / "none.tamis")


any_value = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.binary(), st.text(),
    st.lists(st.integers(), max_size=5), st.tuples(st.binary(), st.integers()),
    st.dictionaries(st.text(), st.integers(), max_size=3),
)  # fmt: skip
METHODS = [
    name
    for name in dir(Filter)
    if callable(getattr(Filter, name))
    and (not name.startswith("_") or name in ("__contains__", "__or__"))
    and name not in ("close", "save")
]


@given(st.sampled_from(METHODS), st.lists(any_value, max_size=3))
@settings(max_examples=400, deadline=None)
def test_anything_anywhere(name, arguments):
    f = Filter(keys=50, spec="tamis:f=8,members=mirror")
    try:
        getattr(f, name)(*arguments)
    except (Exception, MemoryError):  # any exception; a crash ends the process
        pass
    f.check()
