"""Batches of a million uint64 in Python against C++, hashing included in both.

usage: batches.py PROGRAM [ROUNDS]    (PROGRAM is batches.cc, built)

Prints nanoseconds a key, the median of all runs and their quartiles, and how many
times as long Python takes.  Rounds of C++ and Python take turns, so that both see
the same machine.
"""

import subprocess
import sys
import time
from statistics import quantiles

import numpy as np

import tamis

SPECS = ["blocked:bits=12", "rsqf:r=8", "tamis:f=12,grow=no,members=caller"]
OPERATIONS = ["add", "absent", "members"]
KEYS = 1_000_000
RUNS = 7


def keys(first):
    """SplitMix64, as in batches.cc."""
    z = np.arange(first + 1, first + KEYS + 1, dtype=np.uint64)
    z *= np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def timed(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) / KEYS * 1e9


def measure_python(spec):
    members, absent = keys(0), keys(KEYS)
    for _ in range(RUNS):
        f = tamis.Filter(keys=KEYS, spec=spec)
        yield "add", timed(lambda: f.add_many(members))
        yield "absent", timed(lambda: f.contains_many(absent))
        yield "members", timed(lambda: f.contains_many(members))
    assert f.contains_many(members).all()


def measure_cpp(program, spec):
    done = subprocess.run([program, spec], stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        _, operation, nanoseconds = line.split()
        yield operation, float(nanoseconds)


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times = {(s, o, side): [] for s in SPECS for o in OPERATIONS for side in "cp"}
    for _ in range(rounds):
        for spec in SPECS:
            for operation, took in measure_cpp(sys.argv[1], spec):
                times[spec, operation, "c"].append(took)
            for operation, took in measure_python(spec):
                times[spec, operation, "p"].append(took)
    print(f"{'filter':34} {'batch':8} {'C++':>20} {'Python':>20} {'ratio':>6}")
    for spec in SPECS:
        for operation in OPERATIONS:
            cpp, python = (quantiles(times[spec, operation, s]) for s in "cp")
            columns = (f"{q[1]:6.1f} ({q[0]:.1f}-{q[2]:.1f})" for q in (cpp, python))
            print(f"{spec:34} {operation:8}", *(f"{c:>20}" for c in columns),
                  f"{python[1] / cpp[1]:6.2f}")


if __name__ == "__main__":
    main()
