"""What tests and programs share to run a server and to talk with it.

databases      a database, a PostgreSQL server to make it on, and what reads it behind our back
conversation   who mails what and who receives what
servers        the ways to run it: in this process, in a thread, as `pbm serve`
mail_room      a server without sockets: one mail in, its answers out
mail           the mails that are sent and received, and the corpus
visitor        a browser without a screen, and what it visits: pages without a server, a club's
shell          the command line, in this process and at a pseudo-terminal
mail_programs  mail servers of Debian as private instances, and a DNS of our own
packages       packages with games, and programs of the system that are installed or missing
every_game     one test a game, a sample of them in a short run
languages      what translations leave out, and sentences that are marked"""
