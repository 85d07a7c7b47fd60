"""What the server knows of the module: docs, keys, memory, freeing, sections."""

import unittest

from bloom_test import Case
from server import wait_for

FAMILIES = {
    "BF": "RESERVE ADD MADD INSERT EXISTS MEXISTS CARD INFO SCANDUMP LOADCHUNK",
    "CF": "RESERVE ADD ADDNX INSERT INSERTNX EXISTS MEXISTS COUNT DEL COMPACT "
          "INFO SCANDUMP LOADCHUNK",
    "AF": "RESERVE ADD MADD DEL EXISTS MEXISTS HASH QUERY REPORT MERGE RESIZE "
          "INFO STATS DUMP LOAD"}
READS = "EXISTS MEXISTS CARD INFO SCANDUMP COUNT HASH QUERY STATS DUMP".split()


def pairs(flat):
    return dict(zip(flat[::2], flat[1::2]))


class ModuleTest(Case):

    def setUp(self):
        super().setUp()
        # redis-py would read some replies its own way.
        for name in [n for n in self.client.response_callbacks
                     if n.startswith("COMMAND")]:
            del self.client.response_callbacks[name]

    def names(self):
        for family, words in FAMILIES.items():
            for word in words.split():
                yield f"{family}.{word}"

    def test_command_info(self):
        for name in self.names():
            flags = self.run_command("COMMAND", "INFO", name)[0][2]
            read = name.split(".")[1] in READS
            self.assertEqual(b"readonly" in flags, read, name)
            self.assertEqual(b"write" in flags, not read, name)

    def test_command_docs(self):
        for name in self.names():
            docs = pairs(self.run_command("COMMAND", "DOCS", name)[1])
            for field in (b"summary", b"complexity", b"since", b"arguments"):
                self.assertTrue(docs[field], (name, field))
            key = pairs(docs[b"arguments"][0])
            self.assertEqual(key[b"type"], b"key", name)

    def test_keys(self):
        keys = self.run_command("COMMAND", "GETKEYS", "AF.MERGE", "a", "b", "c")
        self.assertEqual(keys, [b"a", b"b", b"c"])
        keys = self.run_command("COMMAND", "GETKEYS", "BF.MADD", "a", "b", "c")
        self.assertEqual(keys, [b"a"])
        flagged = self.run_command("COMMAND", "GETKEYSANDFLAGS", "CF.DEL", "a",
                                   "b")
        self.assertEqual(flagged, [[b"a", [b"RW", b"delete"]]])

    def test_acl(self):
        self.run_command("ACL", "SETUSER", "reader", "on", "nopass", "%R~f*",
                         "+bf.exists", "+bf.add")
        client = self.server.client(username="reader", password="")
        self.assertEqual(client.execute_command("BF.EXISTS", "f", "x"), 0)
        for command in ("BF.ADD f x", "BF.EXISTS g x", "BF.CARD f"):
            with self.assertRaisesRegex(Exception, "permissions"):
                client.execute_command(*command.split())

    def test_memory_usage_is_what_is_allocated(self):
        """Within 5 % at every size: small filters are many, so that what else
        the server takes does not count; a script fills them, because a client's
        buffers would."""
        script = """
            for k = 1, ARGV[2] do
              local key = KEYS[1] .. k
              if ARGV[1] == 'AF.ADD' then redis.call('AF.RESERVE', key) end
              for i = 1, ARGV[3] do redis.call(ARGV[1], key, i) end
            end"""
        self.client.config_set("slowlog-log-slower-than", -1)
        for command in ("BF.ADD", "CF.ADD", "AF.ADD"):
            # A megabyte or more each: the server gives back, or takes, some ten
            # kilobytes of its own at any time.
            for items, filters in ((1, 2000), (100, 1000), (1000, 250),
                                   (10000, 50), (200000, 3)):
                # Once before, for what the server keeps of its own.
                self.client.flushall()
                self.client.eval(script, 1, "f", command, filters, 1)
                self.client.flushall()
                before = self.client.info("memory")["used_memory"]
                self.client.eval(script, 1, "f", command, filters, items)
                taken = self.client.info("memory")["used_memory"] - before
                usage = sum(self.client.memory_usage(f"f{k}")
                            for k in range(1, filters + 1))
                print(f"memory: {command} {filters} x {items}: {taken} bytes "
                      f"taken, MEMORY USAGE {usage}")
                self.assertLess(abs(taken - usage), 0.05 * taken,
                                (command, items))

    def test_maxmemory_sees_filters(self):
        used = self.client.info("memory")["used_memory"]
        self.client.config_set("maxmemory", used + 2000000)
        try:
            with self.assertRaisesRegex(Exception, "OOM"):
                for start in range(0, 10000000, 5000):
                    self.run_command("CF.INSERT", "f", "ITEMS",
                                     *range(start, start + 5000))
        finally:
            self.client.config_set("maxmemory", 0)
        self.assertGreater(self.client.memory_usage("f"), 500000)

    def test_freeing_gives_all_back(self):
        before = self.client.info("memory")["used_memory"]
        for delete in ("DEL", "UNLINK"):
            self.run_command("BF.RESERVE", "f", "0.001", 2000000)
            self.assertGreater(self.client.info("memory")["used_memory"],
                               before + 2000000)
            self.run_command(delete, "f")
            wait_for(lambda: self.client.info("memory")[
                "lazyfree_pending_objects"] == 0)
            self.assertLess(self.client.info("memory")["used_memory"],
                            before + 100000)
        stats = self.client.info("memory")
        self.assertGreaterEqual(stats.get("lazyfreed_objects", 0), 1)

    def test_sections(self):
        info = self.client.info("tamis_stats")
        self.assertEqual(info["tamis_version"], "0.1.0")
        before = info["tamis_filters_created"]
        self.run_command("BF.ADD", "f", "x")
        info = self.client.info("tamis_stats")
        self.assertEqual(info["tamis_filters_created"], before + 1)

    def test_transactions_and_scripts(self):
        pipe = self.client.pipeline()
        pipe.execute_command("BF.ADD", "f", "x")
        pipe.execute_command("BF.EXISTS", "f", "x")
        self.assertEqual(pipe.execute(), [1, 1])
        script = "return redis.call('BF.MADD', KEYS[1], 'x', 'y')"
        self.assertEqual(self.client.eval(script, 1, "f"), [0, 1])


if __name__ == "__main__":
    unittest.main()
