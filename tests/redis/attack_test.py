"""What somebody does who wants the server to fall, or a filter to forget."""

import os
import subprocess
import unittest

from redis.exceptions import ResponseError

from bloom_test import Case, chunks_of
from fuzz_test import Checksum
from random_test import digest
from server import Server, catch_up, follow

HUGE = ("-1", "0", "1e400", "nan", "-nan", "inf", "0x10", "1e-320", " 1", "1 ",
        "9223372036854775807", "-9223372036854775808",
        "18446744073709551616", "1099511627776", "", "\0", "9" * 400)


def empty_header(command):
    """What replicas are sent when a filter is made, from the log."""
    with Server("--appendonly", "yes") as server:
        server.client().execute_command(*command)
        folder = os.path.join(server.folder, "appendonlydir")
        name = next(n for n in os.listdir(folder) if ".incr." in n)
        with open(os.path.join(folder, name), "rb") as log:
            data = log.read()
        begin = data.index(b"TMSH")
        size = int(data[:begin].split(b"$")[-1])
        return data[begin:begin + size]


class AttackTest(Case):

    def test_huge_numbers(self):
        """Each is refused, or makes a filter that works."""
        refused = 0
        for number in HUGE:
            for command in (("BF.RESERVE", "f", number, 10),
                            ("BF.RESERVE", "f", 0.01, number),
                            ("BF.RESERVE", "f", 0.01, 10, "EXPANSION", number),
                            ("BF.INSERT", "f", "CAPACITY", number, "ITEMS", 1),
                            ("BF.INSERT", "f", "ERROR", number, "ITEMS", 1),
                            ("BF.SCANDUMP", "b", number),
                            ("BF.LOADCHUNK", "f", number, "x"),
                            ("CF.RESERVE", "f", number),
                            ("CF.RESERVE", "f", 10, "BUCKETSIZE", number),
                            ("CF.RESERVE", "f", 10, "MAXITERATIONS", number),
                            ("CF.LOADCHUNK", "f", number, "x"),
                            ("AF.RESERVE", "f", "ERROR", number),
                            ("AF.RESERVE", "f", "BITS", number),
                            ("AF.RESERVE", "f", "CAPACITY", number),
                            ("AF.RESERVE", "f", "MEMORY", number),
                            ("AF.RESERVE", "f", "SEED", number),
                            ("AF.RESERVE", "f", "SHARD", number, "OF", 4),
                            ("AF.RESERVE", "f", "SHARD", 0, "OF", number),
                            ("AF.REPORT", "a", "x", "TOKEN", number,
                             "MEMBERS")):
                self.client.flushall()
                self.run_command("BF.ADD", "b", "x")
                self.run_command("AF.RESERVE", "a")
                try:
                    self.run_command(*command)
                except ResponseError:
                    refused += 1
                    self.assertFalse(self.client.exists("f"), command)
                    continue
                self.assertTrue(self.client.ping(), command)
        self.assertGreater(refused, 200)

    def test_more_than_there_is_memory(self):
        """A filter that no machine holds is refused before it is begun, also
        where a forged header asks for it."""
        self.refused("memory", "AF.RESERVE", "f", "CAPACITY", 1 << 40)
        self.refused("memory", "CF.RESERVE", "f", 1 << 40)
        for command in ("BF.RESERVE f 0.01 4096", "BF.RESERVE f 0.01 100",
                        "BF.RESERVE f 0.01 100 NONSCALING"):
            header = empty_header(command.split())
            self.run_command("BF.LOADCHUNK", "f", 1, header)
            self.client.delete("f")
            load = 0.95 if "NON" in command else 0.97
            for asked in (1 << 40, 1 << 50, 1 << 60, (1 << 64) - 1):
                self.refused("bad data", "BF.LOADCHUNK", "f", 1, self.forged(
                    header, asked, min((1 << 64) - 1, int(asked / load) + 1)))
        self.assertFalse(self.client.exists("f"))

    def forged(self, header, capacity, slots):
        """The same header, with a right checksum, for so many items."""
        body = bytearray(header[:-8])
        at = 4 + 3 * 8  # behind magic, version, family and error
        body[at:at + 8] = capacity.to_bytes(8, "little")
        text = at + 9 * 8
        spec = int.from_bytes(body[text:text + 8], "little")
        at = text + 8 + spec + 3 * 8  # behind spec, algorithm and seed
        body[at:at + 8] = slots.to_bytes(8, "little")
        return Checksum(self).seal(body)

    def test_forged_plans(self):
        """Headers with right checksums, of what no command makes."""
        seal = Checksum(self).seal
        header = empty_header("CF.RESERVE f 1000".split())
        buckets = 4 + 5 * 8  # behind magic, version, family ... expansion
        self.assertEqual(header[buckets:buckets + 8], b"\2" + bytes(7))
        self.refused("Invalid header", "CF.LOADCHUNK", "f", 1, seal(
            header[:buckets] + bytes(8) + header[buckets + 8:-8]))
        at = 4 + 12 * 8  # the spec
        size = int.from_bytes(header[at:at + 8], "little")
        spec = header[at + 8:at + 8 + size]
        self.assertIn(b"tamis:f=11,", spec)
        for other in (spec.replace(b"f=11", b"f=99"),
                      spec.replace(b"f=11", b"f=0"),
                      spec.replace(b"members=caller", b"members=mirror"),
                      spec.replace(b"shards=split", b"grow=no"),
                      b"tamis", b"bloom:bits=12", b"tamis:" + b"f=9," * 9999):
            self.refused("Invalid header", "CF.LOADCHUNK", "f", 1, seal(
                header[:at] + len(other).to_bytes(8, "little") + other +
                header[at + 8 + size:-8]))
        self.run_command("CF.LOADCHUNK", "f", 1, header)
        self.assertEqual(self.run_command("CF.INFO", "f")[11], 2)

    def refused(self, text, *command):
        with self.assertRaisesRegex(ResponseError, text):
            self.run_command(*command)

    def test_chunks_in_every_wrong_order(self):
        self.run_command("BF.MADD", "f", *range(1000))
        self.run_command("CF.INSERT", "c", "ITEMS", *range(1000))
        (one, header), (two, chunk) = chunks_of(self.client, "f")
        value = digest(self.client, "f")
        self.refused("", "BF.LOADCHUNK", "x", two, chunk)
        self.refused("", "CF.LOADCHUNK", "x", one, header)
        self.refused("", "AF.LOAD", "x", one, header)
        self.refused("WRONGTYPE", "BF.LOADCHUNK", "c", one, header)
        self.refused("", "BF.LOADCHUNK", "f", two, chunk)
        self.assertEqual(digest(self.client, "f"), value)
        self.run_command("BF.LOADCHUNK", "x", one, header)
        self.run_command("BF.LOADCHUNK", "x", one, header)  # begun anew
        self.refused("", "BF.LOADCHUNK", "x", two, header)
        self.refused("", "BF.LOADCHUNK", "x", two, chunk[:-1])
        self.refused("", "BF.ADD", "x", "y")
        self.assertEqual(self.run_command("BF.EXISTS", "x", "y"), 1)
        self.run_command("BF.LOADCHUNK", "x", two, chunk)
        self.refused("", "BF.LOADCHUNK", "x", two, chunk)
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "x", *range(1000))),
                         1000)

    def test_scripts_and_transactions_reach_replicas(self):
        script = """
            redis.call('AF.RESERVE', KEYS[1])
            redis.call('AF.MADD', KEYS[1], 'a', 'b', 'c')
            redis.call('BF.MADD', KEYS[2], 'a', 'b')
            local failed = redis.pcall('CF.DEL', KEYS[3], 'x')
            redis.call('CF.INSERT', KEYS[3], 'ITEMS', 'a', 'a')
            redis.call('AF.DEL', KEYS[1], 'b')
            return failed.err"""
        with Server("--appendonly", "yes") as master, Server() as replica:
            follow(replica, master)
            client = master.client()
            self.assertIn(b"Not found", client.eval(script, 3, "a", "b", "c"))
            pipe = client.pipeline()
            pipe.execute_command("BF.RESERVE", "m", 0.01, 5000)
            pipe.execute_command("BF.MADD", "m", *range(100))
            pipe.execute_command("BF.RESERVE", "m", 0.01, 5000)
            pipe.execute_command("CF.ADD", "n", "x")
            with self.assertRaisesRegex(ResponseError, "item exists"):
                pipe.execute()
            self.assertEqual(client.execute_command("CF.COUNT", "n", "x"), 1)
            catch_up(replica, master)
            before = {key: digest(client, key) for key in client.keys()}
            self.assertEqual(len(before), 5)
            for key, value in before.items():
                self.assertEqual(digest(replica.client(), key), value, key)
            with self.assertRaisesRegex(ResponseError, "READONLY|read only"):
                replica.client().execute_command("AF.ADD", "a", "y")
            master.restart()
            for key, value in before.items():
                self.assertEqual(digest(master.client(), key), value, key)

    def test_reports_of_nonsense(self):
        """Members that are none, too many, or twice: nobody is lost."""
        self.run_command("AF.RESERVE", "f", "BITS", 3, "CAPACITY", 64)
        members = [f"m{i}" for i in range(500)]
        self.run_command("AF.MADD", "f", *members)
        for i in range(300):
            claim = self.run_command("AF.QUERY", "f", f"absent{i}")
            if claim is None:
                continue
            for lie in (members, members + members, [], [f"absent{i}"]):
                try:
                    self.run_command("AF.REPORT", "f", f"absent{i}", "TOKEN",
                                     claim[2], "MEMBERS", *lie)
                except ResponseError:
                    pass
            self.refused("", "AF.REPORT", "f", members[i], "TOKEN", claim[2],
                         "MEMBERS", *members)
        self.assertEqual(
            sum(self.run_command("AF.MEXISTS", "f", *members)), 500)
        self.refused("itself", "AF.MERGE", "f", "f")

    def test_at_the_end_of_memory(self):
        """What was acknowledged stays, with and without eviction."""
        for policy in ("noeviction", "allkeys-lru"):
            with Server("--maxmemory", "6mb", "--maxmemory-policy",
                        policy) as server:
                client = server.client()
                client.execute_command("AF.RESERVE", "af")
                kept = []
                for start in range(0, 3000000, 1000):
                    items = range(start, start + 1000)
                    try:
                        client.execute_command("AF.MADD", "af", *items)
                    except ResponseError as error:
                        self.assertRegex(str(error), "OOM|not found")
                        break
                    kept.append(items)
                else:
                    self.fail("memory never ended")
                self.assertGreater(len(kept), 100)
                if not client.exists("af"):
                    continue  # evicted: an error to all, never a wrong no
                for items in kept:
                    found = client.execute_command("AF.MEXISTS", "af", *items)
                    self.assertEqual(sum(found), len(items))

    def test_resp3(self):
        """Every kind of reply, by the server's own client."""
        self.run_command("AF.RESERVE", "af", "BITS", 3, "CAPACITY", 8)
        self.run_command("AF.MADD", "af", *range(100))
        for words, expected in (
                ("BF.MADD bf a b a", "1) (true)\n2) (true)\n3) (false)"),
                ("BF.EXISTS bf a", "(true)"), ("BF.EXISTS none a", "(false)"),
                ("CF.ADDNX cf a", "(true)"), ("CF.ADDNX cf a", "(false)"),
                ("CF.INSERTNX cf ITEMS a b", "1) (integer) 0\n2) (integer) 1"),
                ("CF.DEL cf a", "(true)"), ("AF.EXISTS af 5", "(true)"),
                ("BF.INFO bf ITEMS", "1) (integer) 2")):
            self.assertEqual(self.cli(words), expected, words)
        self.assertIn("1# \"Capacity\" => (integer) 100", self.cli("BF.INFO bf"))
        self.assertIn("\"Expected false positive rate\" => (double) ",
                      self.cli("AF.INFO af"))
        self.assertRegex(self.cli("AF.QUERY af 5"), r"\(integer\) -?\d+")

    def cli(self, words):
        return subprocess.run(
            ["redis-cli", "-3", "--no-raw", "-p", str(self.server.port),
             *words.split()], check=True, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=60).stdout.strip()


if __name__ == "__main__":
    unittest.main()
