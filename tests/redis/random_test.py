"""Random commands of all families against exact sets, while the data goes
through files, logs, replicas and dumps.

After each move every member is asked for: none may be missing.  Master and
replica must be equal to the byte (DEBUG DIGEST-VALUE).
"""

import collections
import os
import random
import unittest

from server import Server, catch_up, follow

ROUNDS = int(os.environ.get("TAMIS_ROUNDS", "6"))


class Model:
    """One filter and what it must contain."""

    def __init__(self, family, key, generator):
        self.family, self.key, self.random = family, key, generator
        self.members = collections.Counter()

    def items(self, count):
        return [f"{self.key}:{self.random.randrange(3000)}"
                for _ in range(count)]

    def add(self, client):
        items = self.items(self.random.randrange(1, 60))
        if self.family == "BF":
            client.execute_command("BF.MADD", self.key, *items)
            self.members.update(set(items) - set(self.members))
        elif self.family == "CF":
            client.execute_command("CF.INSERT", self.key, "ITEMS", *items)
            self.members.update(items)
        else:
            client.execute_command("AF.MADD", self.key, *items)
            self.members.update(items)

    def delete(self, client):
        if self.family == "BF" or not self.members:
            return
        known = sorted(self.members)
        for item in {self.random.choice(known) for _ in range(20)}:
            done = client.execute_command(self.family + ".DEL", self.key, item)
            assert done == 1, "a member was not found: " + item
            self.members[item] -= 1
            self.members += collections.Counter()

    def report(self, client):
        """Asks for absent items, and reports those that the filter claims."""
        if self.family != "AF":
            return
        hashes = {member: client.execute_command("AF.HASH", self.key, member)
                  for member in self.members}
        for i in range(200):
            absent = f"absent:{i}:{self.random.random()}"
            answer = client.execute_command("AF.QUERY", self.key, absent)
            if answer is None:
                continue
            low, high, token = answer
            found = [m for m, h in hashes.items() if low <= h <= high
                     for _ in range(self.members[m])]
            client.execute_command("AF.REPORT", self.key, absent, "TOKEN",
                                   token, "MEMBERS", *found)

    def check(self, client):
        members = sorted(self.members)
        if not members:
            return
        found = client.execute_command(self.family + ".MEXISTS", self.key,
                                       *members)
        missing = [m for m, there in zip(members, found) if not there]
        assert not missing, f"{self.key} lost {len(missing)}: {missing[:5]}"
        if self.family == "CF":
            for member in members[:100]:
                count = client.execute_command("CF.COUNT", self.key, member)
                assert count >= self.members[member], (member, count)


class Reserved(Model):
    """A filter that is nearly full at first, and is filled with new items."""

    def __init__(self, key, generator):
        super().__init__("BF", key, generator)
        self.members.update(map(str, range(69500)))

    def items(self, count):
        return [str(len(self.members) + i) for i in range(10 * count)]


def digest(client, key):
    return client.execute_command("DEBUG", "DIGEST-VALUE", key)


class RandomTest(unittest.TestCase):

    def exercise(self, *options):
        generator = random.Random(len(options) + 17)
        with Server(*options) as master, Server() as replica:
            client = master.client()
            client.execute_command("AF.RESERVE", "af:small", "BITS", 4,
                                   "CAPACITY", 64)
            client.execute_command("AF.RESERVE", "af")
            client.execute_command("CF.RESERVE", "cf", 64)
            client.execute_command("BF.RESERVE", "bf:large", 0.01, 70000)
            # Of 70000 in two places, so that it is handed over while it moves.
            client.execute_command("BF.MADD", "bf:large", *range(69500))
            models = [Model("BF", "bf", generator), Model("CF", "cf", generator),
                      Reserved("bf:large", generator),
                      Model("AF", "af:small", generator),
                      Model("AF", "af", generator)]
            follow(replica, master)
            for number in range(ROUNDS):
                for model in models:
                    for _ in range(12):
                        generator.choice((model.add, model.add, model.delete,
                                          model.report))(client)
                self.move(number, master, replica, models)
                client = master.client()
                for model in models:
                    model.check(client)

    def move(self, number, master, replica, models):
        client = master.client()
        if number % 3 == 0:
            catch_up(replica, master)
            for model in models:
                if not client.exists(model.key):
                    continue
                self.assertEqual(digest(client, model.key),
                                 digest(replica.client(), model.key))
                model.check(replica.client())
        elif number % 3 == 1:
            if "--appendonly" in master.options:
                client.bgrewriteaof()
            before = {m.key: digest(client, m.key) for m in models
                      if client.exists(m.key)}
            master.restart()
            client = master.client()
            for key, value in before.items():
                self.assertEqual(digest(client, key), value)
        else:
            for model in models:
                self.dump_and_restore(client, model.key)

    def dump_and_restore(self, client, key):
        data = client.dump(key)
        if data is None:
            return
        value = digest(client, key)
        client.delete(key)
        client.restore(key, 0, data)
        self.assertEqual(digest(client, key), value)
        client.copy(key, key + ":copy", replace=True)
        self.assertEqual(digest(client, key + ":copy"), value)
        client.rename(key + ":copy", key)

    def test_rdb(self):
        self.exercise()

    def test_aof(self):
        self.exercise("--appendonly", "yes")

    def test_aof_without_preamble(self):
        self.exercise("--appendonly", "yes", "--aof-use-rdb-preamble", "no")


