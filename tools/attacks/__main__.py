"""The whole of it: `python -m tools.attacks [--short] [NAME …]`, see the package."""

import argparse
import sys

import tools.attacks
from tools.attacks.catalogue import ATTACKS, BROKEN, HEAD, carry_out
from tools.attacks.corpus import list_found
from tools.attacks.families import FAMILIES

_PAGE = """\
# Attacks on the server

`python -m tools.attacks` prints this page and fails when an attack succeeds. Each is tried by SMTP
and LMTP against a daemon of its own or, where processor time is measured, within the program. C, H,
M and L with a number are attacks that once succeeded: critical, high, medium, low. All that was
ever found stands in `tools/attacks/seeds`, with what tries it again: an attack below, seeds that
are varied, or tests of the suite.
"""


_NOT_TRIED = """\

## Not tried

- The texts, templates and forms of echo are of our own choosing, and so are the seeds: some hundred
  lines, of which few were written by an attacker.
- Files of variants, maps and records are read as text: not as the bytes of a file, nor by a mail
  that brings them. Of a game that is read only the first moves are played.
- No coverage leads the mutations, and races are not varied. Their mails are one plain text each: no
  header but From and Subject, no HTML, no attachment, and no reply address that is genuine. Their
  requests are for pages: no form is sent, and no link of a player is genuine. Their sessions are
  not encrypted.
- Failing memory and failing disks at every call, and other systems than Linux.
- People: a moderator who is bribed, an operator who is deceived, two mailboxes of one person.
- Programs that take their time: one that waits longer than ten minutes before each answer, or
  answers only every second of our mails, meets the limits of an hour and a day alone. So does one
  whose every mail begins with a command that it may give, such as `mine` or `note`.
- The mail programs, relays and name servers of others.
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
    sys.stdout.write(_NOT_TRIED)
    sys.exit(bool(broken))


main()
