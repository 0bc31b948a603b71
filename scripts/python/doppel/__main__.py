"""python -m doppel runs the program doppel."""

import os
import sys

from ._program import program

os.execv(program(), [program(), *sys.argv[1:]])
