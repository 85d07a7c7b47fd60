"""Does a look-up take as long in a filter that has grown a hundredfold?

    flat.py MODULE [ROUNDS]

A BF grows from the default of 100 to 10^4, 10^5 and 10^6 items.  At each size,
BF.MEXISTS of 1000 absent items and BF.EXISTS of one; the time is the server's
own (INFO commandstats; for single items, of scripts that ask 1000 times), so
that the network has no part in it.  Medians of the rounds, which take all sizes
in turn.
"""

import os
import statistics
import sys
import tempfile

os.environ.setdefault("TAMIS_MODULE", os.path.abspath(sys.argv[1]))
os.environ.setdefault("TAMIS_FOLDER", tempfile.gettempdir())
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tests", "redis"))
from server import Server  # pylint: disable=wrong-import-position

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
SIZES = (10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6)
COMMANDS = 200  # a round
SCRIPT = """
local found = 0
for i = 1, 1000 do
  found = found + redis.call('BF.EXISTS', KEYS[1], ARGV[1] .. i)
end
return found"""


def microseconds(client, command):
    return client.info("commandstats")[f"cmdstat_{command}"]["usec"]


def main():
    times, singles, found = {}, {}, {}
    with Server() as server:
        client = server.client()
        for size in SIZES:
            for start in range(0, size, 5000):
                client.execute_command("BF.MADD", size,
                                       *range(start, min(start + 5000, size)))
        for turn in range(ROUNDS):
            for size in SIZES:
                client.execute_command("CONFIG", "RESETSTAT")
                for number in range(COMMANDS):
                    first = -1000 * (turn * COMMANDS + number + 1)
                    found[size] = found.get(size, 0) + sum(
                        client.execute_command("BF.MEXISTS", size,
                                               *range(first, first + 1000)))
                times.setdefault(size, []).append(
                    microseconds(client, "BF.MEXISTS") / COMMANDS)
                for number in range(20):
                    client.eval(SCRIPT, 1, size, f"{turn}-{number}-")
                singles.setdefault(size, []).append(
                    microseconds(client, "eval") / 20)
    print(f"BF from the default 100, absent items, medians of {ROUNDS} rounds; "
          "nanoseconds an item")
    for size in SIZES:
        print(f"  {size:8}: BF.MEXISTS of 1000 {statistics.median(times[size]):6.1f}, "
              f"BF.EXISTS in a script {statistics.median(singles[size]):6.0f}, rate "
              f"{100 * found[size] / (1000 * COMMANDS * ROUNDS):.3f} %")
    for what, all_times in (("BF.MEXISTS", times), ("BF.EXISTS", singles)):
        medians = [statistics.median(values) for values in all_times.values()]
        print(f"  {what}: the slowest size / the fastest "
              f"{max(medians) / min(medians):.2f} (wanted: 1.3)")


if __name__ == "__main__":
    main()
