"""The slowest commands while filters grow to 10 million items.

    stalls.py MODULE [ITEMS]

Items are added 100 a command; SLOWLOG keeps what takes longer than 1 ms.
"""

import os
import sys
import tempfile

os.environ.setdefault("TAMIS_MODULE", os.path.abspath(sys.argv[1]))
os.environ.setdefault("TAMIS_FOLDER", tempfile.gettempdir())
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "redis"))
from server import Server  # pylint: disable=wrong-import-position

ITEMS = int(sys.argv[2]) if len(sys.argv) > 2 else 10000000


def main():
    with Server("--slowlog-log-slower-than", "1000", "--slowlog-max-len",
                "100000") as server:
        client = server.client()
        client.execute_command("AF.RESERVE", "af")
        for name, words in (("BF.MADD", ("BF.MADD", "bf")),
                            ("CF.INSERT", ("CF.INSERT", "cf", "ITEMS")),
                            ("AF.MADD", ("AF.MADD", "af"))):
            client.execute_command("SLOWLOG", "RESET")
            for start in range(0, ITEMS, 10000):
                pipe = client.pipeline(transaction=False)
                for first in range(start, start + 10000, 100):
                    pipe.execute_command(*words, *range(first, first + 100))
                pipe.execute()
            for ask in ("INFO", "EXISTS"):
                key = words[1]
                client.execute_command(f"{key}.{ask}", key,
                                       *(["x"] if ask == "EXISTS" else []))
            slow = sorted((entry["duration"]
                           for entry in client.slowlog_get(100000)),
                          reverse=True)
            used = client.memory_usage(words[1])
            print(f"{name}: {ITEMS} items, {used / ITEMS:.3f} bytes an item; "
                  f"commands of 100 items above 1 ms: {len(slow)} of "
                  f"{ITEMS // 100}, the slowest "
                  f"{', '.join(f'{us / 1000:.1f}' for us in slow[:5])} ms")
            client.delete(words[1])


if __name__ == "__main__":
    main()
