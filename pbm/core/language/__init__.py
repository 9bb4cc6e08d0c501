"""What somebody asks for: the table of commands, the parser, options, a command being executed."""
