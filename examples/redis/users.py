"""A filter before a table: one read for a row that is there, none for one that
is not, and no mistake twice.

    redis-server --loadmodule .../tamis_redis.so
    python3 users.py [PORT]

The table has an indexed column with the hash of each name.  The contract: the
filter contains the table, always.  A name goes into the filter first and into
the table second, out of the table first and out of the filter last.
"""

import sqlite3
import sys

import redis

FILTER = "users"


class Users:
    def __init__(self, client, database):
        self.run = client.execute_command
        self.db = database
        self.reads = 0
        self.db.execute("CREATE TABLE user (name TEXT PRIMARY KEY, hash INTEGER)")
        self.db.execute("CREATE INDEX user_by_hash ON user (hash)")

    def add(self, name):
        self.run("AF.ADD", FILTER, name)
        self.db.execute("INSERT INTO user VALUES (?, ?)",
                        (name, self.run("AF.HASH", FILTER, name)))

    def remove(self, name):
        self.db.execute("DELETE FROM user WHERE name = ?", (name,))
        self.run("AF.DEL", FILTER, name)

    def find(self, name):
        """True if there is such a user."""
        claim = self.run("AF.QUERY", FILTER, name)
        if claim is None:
            return False  # certainly: the database was not asked
        low, high, token = claim
        self.reads += 1
        names = [row[0] for row in self.db.execute(
            "SELECT name FROM user WHERE hash BETWEEN ? AND ?", (low, high))]
        if name in names:
            return True
        # Those that the name was taken for: the filter learns to tell them.
        self.run("AF.REPORT", FILTER, name, "TOKEN", token, "MEMBERS", *names)
        return False


def main():
    client = redis.Redis(port=int(sys.argv[1]) if len(sys.argv) > 1 else 6379)
    client.delete(FILTER)
    client.execute_command("AF.RESERVE", FILTER, "ERROR", "0.05")
    users = Users(client, sqlite3.connect(":memory:"))
    for i in range(2000):
        users.add(f"user{i}")
    for i in range(0, 2000, 2):
        users.remove(f"user{i}")
    assert all(users.find(f"user{i}") for i in range(1, 2000, 2))

    strangers = [f"stranger{i}" for i in range(5000)]
    for round_number in (1, 2):
        users.reads = 0
        assert not any(users.find(name) for name in strangers)
        print(f"round {round_number}: {len(strangers)} strangers, "
              f"{users.reads} reads")
    assert users.reads == 0, "no mistake twice"


if __name__ == "__main__":
    main()
