"""Many threads in one filter: nothing is lost, nothing hangs."""

import sys
import threading

import numpy as np
import pytest

from tamis import Filter

THREADS = 6


def run_all(work, count=THREADS):
    errors = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive(), "hangs"
    if errors:
        raise errors[0]


@pytest.fixture(autouse=True)
def switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize(
    "options",
    [
        {"deletes": True},
        {"grows": True, "deletes": True},
        {"spec": "tamis:f=14,members=mirror"},
        {"threads": True},
    ],
    ids=str,
)
def test_readers_and_writers(options):
    per_thread = 3000
    f = Filter(keys=THREADS * per_thread, fpr=0.001, **options)
    assert ("threads" in f.capabilities) == ("threads" in options)

    def work(number):
        mine = np.arange(per_thread, dtype=np.uint64) + np.uint64(number << 32)
        for part in np.array_split(mine, 6):
            f.add_many(part)
            assert f.contains_many(part).all()
            for key in part[:20].tolist():
                f.add(key)
                assert key in f
                f.discard(key)
                assert key in f
        assert f.contains_many(mine).all()
        assert len(f) >= per_thread
        if number == 0:
            assert len(f.dumps()) > 0

    run_all(work)
    assert len(f) == THREADS * per_thread
    f.check()


def test_a_source_in_python_does_not_block():
    class Source:
        def __init__(self):
            self.hashes = []

        def members(self, low, high):
            return [h for h in self.hashes if low <= h <= high]

    source = Source()
    f = Filter(keys=2000, spec="tamis:f=5,members=source", source=source)
    f.update(range(500))
    source.hashes = sorted(f.hash_of(key) for key in range(500))

    def work(number):
        asked = np.arange(1000, dtype=np.uint64) + np.uint64((number + 1) << 32)
        wrong = asked[f.contains_many(asked)]
        f.report_many(wrong)
        for key in wrong.tolist():
            f.report(key)
        assert f.contains_many(np.arange(500)).all()

    run_all(work)
    f.check()


def test_closing_while_others_ask():
    f = Filter.from_keys(range(10_000))
    keys = np.arange(10_000)

    def work(number):
        try:
            for _ in range(50):
                assert f.contains_many(keys).all()
                assert 5 in f
                if number == 0:
                    f.close()
        except ValueError as error:
            assert "closed" in str(error)

    run_all(work)
    assert f.closed


def test_merging_both_ways():
    f = Filter(keys=10**6, spec="blocked:bits=8", seed=1)
    g = f.copy()
    f.add_many(np.arange(0, 100))
    g.add_many(np.arange(100, 200))

    def work(number):
        for _ in range(3):
            one, other = (f, g) if number % 2 else (g, f)
            one |= other

    run_all(work)
    assert f.contains_many(np.arange(200)).all()
    assert g.contains_many(np.arange(200)).all()
