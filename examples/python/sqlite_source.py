"""An adaptive filter in front of a real table: each wasted read is made once."""

import sqlite3

import tamis


class Users:
    """A table with an index on the filter's hash, which is its key source."""

    def __init__(self, names):
        self.table = sqlite3.connect(":memory:")
        self.table.execute("CREATE TABLE users (hash BLOB PRIMARY KEY, name TEXT)")
        self.filter = tamis.Filter(keys=len(names), fpr=0.01, source=self)
        self.filter.update(names)  # into the filter first, then into the table
        rows = [(self.filter.hash_of(name).to_bytes(16, "big"), name) for name in names]
        self.table.executemany("INSERT INTO users VALUES (?, ?)", rows)
        self.wasted = 0

    def members(self, low, high):
        query = "SELECT hash FROM users WHERE hash BETWEEN ? AND ? ORDER BY hash"
        ends = [end.to_bytes(16, "big") for end in (low, high)]
        return (row[0] for row in self.table.execute(query, ends))

    def __contains__(self, name):
        if name not in self.filter:
            return False  # for certain, without a read
        key = self.filter.hash_of(name).to_bytes(16, "big")
        if self.table.execute("SELECT 1 FROM users WHERE hash = ?", [key]).fetchone():
            return True
        self.wasted += 1
        self.filter.report(name)  # never again
        return False


users = Users([f"user{n}" for n in range(10_000)])
for day in range(1, 4):
    assert not any(f"bot{n}" in users for n in range(50_000))
    print(f"day {day}: 50000 look-ups of bots, {users.wasted} wasted reads so far")
assert all(f"user{n}" in users for n in range(10_000))
