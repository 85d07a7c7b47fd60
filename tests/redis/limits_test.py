"""What MAXBYTES and MEMORY promise: no client makes a filter larger than that.

Whatever makes a filter larger is tried: items, copies of items, merges, chunks
from elsewhere, reports.
"""

import bisect
import unittest

from redis.exceptions import ResponseError

from attack_test import empty_header
from bloom_test import Case

LIMIT = 300000


def fill(client, family, copies=1):
    """Adds items to f until one is refused; returns those that are in it."""
    command = (("CF.INSERT", "f", "ITEMS") if family == "CF"
               else (family + ".MADD", "f"))
    kept = []
    for start in range(0, LIMIT, 50):
        items = [i for i in range(start, start + 50) for _ in range(copies)]
        try:
            answers = client.execute_command(*command, *items)
        except ResponseError:
            return kept
        if isinstance(answers, list) and (
                answers[-1] == -1 or isinstance(answers[-1], ResponseError)):
            return kept
        kept += items[::copies]
    raise AssertionError("it never ended")


class ModuleLimitTest(Case):
    module = ("MAXBYTES", LIMIT)

    def check(self, family, least, **options):
        self.client.flushall()
        if family == "AF":
            self.run_command("AF.RESERVE", "f")
        kept = fill(self.client, family, **options)
        usage = self.client.memory_usage("f")
        self.assertLessEqual(usage, LIMIT, family)
        self.assertGreater(usage, least * LIMIT, family)
        self.assertEqual(
            sum(self.run_command(family + ".MEXISTS", "f", *kept)), len(kept))

    def test_many_shards(self):
        """Shards grow one by one, long before all of them are full."""
        for family in ("BF", "CF", "AF"):
            self.check(family, 0.75)

    def test_counted_copies(self):
        for family in ("CF", "AF"):
            self.check(family, 0.9, copies=10)

    def test_beyond_what_was_reserved(self):
        self.run_command("BF.RESERVE", "f", 0.01, 150000)
        kept = fill(self.client, "BF")
        self.assertGreater(len(kept), 150000)
        self.assertLessEqual(self.client.memory_usage("f"), LIMIT)
        self.assertEqual(sum(self.run_command("BF.MEXISTS", "f", *kept)),
                         len(kept))

    def test_a_budget_does_not_raise_the_limit(self):
        for command in (("AF.RESERVE", "f", "MEMORY", 10**9, "CAPACITY", 10**6),
                        ("AF.LOAD", "f", 1, empty_header(
                            "AF.RESERVE f CAPACITY 1000000".split()))):
            self.fails("Insufficient memory to create filter", *command)


class BudgetTest(Case):

    def test_merge(self):
        """All or nothing, also at the end of the budget."""
        for key in "abcd":
            self.run_command("AF.RESERVE", key, "MEMORY", 150000, "SEED", 5)
            self.run_command("AF.MADD", key,
                             *(f"{key}{i}" for i in range(25000)))
        before = self.client.memory_usage("a")
        self.fails("the filter is at the end of its memory",
                   "AF.MERGE", "a", "b", "c", "d")
        self.assertEqual(self.client.memory_usage("a"), before)
        self.assertEqual(self.run_command("AF.INFO", "a")[5], 25000)
        self.run_command("AF.MERGE", "a", "b")
        self.assertEqual(self.run_command("AF.INFO", "a")[5], 50000)

    def test_a_reserve_leaves_room_for_reports(self):
        """The least budget for a capacity has the fixes of so many in it."""
        def reserve(budget):
            try:
                self.run_command("AF.RESERVE", "f", "MEMORY", budget,
                                 "CAPACITY", 20000)
            except ResponseError:
                return False
            return True

        least, enough = 1, 10**6
        while enough - least > 64:
            middle = (least + enough) // 2
            if reserve(middle):
                enough = middle
                self.client.delete("f")
            else:
                least = middle
        self.assertTrue(reserve(enough))
        # 2 bits an item; what is taken at first is known to a few per cent.
        self.assertGreater(enough,
                           self.client.memory_usage("f") + 20000 * 2 / 8 * 0.7)

    def test_reports_have_room(self):
        """Also of short fingerprints, some of which age to nothing."""
        budget = 60000
        run = self.run_command
        run("AF.RESERVE", "f", "BITS", 4, "MEMORY", budget, "SEED", 3)
        count = 0
        with self.assertRaisesRegex(ResponseError, "end of its memory"):
            for count in range(0, 200000, 20):
                run("AF.MADD", "f", *range(count, count + 20))
        self.assertLessEqual(self.client.memory_usage("f"), budget)
        table = sorted((run("AF.HASH", "f", i), i) for i in range(count))
        fixed = 0
        for i in range(10000):
            claim = run("AF.QUERY", "f", f"absent{i}")
            if claim is None:
                continue
            low, high, token = claim
            rows = table[bisect.bisect_left(table, (low, -1)):
                         bisect.bisect_right(table, (high, count))]
            fixed += run("AF.REPORT", "f", f"absent{i}", "TOKEN", token,
                         "MEMBERS", *(item for _, item in rows))
        self.assertGreater(fixed, 1000)
        self.assertLessEqual(self.client.memory_usage("f"), budget)
        self.assertEqual(sum(run("AF.MEXISTS", "f", *range(count))), count)

    def test_shrinking_at_the_end_of_memory(self):
        self.run_command("CF.INSERT", "c", "ITEMS", *range(1000))
        self.run_command("AF.RESERVE", "a")
        self.client.config_set("maxmemory", 1)
        try:
            self.fails_with("OOM", "CF.ADD", "c", "x")
            self.run_command("CF.COMPACT", "c")
            self.run_command("AF.RESIZE", "a")
            self.run_command("CF.DEL", "c", 1)
        finally:
            self.client.config_set("maxmemory", 0)


if __name__ == "__main__":
    unittest.main()
