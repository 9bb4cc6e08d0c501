#!/usr/bin/python3 -I
"""Runs the program of this package with its own libraries, and none that a user has installed."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "packages"))

from pbm.cli import main  # noqa: E402

main()
