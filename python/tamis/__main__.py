"""The command `tamis`, for those who have the package: python -m tamis."""

import os
import sys

from tamis._compare import COMMAND

if __name__ == "__main__":
    os.execv(COMMAND, ["tamis", *sys.argv[1:]])
