"""AF.*: grammar, the pattern with a database, and many clients at once."""

import os
import random
import sqlite3
import threading
import unittest

from bloom_test import Case, chunks_of

SECONDS = float(os.environ.get("TAMIS_CLIENT_SECONDS", "4"))


class AdaptiveTest(Case):

    def test_basics(self):
        run = self.run_command
        self.assertEqual(run("AF.RESERVE", "f", "ERROR", "0.001", "CAPACITY",
                             500), b"OK")
        self.assertEqual(run("AF.ADD", "f", "a"), 1)
        self.assertEqual(run("AF.MADD", "f", "a", "b"), 2)
        self.assertEqual(run("AF.EXISTS", "f", "b"), 1)
        self.assertEqual(run("AF.MEXISTS", "f", "a", "never"), [1, 0])
        self.assertIsNone(run("AF.QUERY", "f", "never"))
        low, high, _ = run("AF.QUERY", "f", "a")
        self.assertLessEqual(low, run("AF.HASH", "f", "a"))
        self.assertGreaterEqual(high, run("AF.HASH", "f", "a"))
        self.assertEqual([run("AF.DEL", "f", "a") for _ in range(3)], [1, 1, 0])
        self.assertEqual(run("AF.EXISTS", "f", "a"), 0)
        self.assertEqual(run("TYPE", "f"), b"tamis--AF")
        flat = run("AF.INFO", "f")
        info = dict(zip(flat[::2], flat[1::2]))
        self.assertEqual(info[b"Number of items inserted"], 1)
        self.assertEqual(info[b"Number of items deleted"], 2)
        self.assertEqual(float(info[b"Error rate"]), 0.001)
        stats = run("AF.STATS", "f")
        self.assertIn(b"erases", stats[::2])

    def test_errors(self):
        fails = self.fails
        for words in ("ERROR 0", "ERROR 1", "ERROR x", "ERROR"):
            fails("error rate must be in the range (0.000000, 1.000000)",
                  "AF.RESERVE", "f", *words.split())
        for words in ("BITS 2", "BITS 41", "BITS x", "BITS"):
            fails("BITS: value must be in the range [3, 40]", "AF.RESERVE",
                  "f", *words.split())
        for words in ("CAPACITY 0", "CAPACITY x", "CAPACITY"):
            fails("capacity must be in the range [1, 1099511627776]",
                  "AF.RESERVE", "f", *words.split())
        fails("MEMORY: value must be a number of bytes", "AF.RESERVE", "f",
              "MEMORY", 0)
        fails("HASH: must be XXH3 or SIPHASH", "AF.RESERVE", "f", "HASH", "md5")
        fails("SEED: must be one or two integers", "AF.RESERVE", "f", "SEED")
        for words in ("SHARD 4 OF 4", "SHARD 0 OF", "SHARD 0", "SHARD -1 OF 4",
                      "SHARD 0 IN 4", "SHARD 0 OF 16385"):
            fails("SHARD: must be i OF n, with 0 <= i < n <= 16384",
                  "AF.RESERVE", "f", *words.split())
        fails("Unknown argument received", "AF.RESERVE", "f", "SIZE", 5)
        for command in ("AF.ADD f x", "AF.MADD f x", "AF.EXISTS f x",
                        "AF.MEXISTS f x", "AF.QUERY f x", "AF.DEL f x",
                        "AF.HASH f x", "AF.INFO f", "AF.STATS f",
                        "AF.RESIZE f", "AF.MERGE f g", "AF.DUMP f 0",
                        "AF.REPORT f x TOKEN 1 MEMBERS"):
            fails("not found", *command.split())
        self.run_command("AF.RESERVE", "f")
        fails("item exists", "AF.RESERVE", "f")
        for words in ("TOKEN x MEMBERS", "TICKET 1 MEMBERS", "TOKEN 1 MEMBER"):
            fails("expected TOKEN t MEMBERS m...", "AF.REPORT", "f", "y",
                  *words.split())
        self.client.set("s", "text")
        for command in ("AF.ADD s x", "AF.EXISTS s x", "AF.QUERY s x",
                        "AF.INFO s", "AF.DEL s x", "AF.MEXISTS s x"):
            self.fails_with("wrong kind of value", *command.split())

    def test_shards(self):
        run = self.run_command
        self.assertEqual(run("AF.RESERVE", "a", "SHARD", 3, "OF", 4, "SEED", 7),
                         b"OK")
        # CRC16 of 123456789 is 0x31c3: shard 0 of 4.
        wrong = ("item belongs to another shard: "
                 "shard = CRC16(item) * n >> 16")
        for command in ("AF.ADD", "AF.EXISTS", "AF.QUERY", "AF.DEL",
                        "AF.MEXISTS", "AF.MADD"):
            self.fails(wrong, command, "a", "123456789")
        self.fails(wrong, "AF.REPORT", "a", "123456789", "TOKEN", 0, "MEMBERS")
        run("AF.RESERVE", "b", "SHARD", 0, "OF", 4, "SEED", 7)
        self.assertEqual(run("AF.ADD", "b", "123456789"), 1)
        self.fails("they are different shards", "AF.MERGE", "a", "b")

    def test_memory_budget(self):
        self.run_command("AF.RESERVE", "f", "MEMORY", 30000)
        added = 0
        with self.assertRaisesRegex(Exception, "at the end of its memory"):
            for added in range(50000):
                self.run_command("AF.ADD", "f", added)
        self.assertGreater(added, 8000)
        self.assertLessEqual(self.client.memory_usage("f"), 31000)
        self.assertEqual(
            sum(self.run_command("AF.MEXISTS", "f", *range(added))), added)

    def test_seed_decides_everything(self):
        for key in ("a", "b"):
            self.run_command("AF.RESERVE", key, "SEED", 42)
            self.run_command("AF.MADD", key, *range(5000))
        self.run_command("AF.RESERVE", "c", "SEED", 43)
        self.assertEqual(*(self.run_command("DEBUG", "DIGEST-VALUE", key)
                           for key in ("a", "b")))
        self.assertEqual(self.run_command("AF.HASH", "a", "x"),
                         self.run_command("AF.HASH", "b", "x"))
        self.assertNotEqual(self.run_command("AF.HASH", "a", "x"),
                            self.run_command("AF.HASH", "c", "x"))

    def test_counted_copies_are_deleted_like_others(self):
        """The tenth copy has no entry, but its row is gone all the same."""
        run = self.run_command
        run("AF.RESERVE", "f", "BITS", 3, "CAPACITY", 16, "SEED", 7)
        run("AF.MADD", "f", *["m"] * 10)
        absent, claim = next(
            (name, found) for name in map(str, range(10000))
            if (found := run("AF.QUERY", "f", name)) is not None)
        self.assertEqual(run("AF.DEL", "f", "m"), 1)
        report = ("AF.REPORT", "f", absent, "TOKEN")
        self.assertEqual(run(*report, claim[2], "MEMBERS", *["m"] * 10), 0)
        token = run("AF.QUERY", "f", absent)[2]
        self.assertEqual(run(*report, token, "MEMBERS", *["m"] * 9), 1)
        self.assertEqual(run("AF.EXISTS", "f", "m"), 1)

    def test_keys_expire_when_they_would_have(self):
        for key in ("a", "b"):
            self.run_command("AF.RESERVE", key, "SEED", 9)
            self.run_command("AF.MADD", key, *range(5000))
        self.client.expire("a", 1000)
        self.run_command("AF.MERGE", "a", "b")
        self.run_command("AF.RESIZE", "a")
        self.assertGreater(self.client.ttl("a"), 900)
        (one, header), (two, chunk) = chunks_of(self.client, "a", "AF.DUMP")
        self.run_command("AF.LOAD", "x", one, header)
        self.client.expire("x", 1000)
        self.run_command("AF.LOAD", "x", two, chunk)
        self.assertGreater(self.client.ttl("x"), 900)
        self.assertEqual(self.run_command("AF.INFO", "x")[5], 10000)

    def test_merge_and_resize(self):
        for key, start in (("a", 0), ("b", 3000), ("c", 6000)):
            self.run_command("AF.RESERVE", key, "SEED", 9)
            self.run_command("AF.MADD", key, *range(start, start + 3000))
        self.run_command("AF.RESERVE", "other", "SEED", 10)
        self.fails_with("hashers differ", "AF.MERGE", "a", "b", "other")
        self.fails_with("merged into itself", "AF.MERGE", "a", "a")
        self.assertEqual(self.run_command("AF.INFO", "a")[5], 3000)
        self.assertEqual(self.run_command("AF.MERGE", "a", "b", "c"), b"OK")
        self.assertEqual(
            sum(self.run_command("AF.MEXISTS", "a", *range(9000))), 9000)
        self.assertEqual(self.run_command("AF.INFO", "a")[5], 9000)
        full = self.client.memory_usage("a")
        for item in range(8500):
            self.run_command("AF.DEL", "a", item)
        self.assertEqual(self.run_command("AF.RESIZE", "a"), b"OK")
        self.assertLess(self.client.memory_usage("a"), full / 2)
        self.assertEqual(
            sum(self.run_command("AF.MEXISTS", "a", *range(8500, 9000))), 500)

    def test_dump_and_load(self):
        self.run_command("AF.RESERVE", "f")
        self.run_command("AF.MADD", "f", *range(2000))
        for pair in chunks_of(self.client, "f", "AF.DUMP"):
            self.run_command("AF.LOAD", "g", *pair)
        self.assertEqual(*(self.run_command("DEBUG", "DIGEST-VALUE", key)
                           for key in ("f", "g")))

    def test_reports_need_a_fresh_token(self):
        run = self.run_command
        run("AF.RESERVE", "f", "BITS", 3, "CAPACITY", 64)
        run("AF.MADD", "f", *range(200))
        absent = next(x for x in range(1000, 100000)
                      if run("AF.EXISTS", "f", x))
        low, high, token = run("AF.QUERY", "f", absent)
        found = [i for i in range(200) if low <= run("AF.HASH", "f", i) <= high]
        run("AF.DEL", "f", next(i for i in range(200) if i not in found))
        self.assertEqual(run("AF.REPORT", "f", absent, "TOKEN", token,
                             "MEMBERS", *found), 0)
        self.assertEqual(run("AF.EXISTS", "f", absent), 1)
        token = run("AF.QUERY", "f", absent)[2]
        self.fails("the item is among its members", "AF.REPORT", "f", absent,
                   "TOKEN", token, "MEMBERS", absent)
        self.assertEqual(run("AF.REPORT", "f", absent, "TOKEN", token,
                             "MEMBERS", *found), 1)
        self.assertEqual(run("AF.EXISTS", "f", absent), 0)
        self.assertIsNone(run("AF.QUERY", "f", absent))

    def test_copies_that_are_only_counted_take_no_entry(self):
        run = self.run_command
        run("AF.RESERVE", "f", "BITS", 3, "CAPACITY", 16)
        members = {}
        for i in range(40):
            members[i] = 1 + 11 * (i % 3)
            run("AF.MADD", "f", *([i] * members[i]))
        for absent in range(1000, 1400):
            answer = run("AF.QUERY", "f", absent)
            if answer is None:
                continue
            found = [i for i in members
                     if answer[0] <= run("AF.HASH", "f", i) <= answer[1]
                     for _ in range(members[i])]
            run("AF.REPORT", "f", absent, "TOKEN", answer[2], "MEMBERS",
                *found)
            self.assertEqual(sum(run("AF.MEXISTS", "f", *members)), 40)
        for i, copies in members.items():
            for _ in range(copies):
                self.assertEqual(run("AF.DEL", "f", i), 1)


