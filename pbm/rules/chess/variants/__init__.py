"""Chess variants as data: sections of an ini file in the notation of Fairy-Stockfish, and the
engine that plays them."""
