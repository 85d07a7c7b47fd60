"""CF.*: grammar, replies and error texts, duplicates, deletes."""

import unittest

from bloom_test import Case, chunks_of


class CuckooTest(Case):

    def test_basics(self):
        run = self.run_command
        self.assertEqual(run("CF.ADD", "f", "a"), 1)
        self.assertEqual(run("CF.ADD", "f", "a"), 1)
        self.assertEqual(run("CF.ADDNX", "f", "a"), 0)
        self.assertEqual(run("CF.ADDNX", "f", "b"), 1)
        self.assertEqual(run("CF.COUNT", "f", "a"), 2)
        self.assertEqual(run("CF.COUNT", "f", "never"), 0)
        self.assertEqual(run("CF.COUNT", "missing", "a"), 0)
        self.assertEqual(run("CF.INSERT", "f", "ITEMS", "c", "c"), [1, 1])
        self.assertEqual(run("CF.INSERTNX", "f", "ITEMS", "c", "d"), [0, 1])
        self.assertEqual(run("CF.EXISTS", "f", "d"), 1)
        self.assertEqual(run("CF.EXISTS", "missing", "d"), 0)
        self.assertEqual(run("CF.MEXISTS", "f", "a", "never"), [1, 0])
        self.assertEqual(run("CF.DEL", "f", "a"), 1)
        self.assertEqual(run("CF.DEL", "f", "a"), 1)
        self.assertEqual(run("CF.DEL", "f", "a"), 0)
        self.assertEqual(run("CF.EXISTS", "f", "a"), 0)
        self.assertEqual(run("CF.COMPACT", "f"), b"OK")
        self.assertEqual(run("TYPE", "f"), b"tamis--CF")

    def test_through_redis_py(self):
        cf = self.client.cf()
        self.assertTrue(cf.create("f", 1000, expansion=2, bucket_size=4,
                                  max_iterations=30))
        self.assertEqual(cf.add("f", "x"), 1)
        self.assertEqual(cf.addnx("f", "x"), 0)
        self.assertEqual(cf.insert("f", ["y", "y"]), [1, 1])
        self.assertEqual(cf.insertnx("f", ["y", "z"]), [0, 1])
        self.assertEqual(cf.exists("f", "z"), 1)
        self.assertEqual(cf.count("f", "y"), 2)
        self.assertEqual(cf.delete("f", "y"), 1)
        info = cf.info("f")
        self.assertEqual(info.filterNum, 1)
        self.assertEqual(info.insertedNum, 3)
        self.assertEqual(info.deletedNum, 1)
        self.assertEqual(info.bucketSize, 4)
        self.assertEqual(info.expansionRate, 2)
        self.assertEqual(info.maxIteration, 30)

    def test_info_order(self):
        self.run_command("CF.ADD", "f", "x")
        flat = self.run_command("CF.INFO", "f")
        self.assertEqual(flat[0:16:2], [
            b"Size", b"Number of buckets", b"Number of filters",
            b"Number of items inserted", b"Number of items deleted",
            b"Bucket size", b"Expansion rate", b"Max iterations"])
        self.assertEqual(flat[5:16:2], [1, 1, 0, 2, 1, 20])
        self.assertEqual(flat[16], b"Expected false positive rate")
        self.assertLess(float(flat[17]), 0.01)

    def test_errors(self):
        fails = self.fails
        fails("Couldn't parse CAPACITY", "CF.RESERVE", "f", "x")
        fails("CAPACITY: value must be in the range [1, 1099511627776]",
              "CF.RESERVE", "f", 0)
        for word, low, high in (("BUCKETSIZE", 1, 255),
                                ("MAXITERATIONS", 1, 65535),
                                ("EXPANSION", 0, 32768)):
            fails("Couldn't parse " + word, "CF.RESERVE", "f", 9, word, "x")
            fails("Couldn't parse " + word, "CF.RESERVE", "f", 9, word)
            for value in (low - 1, high + 1):
                fails(f"{word}: value must be in the range [{low}, {high}]",
                      "CF.RESERVE", "f", 9, word, value)
        fails("Unknown argument received", "CF.RESERVE", "f", 9, "BUCKET", 1)
        fails("Bad capacity", "CF.INSERT", "f", "CAPACITY", "x", "ITEMS", "a")
        fails("Unknown argument received", "CF.INSERT", "f", "NOT", "ITEMS",
              "a")
        fails("not found", "CF.INSERT", "f", "NOCREATE", "ITEMS", "a")
        fails("Not found", "CF.DEL", "f", "a")
        fails("Cuckoo filter was not found", "CF.COMPACT", "f")
        fails("not found", "CF.INFO", "f")
        fails("not found", "CF.SCANDUMP", "f", 0)
        fails("not found", "CF.LOADCHUNK", "f", 2, "x")
        self.assertEqual(self.client.exists("f"), 0)
        self.run_command("CF.RESERVE", "f", 9)
        fails("item exists", "CF.RESERVE", "f", 9)
        fails("Invalid position", "CF.SCANDUMP", "f", "x")
        fails("Invalid position", "CF.LOADCHUNK", "g", "x", "data")
        fails("Invalid position", "CF.LOADCHUNK", "g", 0, "data")
        fails("Invalid header", "CF.LOADCHUNK", "g", 1, "data")
        fails("item exists", "CF.LOADCHUNK", "f", 1, "data")
        fails("Couldn't load chunk!", "CF.LOADCHUNK", "f", 2, "data")
        self.client.set("s", "text")
        for command in (("CF.ADD", "s", "x"), ("CF.DEL", "s", "x"),
                        ("CF.INFO", "s"), ("CF.COMPACT", "s"),
                        ("CF.RESERVE", "s", 9)):
            self.fails_with("wrong kind of value", *command)
        self.assertEqual(self.run_command("CF.EXISTS", "s", "x"), 0)

    def test_arity(self):
        for command in ("CF.ADD f", "CF.ADDNX f", "CF.INSERT f x", "CF.DEL f",
                        "CF.EXISTS f", "CF.COUNT f", "CF.COMPACT", "CF.INFO",
                        "CF.RESERVE f", "CF.SCANDUMP f", "CF.LOADCHUNK f 1",
                        "CF.INSERT f NOCREATE ITEMS"):
            self.fails_with("wrong number of arguments", *command.split())

    def test_fixed_size_is_exact(self):
        self.run_command("CF.RESERVE", "f", 4, "EXPANSION", 0)
        self.assertEqual(
            self.run_command("CF.INSERT", "f", "ITEMS", *range(6)),
            [1, 1, 1, 1, -1, -1])
        self.fails("Filter is full", "CF.ADD", "f", "more")
        self.run_command("CF.DEL", "f", 0)
        self.assertEqual(self.run_command("CF.ADD", "f", "more"), 1)

    def test_large_parameters_are_reported(self):
        self.run_command("CF.RESERVE", "f", 67108864, "BUCKETSIZE", 255,
                         "MAXITERATIONS", 65535, "EXPANSION", 32768)
        flat = self.run_command("CF.INFO", "f")
        self.assertEqual(flat[11:16:2], [255, 32768, 65535])

    def test_duplicates_do_not_explode(self):
        before = self.client.info("memory")["used_memory"]
        self.run_command("CF.INSERT", "f", "ITEMS", *(["same"] * 140000))
        self.assertEqual(self.run_command("CF.COUNT", "f", "same"), 140000)
        self.assertLess(self.client.memory_usage("f"), 20000)
        self.assertLess(self.client.info("memory")["used_memory"],
                        before + 3000000)
        pairs = chunks_of(self.client, "f", "CF.SCANDUMP")
        for pair in pairs:
            self.run_command("CF.LOADCHUNK", "g", *pair)
        self.client.restore("h", 0, self.client.dump("g"))
        pipe = self.client.pipeline(transaction=False)
        for _ in range(139999):
            pipe.execute_command("CF.DEL", "h", "same")
        self.assertEqual(sum(pipe.execute()), 139999)
        self.assertEqual(self.run_command("CF.COUNT", "h", "same"), 1)
        self.run_command("CF.DEL", "h", "same")
        self.assertEqual(self.run_command("CF.EXISTS", "h", "same"), 0)
        self.assertEqual(self.run_command("CF.COUNT", "g", "same"), 140000)

    def test_counted_items_outlive_those_they_collided_with(self):
        """With 3 bits many share a fingerprint: some are only counted."""
        run = self.run_command
        run("AF.RESERVE", "f", "BITS", 3, "CAPACITY", 8)
        for item in range(300):
            run("AF.MADD", "f", *([item] * 3))
        for item in range(0, 300, 2):
            for _ in range(3):
                self.assertEqual(run("AF.DEL", "f", item), 1)
        left = list(range(1, 300, 2))
        self.assertEqual(sum(run("AF.MEXISTS", "f", *left)), len(left))
        for item in left:
            self.assertEqual(run("AF.EXISTS", "f", item), 1)
            low, high, _ = run("AF.QUERY", "f", item)
            self.assertLessEqual(low, run("AF.HASH", "f", item))
            self.assertGreaterEqual(high, run("AF.HASH", "f", item))
            for _ in range(3):
                self.assertEqual(run("AF.DEL", "f", item), 1)
        self.assertEqual(run("AF.INFO", "f")[5], 0)

    def test_deletes_give_memory_back(self):
        for start in range(0, 100000, 10000):
            self.run_command("CF.INSERT", "f", "ITEMS",
                             *range(start, start + 10000))
        grown = self.client.memory_usage("f")
        pipe = self.client.pipeline(transaction=False)
        for item in range(1000, 100000):
            pipe.execute_command("CF.DEL", "f", item)
        self.assertEqual(sum(pipe.execute()), 99000)
        self.run_command("CF.COMPACT", "f")
        self.assertLess(self.client.memory_usage("f"), grown / 10)
        self.assertEqual(sum(self.run_command("CF.MEXISTS", "f",
                                              *range(1000))), 1000)

    def test_empty_dump(self):
        self.run_command("CF.RESERVE", "f", 100)
        self.assertEqual(self.run_command("CF.SCANDUMP", "f", 0), [0, None])
        self.run_command("CF.ADD", "f", "x")
        pairs = chunks_of(self.client, "f", "CF.SCANDUMP")
        self.assertEqual(pairs[0][0], 1)
        self.assertEqual(
            self.run_command("CF.SCANDUMP", "f", pairs[-1][0]), [0, None])


if __name__ == "__main__":
    unittest.main()
