"""The programs of the guide run as they are printed there."""

import os
import subprocess
import unittest

from bloom_test import Case

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class ExampleTest(Case):

    def test_users(self):
        done = subprocess.run(
            ["/usr/bin/python3", os.path.join(ROOT, "examples/redis/users.py"),
             str(self.server.port)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=280, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("round 2: 5000 strangers, 0 reads", done.stdout)

    def test_guide_shows_it(self):
        """Every line of Python in the guide is in the program, in this order."""
        with open(os.path.join(ROOT, "docs/guide/redis.md")) as guide:
            text = guide.read()
        shown = text.split("<!-- examples/redis/users.py -->\n```python\n")[1]
        with open(os.path.join(ROOT, "examples/redis/users.py")) as program:
            lines = iter([line.strip() for line in program])
        for line in shown.split("```")[0].splitlines():
            if line.strip() and line.strip() != "# ...":
                self.assertIn(line.strip(), lines, line)


if __name__ == "__main__":
    unittest.main()
