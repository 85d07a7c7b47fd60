"""All commands through npm's client: see bloom_client_test.mjs."""

import os
import subprocess
import unittest

from bloom_test import Case

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "bloom_client_test.mjs")


class NodeTest(Case):

    def test_redis_bloom(self):
        done = subprocess.run(
            ["node", SCRIPT, str(self.server.port),
             os.environ["TAMIS_NODE_MODULES"]],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("node: ok", done.stdout)


if __name__ == "__main__":
    unittest.main()
