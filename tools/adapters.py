"""`python -m tools.adapters`: every game that OpenSpiel registers, and what the conformance suite
says of it."""

from __future__ import annotations

import sys

from pbm.adapters.openspiel import OpenSpielError, adapt
from pbm.rules.testing import find_faults


def main() -> None:
    import pyspiel

    for name in pyspiel.registered_names():
        try:
            findings = find_faults(adapt(name), games=2, moves=40)
        except OpenSpielError as error:
            sys.stdout.write(f"{name:32} refused: {error}\n")
        except Exception as error:  # it cannot be loaded without parameters
            sys.stdout.write(f"{name:32} fails: {type(error).__name__}: {error}\n")
        else:
            found = "; ".join(finding.expected for finding in findings) or "conforms"
            sys.stdout.write(f"{name:32} {found}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
