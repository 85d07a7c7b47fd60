"""kill -9 with appendfsync always: nothing that was acknowledged is lost."""

import os
import random
import threading
import time
import unittest

import redis

from server import Server

KILLS = int(os.environ.get("TAMIS_KILLS", "30"))


class Writer(threading.Thread):
    """Adds to three filters and deletes from two, until the server dies."""

    def __init__(self, server, model, seed):
        super().__init__()
        self.client = server.client()
        self.model, self.random = model, random.Random(seed)

    def run(self):
        try:
            for _ in range(1000000):
                self.step()
        except (redis.exceptions.RedisError, OSError):
            pass  # it was killed

    def step(self):
        """What is not acknowledged is in doubt, and forgotten here: an add may
        or may not be there, so nobody deletes it."""
        run = self.client.execute_command
        family = self.random.choice(("BF", "CF", "AF"))
        members = self.model[family]
        if family != "BF" and members and self.random.random() < 0.3:
            item = members.pop()
            run(family + ".DEL", family, item)
            return
        items = [str(self.random.getrandbits(60))
                 for _ in range(self.random.randrange(1, 20))]
        if family == "CF":
            run("CF.INSERT", "CF", "ITEMS", *items)
        else:
            run(family + ".MADD", family, *items)
        members.update(items)


class KillTest(unittest.TestCase):

    def test_kills(self):
        generator = random.Random(5)
        with Server("--appendonly", "yes", "--appendfsync", "always",
                    "--auto-aof-rewrite-percentage", "0") as server:
            server.client().execute_command("AF.RESERVE", "AF", "CAPACITY", 64)
            model = {"BF": set(), "CF": set(), "AF": set()}
            for number in range(KILLS):
                writer = Writer(server, model, number)
                writer.start()
                if number % 5 == 4:
                    server.client().bgrewriteaof()
                time.sleep(generator.uniform(0.01, 0.1))
                server.kill()
                writer.join(60)
                self.assertFalse(writer.is_alive())
                server.start()
                self.check(server.client(), model)
            print(f"{KILLS} kills: "
                  f"{sum(map(len, model.values()))} members, 0 lost")

    def check(self, client, model):
        for family, members in model.items():
            if not members:
                continue
            items = list(members)
            found = client.execute_command(family + ".MEXISTS", family, *items)
            self.assertEqual(sum(found), len(items), family)


if __name__ == "__main__":
    unittest.main()
