"""Hypothesis against a set: whatever is done, no member is ever missing."""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import tamis
from tamis import Filter

keys = st.one_of(
    st.integers(0, 300), st.integers(0, 2**64 - 1), st.binary(max_size=9), st.text(max_size=3)
)


def identity(key):
    """What a key is: its bytes."""
    if isinstance(key, str):
        return key.encode()
    return key.to_bytes(8, "little") if isinstance(key, int) else key


class AgainstASet(RuleBasedStateMachine):
    spec = ""

    def __init__(self):
        super().__init__()
        self.filter = Filter(keys=400, spec=self.spec)
        self.members = Counter()

    def count(self, added):
        self.members.update(identity(key) for key in added)

    @rule(key=keys)
    def add(self, key):
        try:
            self.filter.add(key)
        except tamis.FullError:
            return
        self.count([key])

    @rule(many=st.lists(keys, max_size=16))
    def add_many(self, many):
        before = len(self.filter)
        try:
            self.filter.add_many(many)
        except tamis.FullError:  # those before the first that did not fit are in
            many = many[: len(self.filter) - before]
        self.count(many)

    @rule(key=keys)
    def discard_a_member(self, key):
        if self.members[identity(key)] and "discard" in self.filter.capabilities:
            self.filter.remove(key)
            self.members[identity(key)] -= 1

    @rule(key=keys)
    def report(self, key):
        if "report" not in self.filter.capabilities:
            return
        if self.members[identity(key)]:
            if "knows_members" in self.filter.capabilities:
                with pytest.raises(tamis.IsMemberError):
                    self.filter.report(key)
        elif self.filter.report(key):
            assert key not in self.filter

    @rule(many=st.lists(keys, max_size=16))
    def contains_many(self, many):
        answers = self.filter.contains_many(many)
        for key, answer in zip(many, answers):
            assert answer == (key in self.filter)
            assert answer or not self.members[identity(key)]

    @rule()
    def reload(self):
        self.filter = Filter.loads(self.filter.dumps())

    @rule()
    def copy(self):
        self.filter = self.filter.copy()

    @rule(many=st.lists(keys, max_size=8))
    def merge(self, many):
        if "merge" not in self.filter.capabilities:
            return
        other = self.filter.copy()
        other.clear()
        try:
            other.add_many(many)
            self.filter |= other
        except (tamis.FullError, tamis.IncompatibleError):
            return
        self.count(many)

    @rule()
    def clear(self):
        self.filter.clear()
        self.members.clear()

    @invariant()
    def members_are_found(self):
        assert len(self.filter) == sum(self.members.values())
        assert all(key in self.filter for key, n in self.members.items() if n)
        self.filter.check()


SPECS = ["rsqf:r=5", "taf:r=4", "tamis:f=5,members=mirror", "blocked:bits=8",
         "cuckooing:f=8", "infini:f=6"]  # fmt: skip
for number, one in enumerate(SPECS):
    machine = type(f"Machine{number}", (AgainstASet,), {"spec": one})
    case = machine.TestCase
    case.settings = settings(max_examples=25, stateful_step_count=40)
    globals()[f"Test_{one.partition(':')[0]}"] = case
del case, machine
