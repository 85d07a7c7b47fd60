"""Millions of random operations, by batches, against an exact multiset."""

import numpy as np
import pytest

from tamis import Filter

UNIVERSE = 60_000
MOST = 50_000
BATCH = 5_000


def operate(spec, operations, seed=1):
    """Return how many operations were done; each answer is checked."""
    random = np.random.default_rng(seed)
    f = Filter(keys=MOST, spec=spec)
    adapts = "report" in f.capabilities
    counts = np.zeros(UNIVERSE, dtype=np.int64)
    done = 0
    while done < operations:
        keys = random.integers(0, UNIVERSE, BATCH, dtype=np.uint64)
        choice = random.integers(0, 8)
        done += BATCH
        if choice < 2 and counts.sum() + BATCH <= MOST:
            f.add_many(keys)
            np.add.at(counts, keys, 1)
        elif choice < 4:
            members = np.unique(keys)
            members = members[counts[members] > 0]
            f.discard_many(members)
            counts[members] -= 1
        elif choice == 4:
            f = Filter.loads(f.dumps())
        else:
            answers = f.contains_many(keys)
            assert answers[counts[keys] > 0].all(), "false negative"
            wrong = keys[answers & (counts[keys] == 0)]
            if adapts and len(wrong):
                fixed = f.report_many(np.unique(wrong))
                done += len(fixed)
        assert len(f) == counts.sum()
    members = np.nonzero(counts)[0].astype(np.uint64)
    assert f.contains_many(members).all()
    f.check()
    return done


SPECS = ["rsqf:r=8", "taf:r=6", "tamis:f=8,members=mirror"]


@pytest.mark.parametrize("spec", SPECS)
def test_no_false_negative(spec):
    assert operate(spec, 500_000) >= 500_000


@pytest.mark.parametrize("spec", SPECS)
def test_ten_million_long(spec):
    assert operate(spec, 10**7) >= 10**7


def test_ten_million_one_by_one_long():
    """The same through add, `in`, discard and report."""
    random = np.random.default_rng(2)
    f = Filter(keys=MOST, spec="tamis:f=8,members=mirror")
    members = set()
    for key in random.integers(0, UNIVERSE, 10**7).tolist():
        if key in members:
            assert key in f
            f.discard(key)
            members.remove(key)
        elif key in f:
            f.report(key)
        elif len(members) < MOST:
            f.add(key)
            members.add(key)
    assert all(key in f for key in members)
