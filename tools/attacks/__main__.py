"""The whole of it: `python -m tools.attacks [--short] [NAME …]`, see the package."""

import argparse
import sys

import tools.attacks
from pbm.logs import set_up
from tools.attacks.catalogue import ATTACKS, BROKEN, HEAD, carry_out
from tools.attacks.corpus import NOT_TRIED, list_found
from tools.attacks.families import FAMILIES

_PAGE = """\
# Attacks on the server

`python -m tools.attacks` prints this page and fails when an attack succeeds. Each is tried by SMTP
and LMTP against a daemon of its own or, where processor time is measured, within the program. C, H,
M and L with a number are attacks that once succeeded: critical, high, medium, low. All that was
ever found stands in `tools/attacks/seeds`, with what tries it again: an attack below, seeds that
are varied, or tests of the suite.
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.attacks",
        description=tools.attacks.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="an attack, a family, or what was found"
    )
    parser.add_argument("--short", action="store_true", help="a small part of each")
    parser.add_argument(
        "--minutes",
        type=float,
        default=2.5,
        help="for how long seeds are varied, all kinds together",
    )
    parser.add_argument("--list", action="store_true", help="name them all")
    given = parser.parse_args()
    set_up("lines")  # on the standard error: the page is for the standard output
    again = {what for found in list_found() if found.name in given.names for what in found.tried}
    chosen = [
        each
        for each in ATTACKS
        if not given.names or {each.name, each.family} & {*given.names, *again}
    ]
    chosen.sort(key=lambda each: FAMILIES.index(each.family))
    if given.list or not chosen:
        for family in FAMILIES:
            names = [each.name for each in ATTACKS if each.family == family]
            sys.stdout.write(f"{family}: {', '.join(names)}\n")
        sys.exit(not given.list)
    sys.stdout.write(f"{_PAGE}\n{HEAD}\n")
    broken = tries = 0
    for each in chosen:
        result = carry_out(each, short=given.short, minutes=given.minutes)
        tries += result.tries
        broken += result.state == BROKEN
        sys.stdout.write(f"{result.row}\n")
        sys.stdout.flush()
        sys.stderr.write(f"{each.name}: {result.seconds:.1f} s\n")
    sys.stdout.write(f"\n{len(chosen)} attacks, {tries:,} tries, {broken} broken.\n")
    sys.stdout.write(f"\n{NOT_TRIED.read_text(encoding='utf-8')}")
    sys.exit(bool(broken))


main()
