"""Filter as a set: what a user does first."""

import copy

import numpy as np
import pytest

import tamis
from tamis import Filter


def test_like_a_set():
    f = Filter(keys=1000, fpr=0.001)
    assert not f
    f.add("alice")
    f.update([b"bob", 42], (str(n) for n in range(10)))
    assert f
    assert len(f) == 13
    assert "alice" in f
    assert b"alice" in f
    assert "bob" in f
    assert 42 in f
    assert "7" in f
    assert "nobody" not in f or True  # may be
    f.clear()
    assert len(f) == 0
    assert "alice" not in f


def test_rate_is_kept():
    f = Filter.from_keys(range(100_000), fpr=0.001)
    assert f.contains_many(np.arange(100_000, dtype=np.uint64)).all()
    absent = np.arange(10**6, 2 * 10**6, dtype=np.uint64)
    assert f.contains_many(absent).mean() < 0.0015
    assert 0 < f.expected_fpr < 0.0015
    assert 8 < f.bits_per_key < 24


def test_bits_are_kept():
    f = Filter(keys=100_000, bits_per_key=12)
    f.add_many(np.arange(100_000))
    assert f.bits_per_key <= 12.2


@pytest.mark.parametrize(
    "spec", ["rsqf:r=8", "taf:r=8", "blocked:bits=12", "cuckoo:f=12", "tamis:f=12"]
)
def test_from_spec(spec):
    f = Filter.from_spec(spec, keys=1000)
    assert f.spec.startswith(spec.partition(":")[0])
    f.update(range(900))
    assert all(key in f for key in range(900))
    f.check()


def test_discard_and_remove():
    f = Filter(keys=1000, deletes=True)
    f.update(range(100))
    for key in range(50):
        f.discard(key)
    assert len(f) == 50
    assert all(key in f for key in range(50, 100))
    f.discard("surely absent")
    with pytest.raises(KeyError):
        f.remove("surely absent")
    f.discard_many(np.arange(50, 100))
    assert len(f) == 0


def test_union():
    f = Filter(keys=1000, spec="rsqf:r=8", seed=3)
    g = f.copy()
    f.update(range(100))
    g.update(range(100, 200))
    both = f | g
    assert all(key in both for key in range(200))
    assert len(f) == 100
    f |= g
    assert len(f) == 200
    other_seed = Filter(keys=1000, spec="rsqf:r=8")
    with pytest.raises(tamis.IncompatibleError, match="seed|hash"):
        f | other_seed
    with pytest.raises(TypeError):
        f | {1, 2}
    with pytest.raises(ValueError, match="itself"):
        f |= f


def test_copies():
    f = Filter.from_keys(["a", "b"], deletes=True)
    for made in (f.copy(), copy.copy(f), copy.deepcopy(f)):
        assert type(made) is Filter
        assert len(made) == 2
        made.discard("a")
        assert "a" in f


def test_grows():
    f = Filter(keys=100, fpr=0.01, grows=True)
    f.add_many(np.arange(20_000))
    assert f.contains_many(np.arange(20_000)).all()
    assert f.contains_many(np.arange(10**6, 11 * 10**5)).mean() < 0.02
    f.expand()


def test_full():
    f = Filter.from_spec("rsqf:r=8", keys=100)
    with pytest.raises(tamis.FullError):
        f.add_many(np.arange(10_000))
    size = len(f)
    assert size >= 100
    assert f.contains_many(np.arange(size)).all()
    f.check()


def test_describes_itself():
    f = Filter(keys=100, deletes=True, seed=5, hasher="siphash")
    assert f.seed == 5
    assert f.hasher == "siphash"
    assert "discard" in f.capabilities
    assert "report" not in f.capabilities
    assert f.capacity >= 100
    assert repr(f).startswith("<tamis.Filter rsqf")
    assert f.bits_per_key == 0.0
    stats = f.stats()
    assert stats["size"] == 0
    assert isinstance(stats["details"], dict)
    assert tamis.__version__[0].isdigit()


def test_closed():
    f = Filter(keys=10)
    f.close()
    f.close()
    assert f.closed
    assert "closed" in repr(f)
    for use in (
        lambda: f.add(1),
        lambda: 1 in f,
        lambda: len(f),
        lambda: f.add_many([1]),
        lambda: f.contains_many(np.arange(1000)),
        lambda: f.dumps(),
        lambda: f.copy(),
        lambda: f.clear(),
        lambda: f.spec,
        lambda: f | Filter(keys=10),
        lambda: Filter(keys=10) | f,
        lambda: f.hash_of(1),
        lambda: f.check(),
        lambda: f.save("/tmp/never"),
        lambda: f.report(1),
        lambda: f.report_many([1]),
        lambda: f.discard(1),
        lambda: bool(f),
    ):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_subclasses_stay():
    class Mine(Filter):
        pass

    f = Mine(keys=10, deletes=True)
    f.update([1, 2])
    assert type(f.copy()) is Mine
    assert type(Mine.loads(f.dumps())) is Mine
    assert type(f | f.copy()) is Mine
