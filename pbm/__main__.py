"""`python -m pbm` is the command `pbm`."""

from pbm.cli import main

if __name__ == "__main__":
    main()
