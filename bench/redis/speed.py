"""Requests a second of filters beside Redis's own sets and strings.

    speed.py MODULE [ALTERNATIONS] [REQUESTS]

One server, 10^6 items in each; redis-benchmark, one command after the other,
in rounds, so that what disturbs one disturbs all.  Medians of the rounds.  "bf"
and "af" grew from nothing, "reserved" was made for 10^6 items.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile

MODULE = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
REQUESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 300000
os.environ.setdefault("TAMIS_MODULE", MODULE)
os.environ.setdefault("TAMIS_FOLDER", tempfile.gettempdir())
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "redis"))
from server import Server  # pylint: disable=wrong-import-position

ITEMS = 1000000
WORD = "__rand_int__"
ONE = [("SISMEMBER", "SISMEMBER", "set"), ("GET", "GET", None),
       ("BF.EXISTS", "BF.EXISTS", "bf"), ("AF.EXISTS", "AF.EXISTS", "af"),
       ("BF.EXISTS reserved", "BF.EXISTS", "reserved")]
MANY = [("SMISMEMBER of 100", "SMISMEMBER", "set"),
        ("BF.MEXISTS of 100", "BF.MEXISTS", "bf"),
        ("SADD of 100", "SADD", "set2"), ("BF.MADD of 100", "BF.MADD", "bf2"),
        ("BF.MADD reserved", "BF.MADD", "reserved2")]


def fill(client):
    client.execute_command("AF.RESERVE", "af")
    client.execute_command("BF.RESERVE", "reserved", 0.01, ITEMS)
    for start in range(0, ITEMS, 5000):
        items = ["%012d" % i for i in range(start, start + 5000)]
        pipe = client.pipeline(transaction=False)
        pipe.execute_command("SADD", "set", *items)
        pipe.execute_command("BF.MADD", "bf", *items)
        pipe.execute_command("BF.MADD", "reserved", *items)
        pipe.execute_command("AF.MADD", "af", *items)
        pipe.mset({item: "1" for item in items})
        pipe.execute()


def measure(port, command, key, items, pipeline, requests):
    words = [command] + ([key] if key else []) + [WORD] * items
    out = subprocess.run(
        ["redis-benchmark", "-p", str(port), "-P", str(pipeline), "-n",
         str(requests), "-r", str(ITEMS), "-c", "50", "--csv", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        timeout=300).stdout
    return float(out.strip().splitlines()[-1].split('","')[1])


def main():
    with Server() as server:
        client = server.client()
        fill(client)
        results = {}
        for _ in range(ROUNDS):
            for name, command, key in ONE:
                results.setdefault(name, []).append(
                    measure(server.port, command, key, 1, 16, REQUESTS))
            for name, command, key in MANY:
                if key[-1] == "2":
                    client.delete(key)
                if key == "reserved2":
                    client.execute_command("BF.RESERVE", key, 0.01, ITEMS)
                results.setdefault(name, []).append(
                    measure(server.port, command, key, 100, 1,
                            max(REQUESTS // 30, 1000)))
        size = {key: client.memory_usage(key, samples=0)
                for key in ("set", "bf", "af", "reserved")}
    median = {name: statistics.median(values)
              for name, values in results.items()}
    print(f"machine: {platform.machine()}, {os.cpu_count()} processors, "
          f"{platform.release()}")
    print(f"{ITEMS} items, {ROUNDS} rounds of {REQUESTS} requests (a 30th for "
          "those of 100 items), medians; -P 16 for single items")
    for name, value in median.items():
        print(f"  {name:18} {value:12.0f} requests/s")
    for what, one, other, least in (
            ("BF.EXISTS / SISMEMBER", "BF.EXISTS", "SISMEMBER", 0.9),
            ("BF.EXISTS / GET", "BF.EXISTS", "GET", 0.9),
            ("reserved / SISMEMBER", "BF.EXISTS reserved", "SISMEMBER", 0.9),
            ("reserved / GET", "BF.EXISTS reserved", "GET", 0.9),
            ("AF.EXISTS / SISMEMBER", "AF.EXISTS", "SISMEMBER", 0.9),
            ("AF.EXISTS / GET", "AF.EXISTS", "GET", 0.9),
            ("BF.MEXISTS / SMISMEMBER", "BF.MEXISTS of 100",
             "SMISMEMBER of 100", 2),
            ("BF.MADD / SADD", "BF.MADD of 100", "SADD of 100", 1.5),
            ("reserved: BF.MADD / SADD", "BF.MADD reserved", "SADD of 100",
             1.5)):
        ratio = median[one] / median[other]
        print(f"  {what:24} {ratio:5.2f}   (wanted: {least})")
    for key in ("bf", "af", "reserved"):
        print(f"  memory of the set / {key}: {size['set'] / size[key]:.1f} "
              f"({size['set']} and {size[key]} bytes; wanted: 25)")


if __name__ == "__main__":
    main()
