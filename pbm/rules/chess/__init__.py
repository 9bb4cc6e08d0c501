"""Chess and its relations: kinds of pieces as movement tables, drops, promotion zones, royal rules.

A game is a row of data (`variant`), from which tables are made once (`tables`); `generate` finds
the legal moves with them, `position` plays, `algebraic` reads and writes moves as chess players do.
Where a seat may see only what its pieces can reach, `generate.Board.reached` says what."""
