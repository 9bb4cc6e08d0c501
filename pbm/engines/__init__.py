"""Translations between the positions of games and the protocols of programs that play them.

Pure: what is to be sent goes out as text, what a program printed comes in as lines; processes,
sockets and time limits are those of `pbm.daemon.engine_process`."""