class Table:
    """A table with an index on the hash, as a database has it."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, timeout=60, isolation_level=None)
        self.db.execute("PRAGMA synchronous=OFF")
        self.db.execute("CREATE TABLE IF NOT EXISTS t "
                        "(name TEXT PRIMARY KEY, hash INTEGER)")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_hash ON t (hash)")

    def insert(self, name, value):
        self.db.execute("INSERT INTO t VALUES (?, ?)", (name, value))

    def remove(self, name):
        self.db.execute("DELETE FROM t WHERE name = ?", (name,))

    def between(self, low, high):
        return [row[0] for row in self.db.execute(
            "SELECT name FROM t WHERE hash BETWEEN ? AND ?", (low, high))]

    def names(self):
        return [row[0] for row in self.db.execute("SELECT name FROM t")]


class ManyClientsTest(Case):

    def work(self, number, path, stop, errors):
        """Adds, deletes, asks and reports, on names of this client's own."""
        try:
            client, table = self.server.client(), Table(path)
            generator = random.Random(number)
            run, mine = client.execute_command, []
            while not stop.is_set():
                choice = generator.random()
                if choice < 0.3 or not mine:
                    name = f"{number}:{generator.random()}"
                    run("AF.ADD", "f", name)
                    table.insert(name, run("AF.HASH", "f", name))
                    mine.append(name)
                elif choice < 0.4:
                    name = mine.pop(generator.randrange(len(mine)))
                    table.remove(name)
                    assert run("AF.DEL", "f", name) == 1
                elif choice < 0.6:
                    name = generator.choice(mine)
                    assert run("AF.EXISTS", "f", name) == 1, name
                else:
                    self.look_up(run, table, f"absent:{generator.random()}")
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)
            stop.set()

    @staticmethod
    def look_up(run, table, name):
        answer = run("AF.QUERY", "f", name)
        if answer is None:
            return
        low, high, token = answer
        found = table.between(low, high)
        assert name not in found
        run("AF.REPORT", "f", name, "TOKEN", token, "MEMBERS", *found)

    def test_eight_clients(self):
        self.run_command("AF.RESERVE", "f", "BITS", 4, "CAPACITY", 32)
        path = os.path.join(self.server.folder, "table.db")
        Table(path)
        stop, errors = threading.Event(), []
        threads = [threading.Thread(target=self.work,
                                    args=(i, path, stop, errors))
                   for i in range(8)]
        for thread in threads:
            thread.start()
        stop.wait(SECONDS)
        stop.set()
        for thread in threads:
            thread.join(120)
        if errors:
            raise errors[0]
        names = Table(path).names()
        self.assertGreater(len(names), 20)
        found = self.run_command("AF.MEXISTS", "f", *names)
        self.assertEqual(sum(found), len(names))
        info = self.client.info("tamis_stats")
        self.assertGreater(info["tamis_reports_fixed"], 0)
        print(f"8 clients: {len(names)} members, "
              f"{info['tamis_reports']} reports, "
              f"{info['tamis_reports_fixed']} fixed, "
              f"{info['tamis_reports_stale']} too old, 0 lost")


if __name__ == "__main__":
    unittest.main()
