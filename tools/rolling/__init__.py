"""A rolling upgrade under load: an older and this program on one database, one after the other."""
