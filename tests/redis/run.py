"""Runs all tests of the Redis module, two at a time.

    run.py MODULE ASAN_MODULE NODE_MODULES LOGS

With TAMIS_LONG_TESTS=1 the kills are 1000, and the rest is longer too.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LONG = os.environ.get("TAMIS_LONG_TESTS") == "1"
# What tests print of themselves.
FIGURES = re.compile(r"memory: |cluster: |8 clients| kills: ")
LIMIT = 7200 if LONG else 300


def preload():
    """The sanitizers' libraries, which the server must load first."""
    return " ".join(subprocess.run(
        ["gcc", f"-print-file-name=lib{name}.so"], check=True,
        capture_output=True, text=True).stdout.strip()
        for name in ("asan", "ubsan"))


def jobs(module, asan_module, node_modules):
    """(name, program, environment); long ones first."""
    plain = {"TAMIS_MODULE": module}
    asan = {"TAMIS_MODULE": asan_module, "TAMIS_PRELOAD": preload()}
    if LONG:
        plain |= {"TAMIS_KILLS": "1000", "TAMIS_ROUNDS": "60",
                  "TAMIS_CLIENT_SECONDS": "60", "TAMIS_FUZZ_CHANGES": "60000",
                  "TAMIS_CLUSTER_ITEMS": "3000000"}
    small = {"TAMIS_ROUNDS": "2", "TAMIS_FUZZ_CHANGES": "1500",
             "TAMIS_CLIENT_SECONDS": "2", "TAMIS_KILLS": "3"}
    yield "cluster", "cluster_test.py", plain
    for name in ("memory", "random", "adaptive", "kill", "module", "cuckoo",
                 "bloom", "fuzz", "attack", "limits", "example"):
        yield name, name + "_test.py", plain
    yield "node", "node_test.py", plain | {"TAMIS_NODE_MODULES": node_modules}
    for name in ("random", "adaptive", "fuzz", "bloom", "cuckoo", "attack"):
        yield "asan-" + name, name + "_test.py", asan | small


def run(job, folder, logs):
    name, program, environment = job
    start = time.time()
    log = os.path.join(logs, f"redis-{name}.log")
    with open(log, "w") as out:
        try:
            code = subprocess.run(
                ["/usr/bin/python3", os.path.join(HERE, program), "-v"],
                env=os.environ | environment | {"TAMIS_FOLDER": folder},
                stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                timeout=LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            code = "no end"
    with open(log) as out:
        lines = out.read().splitlines()
    ran = next((line for line in lines if line.startswith("Ran ")), "no tests")
    ok = code == 0 and not ran.startswith(("no tests", "Ran 0"))
    print(f"{name}: {'ok' if ok else 'FAILED'}, {ran}, "
          f"{time.time() - start:.0f} s", flush=True)
    for line in lines if ok else lines[-60:]:
        if not ok or FIGURES.search(line):
            print("    " + line, flush=True)
    return ok


def main():
    module, asan_module, node_modules, logs = map(os.path.abspath, sys.argv[1:])
    os.makedirs(logs, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tamis-redis-") as folder:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            passed = list(pool.map(
                lambda job: run(job, folder, logs),
                list(jobs(module, asan_module, node_modules))))
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
