"""The slowest commands while filters grow to 10 million items.

    stalls.py MODULE [ITEMS] [KEY...]

Items are added 100 a command; SLOWLOG keeps what takes longer than 1 ms.  Keys:
bf, cf and af grow from nothing; reserved is a bf for half of the items.
"""

import os
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


def main():
    with Server("--slowlog-log-slower-than", "1000", "--slowlog-max-len",
                "100000") as server:
        client = server.client()
        client.execute_command("AF.RESERVE", "af")
        client.execute_command("BF.RESERVE", "reserved", 0.01, ITEMS // 2)
        for words in (("BF.MADD", "bf"), ("CF.INSERT", "cf", "ITEMS"),
                      ("AF.MADD", "af"), ("BF.MADD", "reserved")):
            if words[1] not in KEYS:
                continue
            client.execute_command("SLOWLOG", "RESET")
            for start in range(0, ITEMS, 10000):
                pipe = client.pipeline(transaction=False)
                for first in range(start, start + 10000, 100):
                    pipe.execute_command(*words, *range(first, first + 100))
                pipe.execute()
            # All the rest that does not say O(n).
            family, key = words[0][:2], words[1]
            for ask, *rest in (["INFO"], ["EXISTS", "x"], ["MEXISTS", 1, 2],
                               ["CARD"], ["COUNT", "x"], ["DEL", 1],
                               ["HASH", "x"], ["QUERY", 2], ["STATS"]):
                try:
                    client.execute_command(f"{family}.{ask}", key, *rest)
                except redis.exceptions.ResponseError as error:
                    assert "unknown command" in str(error), error
            slow = sorted((entry["duration"]
                           for entry in client.slowlog_get(100000)),
                          reverse=True)
            used = client.memory_usage(words[1])
            print(f"{words[0]} {key}: {ITEMS} items, {used / ITEMS:.3f} bytes an item; "
                  f"commands of 100 items above 1 ms: {len(slow)} of "
                  f"{ITEMS // 100}, the slowest "
                  f"{', '.join(f'{us / 1000:.1f}' for us in slow[:5])} ms")
            client.delete(words[1])


if __name__ == "__main__":
    main()