class ReplicationTest(unittest.TestCase):

    def test_every_way_to_make_a_filter_has_one_seed(self):
        """What is made after the replica is attached must be equal there."""
        with Server("--appendonly", "yes") as master, Server() as replica:
            follow(replica, master)
            client = master.client()
            for command in ("BF.RESERVE r 0.01 100", "BF.ADD a x",
                            "BF.MADD m x y", "BF.INSERT i ITEMS x y",
                            "BF.INSERT n NONSCALING CAPACITY 2 ITEMS x y z",
                            "CF.RESERVE cr 100", "CF.ADD ca x", "CF.ADDNX cn x",
                            "CF.INSERT ci ITEMS x x y",
                            "CF.RESERVE cz 4 EXPANSION 0",
                            "CF.INSERT cz ITEMS 1 2 3 4 5 6",
                            "CF.INSERTNX cx ITEMS x x y", "AF.RESERVE ar",
                            "AF.ADD ar x", "AF.MADD ar x y",
                            "AF.RESERVE as HASH siphash SEED 5 6",
                            "AF.MADD as 1 2 3", "AF.DEL as 2"):
                client.execute_command(*command.split())
            catch_up(replica, master)
            copy = replica.client()
            keys = sorted(client.keys())
            self.assertEqual(keys, sorted(copy.keys()))
            digests = {key: digest(client, key) for key in keys}
            for key in keys:
                self.assertEqual(digests[key], digest(copy, key), key)
            master.restart()
            client = master.client()
            for key in keys:
                self.assertEqual(digests[key], digest(client, key), key)

    def test_chunks_reach_replicas_and_the_log(self):
        """A filter that is loaded by chunks survives failover and restart."""
        for preamble in ("yes", "no"):
            with Server() as source, Server() as replica, Server(
                    "--appendonly", "yes", "--aof-use-rdb-preamble",
                    preamble) as master:
                origin, client = source.client(), master.client()
                follow(replica, master)
                origin.execute_command("BF.MADD", "bf", *range(20000))
                origin.execute_command("CF.INSERT", "cf", "ITEMS",
                                       *range(20000))
                origin.execute_command("AF.RESERVE", "af")
                origin.execute_command("AF.MADD", "af", *range(20000))
                for family, dump, load in (("bf", "BF.SCANDUMP", "BF.LOADCHUNK"),
                                           ("cf", "CF.SCANDUMP", "CF.LOADCHUNK"),
                                           ("af", "AF.DUMP", "AF.LOAD")):
                    position = 0
                    for _ in range(100):
                        position, data = origin.execute_command(dump, family,
                                                                position)
                        if position == 0:
                            break
                        client.execute_command(load, family, position, data)
                catch_up(replica, master)
                master.restart()
                for server in (replica, master):
                    for family in ("bf", "cf", "af"):
                        there = server.client()
                        self.assertEqual(
                            digest(there, family), digest(origin, family))
                        found = there.execute_command(
                            family + ".MEXISTS", family, *range(20000))
                        self.assertEqual(sum(found), 20000)

    def test_promotion(self):
        with Server() as master, Server() as replica:
            client = master.client()
            client.execute_command("AF.RESERVE", "f")
            client.execute_command("AF.MADD", "f", *range(1000))
            follow(replica, master)
            client.execute_command("AF.MADD", "f", *range(1000, 5000))
            self.assertEqual(client.wait(1, 10000), 1)
            master.kill()
            copy = replica.client()
            copy.execute_command("REPLICAOF", "NO", "ONE")
            self.assertEqual(
                sum(copy.execute_command("AF.MEXISTS", "f", *range(5000))), 5000)
            copy.execute_command("AF.MADD", "f", *range(5000, 6000))
            master.start()
            follow(master, replica)
            self.assertEqual(digest(master.client(), "f"), digest(copy, "f"))

    def test_migrate(self):
        with Server() as one, Server() as other:
            client = one.client()
            client.execute_command("CF.INSERT", "f", "ITEMS", *range(3000))
            value = digest(client, "f")
            client.migrate("127.0.0.1", other.port, "f", 0, 10000)
            self.assertEqual(client.exists("f"), 0)
            self.assertEqual(digest(other.client(), "f"), value)


if __name__ == "__main__":
    unittest.main()
