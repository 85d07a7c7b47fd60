"""BF.*: grammar, replies and error texts, through redis-py and raw."""

import unittest

import redis
from redis.exceptions import ResponseError

from server import Server


class Case(unittest.TestCase):
    """A server for all tests of a class; each test starts with no keys."""

    options = ()
    module = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options, module=cls.module)

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def setUp(self):
        self.client = self.server.client()
        self.client.flushall()

    def tearDown(self):
        self.client.close()

    def run_command(self, *words):
        return self.client.execute_command(*words)

    def fails(self, text, *words):
        """Expects the command to fail with exactly this text."""
        with self.assertRaises(ResponseError) as caught:
            self.run_command(*words)
        self.assertEqual(str(caught.exception), text)

    def fails_with(self, part, *words):
        with self.assertRaises(ResponseError) as caught:
            self.run_command(*words)
        self.assertIn(part, str(caught.exception))


def chunks_of(client, key, command="BF.SCANDUMP"):
    """All pairs that a dump consists of."""
    pairs, position = [], 0
    for _ in range(10000):
        position, data = client.execute_command(command, key, position)
        if position == 0:
            return pairs
        pairs.append((position, data))
    raise AssertionError("a dump without an end")


WRONG_TYPE = ("WRONGTYPE Operation against a key holding the wrong kind of "
              "value")


