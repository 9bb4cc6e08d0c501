"""The attacks as a program: whatever has been tried against the server is tried again.

    python -m tools.attacks                 all of it, in a quarter of an hour
    python -m tools.attacks --short         a small part of each
    python -m tools.attacks smuggling H3    these alone; --list says which there are
    python -m tools.attacks T-M6            what tries again that which was found under this name
    python -m tools.attacks mutations --minutes 10     as a release does: the seeds, varied

Each attack runs against a real daemon, a process of its own on loopback with SMTP and LMTP before
it and a relay behind it that takes every mail; parsers of moves, options and mails are attacked in
this process, where their processor time can be told. The output is the table of `docs/attacks.md`:
the attack, how often it was tried, what came of it, and `ok` or `BROKEN`; one that is broken ends
the program with 1.

The modules are families of attacks, a function each; `catalogue.py` has what they need,
`attacked_server.py` the daemon. A new attack is a function that is decorated with its name and what
it is after; it counts its tries and returns what it saw. An AssertionError is an attack that
succeeded. What was found gets a line in `seeds/found.txt`, and its words a line in another file
there, where they are varied (`corpus.py`)."""
