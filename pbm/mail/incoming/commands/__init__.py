"""The commands of a mail: how they are found, and how they are shown without secrets."""