class BloomTest(Case):

    def test_add_and_exists(self):
        run = self.run_command
        self.assertEqual(run("BF.ADD", "f", "a"), 1)
        self.assertEqual(run("BF.ADD", "f", "a"), 0)
        self.assertEqual(run("BF.MADD", "f", "a", "b", "c"), [0, 1, 1])
        self.assertEqual(run("BF.EXISTS", "f", "b"), 1)
        self.assertEqual(run("BF.EXISTS", "f", "never"), 0)
        self.assertEqual(run("BF.MEXISTS", "f", "a", "never", "c"), [1, 0, 1])
        self.assertEqual(run("BF.CARD", "f"), 3)
        self.assertEqual(run("BF.CARD", "missing"), 0)
        self.assertEqual(run("BF.EXISTS", "missing", "a"), 0)
        self.assertEqual(run("BF.MEXISTS", "missing", "a", "b"), [0, 0])
        self.assertEqual(run("TYPE", "f"), b"tamis--BF")

    def test_through_redis_py(self):
        bf = self.client.bf()
        self.assertTrue(bf.create("f", 0.001, 5000))
        self.assertEqual(bf.add("f", "x"), 1)
        self.assertEqual(bf.madd("f", "x", "y"), [0, 1])
        self.assertEqual(bf.insert("g", ["1", "2"], capacity=50, error=0.01,
                                   expansion=4), [1, 1])
        self.assertEqual(bf.exists("f", "y"), 1)
        self.assertEqual(bf.mexists("f", "y", "z"), [1, 0])
        info = bf.info("f")
        self.assertEqual(info.capacity, 5000)
        self.assertEqual(info.filterNum, 1)
        self.assertEqual(info.insertedNum, 2)
        self.assertEqual(info.expansionRate, 2)
        position, data = bf.scandump("f", 0)
        self.assertEqual(position, 1)
        self.assertTrue(bf.loadchunk("h", position, data))

    def test_info(self):
        self.run_command("BF.RESERVE", "f", "0.01", 1000, "EXPANSION", 4)
        flat = self.run_command("BF.INFO", "f")
        self.assertEqual(flat[::2], [
            b"Capacity", b"Size", b"Number of filters",
            b"Number of items inserted", b"Expansion rate"])
        self.assertEqual(flat[1], 1000)
        self.assertEqual(flat[5:10:2], [1, 0, 4])
        for field, value in (("CAPACITY", 1000), ("FILTERS", 1), ("ITEMS", 0),
                             ("EXPANSION", 4), ("size", flat[3])):
            self.assertEqual(self.run_command("BF.INFO", "f", field), [value])
        self.fails("Invalid information value", "BF.INFO", "f", "NONSENSE")
        self.fails("not found", "BF.INFO", "missing")
        self.run_command("BF.RESERVE", "n", "0.01", 10, "NONSCALING")
        self.assertIsNone(self.run_command("BF.INFO", "n")[9])
        self.assertEqual(self.run_command("BF.INFO", "n", "EXPANSION"), [None])

    def test_one_filter_at_any_size(self):
        pipe = self.client.pipeline(transaction=False)
        for start in range(0, 100000, 1000):
            pipe.execute_command("BF.MADD", "f", *range(start, start + 1000))
        pipe.execute()
        flat = self.run_command("BF.INFO", "f")
        self.assertEqual(flat[5], 1)
        self.assertGreaterEqual(flat[1], flat[7])
        found = self.run_command("BF.MEXISTS", "f", *range(100000))
        self.assertEqual(sum(found), 100000)
        absent = self.run_command("BF.MEXISTS", "f", *range(-100000, 0))
        self.assertLess(sum(absent), 1100)

    def test_reserve_errors(self):
        fails = self.fails
        fails("bad error rate", "BF.RESERVE", "f", "x", 10)
        for rate in ("0", "1", "-0.1", "1.5"):
            fails("error rate must be in the range (0.000000, 1.000000)",
                  "BF.RESERVE", "f", rate, 10)
        fails("bad capacity", "BF.RESERVE", "f", "0.1", "x")
        for capacity in (0, -1, 2**30 + 1):
            fails("capacity must be in the range [1, 1073741824]",
                  "BF.RESERVE", "f", "0.1", capacity)
        fails("bad expansion", "BF.RESERVE", "f", "0.1", 10, "EXPANSION", "x")
        fails("no expansion", "BF.RESERVE", "f", "0.1", 10, "EXPANSION")
        for expansion in (-1, 32769):
            fails("expansion must be in the range [0, 32768]", "BF.RESERVE",
                  "f", "0.1", 10, "EXPANSION", expansion)
        fails("Nonscaling filters cannot expand", "BF.RESERVE", "f", "0.1", 10,
              "NONSCALING", "EXPANSION", 2)
        fails("Unknown argument received", "BF.RESERVE", "f", "0.1", 10, "NO")
        self.fails_with("wrong number of arguments", "BF.RESERVE", "f", "0.1")
        self.run_command("BF.RESERVE", "f", "0.1", 10)
        fails("item exists", "BF.RESERVE", "f", "0.1", 10)
        self.assertEqual(self.client.exists("f", "g"), 1)

    def test_insert_errors(self):
        fails = self.fails
        fails("Bad error rate", "BF.INSERT", "f", "ERROR", "x", "ITEMS", "a")
        fails("Bad capacity", "BF.INSERT", "f", "CAPACITY", "x", "ITEMS", "a")
        fails("Bad expansion", "BF.INSERT", "f", "EXPANSION", "x", "ITEMS", "a")
        fails("Unknown argument received", "BF.INSERT", "f", "ERRONEOUS",
              "0.1", "ITEMS", "a")
        fails("not found", "BF.INSERT", "f", "NOCREATE", "ITEMS", "a")
        fails("Nonscaling filters cannot expand", "BF.INSERT", "f",
              "EXPANSION", 3, "NONSCALING", "ITEMS", "a")
        self.fails_with("wrong number of arguments", "BF.INSERT", "f",
                        "NOCREATE", "ITEMS")
        self.assertEqual(self.client.exists("f"), 0)
        self.assertEqual(
            self.run_command("BF.INSERT", "f", "CAPACITY", 7, "ERROR", "0.001",
                             "NONSCALING", "ITEMS", "a", "ITEMS"), [1, 1])
        self.assertEqual(self.run_command("BF.INFO", "f", "CAPACITY"), [7])

    def test_nonscaling_is_exact(self):
        self.run_command("BF.RESERVE", "f", "0.0001", 5, "NONSCALING")
        for i in range(5):
            self.assertEqual(self.run_command("BF.ADD", "f", i), 1)
        self.fails("non scaling filter is full", "BF.ADD", "f", "more")
        self.assertEqual(self.run_command("BF.ADD", "f", 0), 0)
        answer = self.run_command("BF.MADD", "f", 0, "x", 1)
        self.assertEqual(answer[0], 0)
        self.assertEqual(len(answer), 2)
        self.assertIsInstance(answer[1], ResponseError)
        self.assertEqual(str(answer[1]), "non scaling filter is full")

    def test_wrong_type(self):
        self.client.set("s", "text")
        self.run_command("CF.ADD", "c", "x")
        for key in ("s", "c"):
            for command in (("BF.ADD", key, "x"), ("BF.MADD", key, "x"),
                            ("BF.CARD", key), ("BF.INFO", key),
                            ("BF.RESERVE", key, "0.1", 10),
                            ("BF.INSERT", key, "ITEMS", "x"),
                            ("BF.SCANDUMP", key, 0),
                            ("BF.LOADCHUNK", key, 1, "x")):
                self.fails_with("wrong kind of value", *command)
            self.assertEqual(self.run_command("BF.EXISTS", key, "x"), 0)
            self.assertEqual(self.run_command("BF.MEXISTS", key, "x"), [0])
        self.assertEqual(self.client.get("s"), b"text")

    def test_arity(self):
        for command in ("BF.ADD f", "BF.ADD f a b", "BF.MADD f", "BF.EXISTS f",
                        "BF.EXISTS f a b", "BF.MEXISTS f", "BF.CARD",
                        "BF.CARD f g", "BF.INFO", "BF.INFO f size x",
                        "BF.SCANDUMP f", "BF.LOADCHUNK f 1", "BF.INSERT f",
                        "BF.RESERVE f 0.1 10 EXPANSION 1 NONSCALING x"):
            self.fails_with("wrong number of arguments", *command.split())

    def test_any_bytes(self):
        items = [b"", b"\0", b"\xff\xfe", b"x" * 100000, b"a b\r\n"]
        self.assertEqual(self.run_command("BF.MADD", "f", *items), [1] * 5)
        self.assertEqual(self.run_command("BF.MEXISTS", "f", *items), [1] * 5)
        self.assertEqual(self.run_command("BF.EXISTS", "f", b"\0\0"), 0)


