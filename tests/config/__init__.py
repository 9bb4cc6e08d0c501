"""What an operator copies from `config` is parsed or executed, and its documents are held true."""
