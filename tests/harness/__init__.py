"""What tests and programs share to run a server and to talk with it.

databases, postgresql    a database, and a PostgreSQL server to make it on
statements               reads and changes rows behind the server's back
conversation, mail       who mails what and who receives what; `servers` has the ways to run it
visitor, club            a browser without a screen, and a server whose pages it visits
running                  a daemon in this process, its event loop in a thread
server_process           `pbm serve` as a process of its own
mail_room, page_room     the rooms of a server without sockets: one mail in, one page out
shell, terminal          the command line, in this process and at a pseudo-terminal
mail_programs, unpacked  mail servers of Debian as private instances
name_server, packages    a DNS of our own; packages with games, installed for a test
programs                 which programs of the system are installed, and what is missing
samples                  the corpus of mails"""