class BloomChunksTest(Case):

    def setUp(self):
        super().setUp()
        self.run_command("BF.MADD", "f", *range(3000))
        self.pairs = chunks_of(self.client, "f")

    def test_move(self):
        self.assertEqual(self.pairs[0][0], 1)
        for position, data in self.pairs:
            self.assertEqual(
                self.run_command("BF.LOADCHUNK", "g", position, data), b"OK")
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "g", *range(3000))),
                         3000)
        self.assertEqual(self.run_command("BF.INFO", "f"),
                         self.run_command("BF.INFO", "g"))
        self.assertEqual(
            self.run_command("DEBUG", "DIGEST-VALUE", "f"),
            self.run_command("DEBUG", "DIGEST-VALUE", "g"))
        # Of twenty, not all are taken for members.
        self.assertIn(1, self.run_command("BF.MADD", "g",
                                          *(f"new{i}" for i in range(20))))

    def test_half_loaded_says_maybe(self):
        self.run_command("BF.LOADCHUNK", "g", *self.pairs[0])
        self.assertEqual(self.run_command("BF.EXISTS", "g", "anything"), 1)
        self.assertEqual(self.run_command("BF.MEXISTS", "g", 1, "no"), [1, 1])
        loading = "the filter is being loaded: send its other chunks first"
        self.fails(loading, "BF.ADD", "g", "x")
        self.fails(loading, "BF.INFO", "g")
        self.server.restart()
        self.client = self.server.client()
        for pair in self.pairs[1:]:
            self.run_command("BF.LOADCHUNK", "g", *pair)
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "g", *range(3000))),
                         3000)

    def test_damage_changes_nothing(self):
        for position, data in self.pairs[:1]:
            for at in range(0, len(data), 7):
                broken = bytearray(data)
                broken[at] ^= 1 << (at % 8)
                self.fails("received bad data", "BF.LOADCHUNK", "g", position,
                           bytes(broken))
        self.assertEqual(self.client.exists("g"), 0)
        self.run_command("BF.LOADCHUNK", "g", *self.pairs[0])
        position, data = self.pairs[1]
        for at in range(0, len(data), 97):
            broken = bytearray(data)
            broken[at] ^= 0x40
            self.fails("received bad data", "BF.LOADCHUNK", "g", position,
                       bytes(broken))
        self.fails("received bad data", "BF.LOADCHUNK", "g", position,
                   data[:-1])
        self.fails("received bad data", "BF.LOADCHUNK", "g", position, "")
        self.run_command("BF.LOADCHUNK", "g", position, data)
        self.fails("invalid offset - no link found", "BF.LOADCHUNK", "g",
                   position, data)
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "g", *range(3000))),
                         3000)

    def test_chunks_of_a_changed_filter_do_not_fit(self):
        self.run_command("BF.LOADCHUNK", "g", *self.pairs[0])
        self.run_command("BF.MADD", "f", *(f"changed{i}" for i in range(20)))
        position, data = self.run_command("BF.SCANDUMP", "f", 1)
        self.fails("invalid offset - no link found", "BF.LOADCHUNK", "g",
                   position, data)

    def test_positions(self):
        self.fails("not found", "BF.SCANDUMP", "missing", 0)
        self.fails("not found", "BF.LOADCHUNK", "missing", 2, "data")
        self.fails("Second argument must be numeric", "BF.SCANDUMP", "f", "x")
        self.fails("Second argument must be numeric", "BF.LOADCHUNK", "f", "x",
                   "data")
        for position in (-1, -2**63, 2**62, 2**63 - 1):
            self.assertEqual(self.run_command("BF.SCANDUMP", "f", position),
                             [0, b""])


