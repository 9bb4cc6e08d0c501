"""From bytes to a letter: headers, body, the text that its writer typed, and whether a program
wrote it."""
