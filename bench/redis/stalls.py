"""The slowest commands while filters grow to 10 million items.

    stalls.py MODULE [ITEMS] [KEY...]

Random items, by redis-benchmark, 100 a command and then one a command; SLOWLOG
keeps what takes longer than 1 ms.  Keys: bf, cf and af grow from nothing;
reserved is a bf for half of the items.  Beside them is how long the server was
away from its processor meanwhile (/proc/PID/schedstat), which SLOWLOG counts.
"""

import os
import subprocess
import sys
import tempfile

import redis

os.environ.setdefault("TAMIS_MODULE", os.path.abspath(sys.argv[1]))
os.environ.setdefault("TAMIS_FOLDER", tempfile.gettempdir())
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "redis"))
from server import Server  # pylint: disable=wrong-import-position

ITEMS = int(sys.argv[2]) if len(sys.argv) > 2 else 10000000
KEYS = sys.argv[3:] or ["bf", "cf", "af", "reserved"]
RANDOM = str(2 ** 31 - 1)
# Of each key: how it is made, how many items are added to it, and one.
WORDS = {"bf": ((), ("BF.MADD",), ("BF.ADD",)),
         "cf": ((), ("CF.INSERT", "ITEMS"), ("CF.ADD",)),
         "af": (("AF.RESERVE", "af"), ("AF.MADD",), ("AF.ADD",)),
         "reserved": (("BF.RESERVE", "reserved", "0.01", str(ITEMS // 2)),
                      ("BF.MADD",), ("BF.ADD",))}


def fill(port, words, key, each):
    command, *rest = words
    subprocess.run(
        ["redis-benchmark", "-p", str(port), "-q", "-c", "4", "-P",
         "4" if each > 1 else "100", "-n", str(ITEMS // each), "-r", RANDOM,
         command, key, *rest, *["__rand_int__"] * each],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True,
        timeout=1200)


def ask_all(client, family, key):
    """All the rest that does not say O(n)."""
    for ask, *rest in (["INFO"], ["EXISTS", "x"], ["MEXISTS", 1, 2], ["CARD"],
                       ["COUNT", "x"], ["DEL", 1], ["HASH", "x"], ["QUERY", 2],
                       ["STATS"]):
        try:
            client.execute_command(f"{family}.{ask}", key, *rest)
        except redis.exceptions.ResponseError as error:
            assert "unknown command" in str(error), error


def waited(server):
    with open(f"/proc/{server.process.pid}/schedstat") as file:
        return int(file.read().split()[1]) / 1e6


def main():
    with Server("--slowlog-log-slower-than", "1000", "--slowlog-max-len",
                "100000") as server:
        client = server.client()
        for key in KEYS:
            make, many, one = WORDS[key]
            for words, each in ((many, 100), (one, 1)):
                client.delete(key)
                if make:
                    client.execute_command(*make)
                client.execute_command("SLOWLOG", "RESET")
                before = waited(server)
                fill(server.port, words, key, each)
                ask_all(client, words[0][:2], key)
                away = waited(server) - before
                slow = sorted((entry["duration"]
                               for entry in client.slowlog_get(100000)),
                              reverse=True)
                print(f"{words[0]} {key}, {each} a command, {ITEMS} items, "
                      f"{client.memory_usage(key) / ITEMS:.3f} bytes an item: "
                      f"above 1 ms {len(slow)} of {ITEMS // each}, the slowest "
                      f"{', '.join(f'{us / 1000:.1f}' for us in slow[:5])} ms "
                      f"(away {away:.0f} ms in all)", flush=True)
            client.delete(key)


if __name__ == "__main__":
    main()