class LimitsTest(Case):
    module = ("ERROR", "0.001", "MAXBYTES", 20000)

    def test_default_error_and_limit(self):
        self.run_command("BF.ADD", "f", "x")
        self.fails("Insufficient memory to create filter", "BF.RESERVE", "g",
                   "0.01", 1000000)
        answers = self.run_command("BF.MADD", "f", *range(40000))
        self.assertIsInstance(answers[-1], ResponseError)
        self.assertEqual(str(answers[-1]), "problem inserting into filter")
        held = len(answers) - 1
        self.assertGreater(held, 3000)
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "f", *range(held))),
                         held)
        self.assertLessEqual(self.client.memory_usage("f"), 21000)
        absent = self.run_command("BF.MEXISTS", "f", *range(-100000, 0))
        self.assertLess(sum(absent), 130)

    def test_limit_of_a_cuckoo_filter(self):
        answers = self.run_command("CF.INSERT", "f", "ITEMS", *range(40000))
        self.assertEqual(answers[-1], -1)
        held = answers.index(-1)
        self.assertGreater(held, 3000)
        self.fails("Maximum expansions reached", "CF.ADD", "f", "x")
        self.assertEqual(sum(self.run_command("CF.MEXISTS", "f", *range(held))),
                         held)


class SwitchedOffTest(Case):
    module = ("BF", "no", "CF", "no")

    def test_only_af(self):
        self.fails_with("unknown command", "BF.ADD", "f", "x")
        self.fails_with("unknown command", "CF.ADD", "f", "x")
        self.run_command("AF.RESERVE", "f")
        self.assertEqual(self.run_command("AF.ADD", "f", "x"), 1)

    def test_bad_arguments(self):
        with self.assertRaises(RuntimeError):
            Server(module=("BF", "perhaps"))


if __name__ == "__main__":
    unittest.main()
