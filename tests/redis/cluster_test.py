"""One logical filter over a cluster of 3 masters and 3 replicas.

It is filled and asked while slots move, then a master is killed: nothing that a
replica had acknowledged may be missing, and answers stay what they were.
"""

import concurrent.futures
import importlib.util
import os
import subprocess
import threading
import time
import unittest

from redis.cluster import RedisCluster
from redis.exceptions import (AskError, RedisClusterException, RedisError,
                              TimeoutError)

from server import Server, wait_for

ITEMS = int(os.environ.get("TAMIS_CLUSTER_ITEMS", "600000"))
BATCH = 50000
_PATH = os.path.join(os.path.dirname(__file__), "..", "..", "python", "tamis",
                     "redis.py")


def load_client():
    """The pure Python client, without the rest of its package."""
    spec = importlib.util.spec_from_file_location("tamis_cluster", _PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tamis_cluster = load_client()


def cli(*words):
    done = subprocess.run(["redis-cli", *map(str, words)], timeout=300,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout[-3000:] + done.stderr[-1000:])
    return done.stdout


class Cluster:

    def __init__(self):
        self.servers = [Server("--cluster-enabled", "yes",
                               "--cluster-node-timeout", "2000",
                               "--cluster-replica-validity-factor", "0")
                        for _ in range(6)]
        addresses = [f"127.0.0.1:{s.port}" for s in self.servers]
        cli("--cluster", "create", *addresses, "--cluster-replicas", 1,
            "--cluster-yes")
        wait_for(self.is_ready, what="the cluster")

    def is_ready(self):
        for server in self.servers:
            if server.process is None:
                continue
            client = server.client()
            if b"cluster_state:ok" not in client.execute_command("CLUSTER",
                                                                 "INFO"):
                return False
            if client.info("replication").get("master_link_status") == "down":
                return False
        return True

    def client(self, **options):
        """redis-py asks any node at first, and gives up if that one is dead:
        until the cluster has noticed, it may take some tries."""
        alive = next(s for s in self.servers if s.process)
        deadline = time.time() + 60
        while True:
            try:
                return RedisCluster(host="127.0.0.1", port=alive.port,
                                    cluster_error_retry_attempts=10,
                                    **options)
            except (RedisError, RedisClusterException):
                if time.time() > deadline:
                    raise
                time.sleep(0.2)

    def masters(self):
        """(server, node id) of each master that lives."""
        found = []
        for server in self.servers:
            if server.process is None:
                continue
            if server.client().info("replication")["role"] == "master":
                found.append((server, server.client().execute_command(
                    "CLUSTER", "MYID").decode()))
        return found

    def remove(self):
        for server in self.servers:
            server.remove()


class ClusterTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def test_shards_as_specified(self):
        self.assertEqual(tamis_cluster.crc16("123456789"), 0x31c3)
        self.assertEqual(tamis_cluster.shard_of("123456789", 64),
                         0x31c3 * 64 >> 16)

    def test_database_pattern(self):
        f = tamis_cluster.ClusterFilter(self.cluster.client(), "small", 8)
        f.reserve(bits=3, capacity=64)
        members = [f"m{i}" for i in range(400)]
        f.add_many(members)
        hashes = {m: f.hash(m) for m in members}
        fixed = 0
        for i in range(600):
            claim = f.query(f"absent{i}")
            if claim is None:
                continue
            found = [m for m, h in hashes.items() if claim.low <= h <= claim.high]
            self.assertNotIn(f"absent{i}", found)
            if f.report(f"absent{i}", claim, found):
                self.assertFalse(f.exists(f"absent{i}"))
                fixed += 1
        self.assertGreater(fixed, 10)
        self.assertTrue(all(f.exists_many(members)))
        # Fingerprints of 3 bits let many of the deleted pass: 0.3 to 0.5 of
        # them, and seeds are random. Those that stay must all be there.
        for member in members[:100]:
            self.assertTrue(f.delete(member))
        self.assertLess(sum(f.exists_many(members[:100])), 90)
        self.assertTrue(all(f.exists_many(members[100:])))
        self.assertEqual(f.statistics()["items"], 300)
        f.drop()

    def test_deletes_are_sent_once(self):
        """Also if too few replicas answer, or a reply is lost, and by a client
        that sends again what was not answered in time."""
        f = tamis_cluster.ClusterFilter(
            self.cluster.client(retry_on_timeout=True), "once", 8, patience=8)
        f.reserve()
        f.add_many(["m"] * 4)
        with self.assertRaises(tamis_cluster.NotReplicated):
            f.delete("m", replicas=3)  # there is one
        self.assertEqual(f.statistics()["items"], 3)
        pool = f._connection(f.key_of("m")).connection_pool
        get_connection = pool.get_connection

        def get_broken(command, *words):
            socket = get_connection(command, *words)
            if command == "AF.DEL":
                read = socket.read_response

                def lose():  # the reply
                    del socket.read_response
                    read()
                    raise TimeoutError("lost")

                socket.read_response = lose
            return socket

        pool.get_connection = get_broken
        with self.assertRaises(TimeoutError):
            f.delete("m")
        pool.get_connection = get_connection
        self.assertEqual(f.statistics()["items"], 2)
        self.assertTrue(f.delete("m"))
        f.drop()

    def test_asks_a_node_that_nobody_lists(self):
        """As a new one is, while it gets its first slot."""
        f = tamis_cluster.ClusterFilter(self.cluster.client(), "asked", 8)
        f.reserve()
        f._client.get_node = lambda **_: None
        server, _ = self.cluster.masters()[0]
        ask = AskError(f"1 127.0.0.1:{server.port}")
        self.assertEqual(f._at(ask).info("server")["tcp_port"], server.port)
        self.assertIs(f._at(ask), f._at(ask))
        f.drop()

    def fill(self, f, start, limit, acknowledged):
        for first in range(start, limit, BATCH):
            items = [str(i) for i in range(first, min(first + BATCH, limit))]
            f.add_many(items, replicas=1)
            acknowledged.append((items[0], len(items)))

    def missing(self, f, acknowledged):
        lost = 0
        for first, count in acknowledged:
            items = [str(i) for i in range(int(first), int(first) + count)]
            lost += count - sum(f.exists_many(items))
        return lost

    def test_reshard_and_failover(self):
        f = tamis_cluster.ClusterFilter(self.cluster.client(), "big",
                                        patience=60)
        f.reserve(error=0.01)
        acknowledged = []
        start = time.time()
        self.fill(f, 0, ITEMS * 2 // 3, acknowledged)
        filled = time.time()

        # Slots move while it is filled and asked.
        (one, from_id), (_, to_id), *_ = self.cluster.masters()
        done = threading.Event()
        absent = [f"absent{i}" for i in range(100000)]

        def ask():
            """Returns how often it asked, and how many it missed."""
            g = tamis_cluster.ClusterFilter(self.cluster.client(), "big",
                                            patience=60)
            asked = lost = 0
            while not done.is_set() or asked == 0:
                lost += self.missing(g, acknowledged[asked % 7:][:1])
                asked += 1
            return asked, lost

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            questions = pool.submit(ask)
            mover = pool.submit(
                cli, "--cluster", "reshard", f"127.0.0.1:{one.port}",
                "--cluster-from", from_id, "--cluster-to", to_id,
                "--cluster-slots", 1500, "--cluster-yes")
            try:
                self.fill(f, ITEMS * 2 // 3, ITEMS, acknowledged)
                mover.result(300)
            finally:
                done.set()
            asked, lost = questions.result(120)
        self.assertEqual(lost, 0)
        moved = time.time()

        # And back, while nothing is added: the same answers.
        before = f.exists_many(absent)
        self.assertLess(sum(before), 1000)
        cli("--cluster", "reshard", f"127.0.0.1:{one.port}", "--cluster-from",
            to_id, "--cluster-to", from_id, "--cluster-slots", 1500,
            "--cluster-yes")
        self.assertEqual(f.exists_many(absent), before)
        self.assertEqual(self.missing(f, acknowledged), 0)
        wait_for(self.cluster.is_ready, what="replicas")

        victim = self.cluster.masters()[0][0]
        victim.kill()
        g = tamis_cluster.ClusterFilter(self.cluster.client(), "big",
                                        patience=60)
        self.assertEqual(self.missing(g, acknowledged), 0)
        self.assertEqual(g.exists_many(absent), before)
        g.add_many(["after"])
        self.assertTrue(f.exists("after"))
        total = g.statistics()
        self.assertGreaterEqual(total["items"], ITEMS)
        print(f"cluster: {total['items']} items in {total['shards']} shards, "
              f"{total['bytes'] / total['items']:.2f} bytes an item; "
              f"{filled - start:.0f} s for two thirds of them, "
              f"{moved - filled:.0f} s with 1500 slots moving and "
              f"{asked} x {BATCH} look-ups; false positives "
              f"{sum(before)} of {len(absent)} before and after slots came back and "
              "a master was killed; 0 lost")


if __name__ == "__main__":
    unittest.main()
