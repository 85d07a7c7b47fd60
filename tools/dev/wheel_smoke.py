"""What check_wheel runs on each processor: all kinds that Python users meet."""

import random
import sys

import tamis

chance = random.Random(1)
keys = [chance.getrandbits(64) for _ in range(2000)]
absent = [chance.getrandbits(64) for _ in range(5000)]
specs = ["rsqf:r=8", "blocked:bits=10", "taf:r=6", "tamis:f=7,members=mirror", "cuckooing:f=8"]
wrong = 0
for spec in specs:
    f = tamis.Filter(keys=len(keys), spec=spec, seed=7)
    f.add_many(keys)
    assert f.contains_many(keys).all(), spec
    answers = f.contains_many(absent)
    mistakes = [key for key, answer in zip(absent, answers) if answer]
    if "report" in f.capabilities:
        f.report_many(mistakes)
    wrong += len(mistakes)
    f.check()
    print(spec, mistakes)
    f.save(sys.argv[1])
print(f"{len(specs)} filters, {len(keys)} keys each, {wrong} false positives")
