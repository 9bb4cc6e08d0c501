"""What waits in the database: mails that came in, mails that go out, and boards to be analysed."""
