"""What became of the modules, names and methods of the toolkit that plugins written for 0.1 use."""

MOVED = {
    "pbm.rules.squares": "pbm.rules.boards.squares",
    "pbm.rules.goban": "pbm.rules.boards.goban",
    "pbm.rules.hexagons": "pbm.rules.boards.hexagons",
    "pbm.rules.triangles": "pbm.rules.boards.triangles",
    "pbm.rules.graphs": "pbm.rules.boards.graphs",
    "pbm.rules.walls": "pbm.rules.boards.walls",
    "pbm.rules.floors": "pbm.rules.boards.floor_plans",
    "pbm.rules.masks": "pbm.rules.boards.bitboards",
    "pbm.rules.spans": "pbm.rules.boards.peg_links",
    "pbm.rules.tiles": "pbm.rules.boards.tiles",
    "pbm.rules.stones": "pbm.rules.boards.stone_groups",
    "pbm.rules.picture": "pbm.rules.drawing.picture",
    "pbm.rules.gridpicture": "pbm.rules.drawing.grid_drawing",
    "pbm.rules.tablepicture": "pbm.games.backgammon.board_drawing",
    "pbm.rules.tilepicture": "pbm.rules.drawing.tile_drawing",
    "pbm.rules.pgn": "pbm.rules.formats.pgn",
    "pbm.rules.pdn": "pbm.rules.formats.pdn",
    "pbm.rules.sgf": "pbm.rules.formats.sgf",
    "pbm.rules.mat": "pbm.rules.formats.mat",
    "pbm.rules.duel": "pbm.rules.families.two_player",
    "pbm.rules.connection": "pbm.rules.families.connection",
    "pbm.rules.draughtboard": "pbm.rules.families.draughts_moves",
    "pbm.rules.draughts": "pbm.rules.families.draughts_family",
    "pbm.rules.mancala": "pbm.rules.families.sowing",
    "pbm.rules.listed": "pbm.rules.families.move_lists",
    "pbm.rules.onboards": "pbm.rules.families.board_positions",
    "pbm.rules.outflanking": "pbm.rules.families.outflanking",
    "pbm.rules.placing": "pbm.rules.families.placement",
    "pbm.rules.spreading": "pbm.rules.families.spreading",
    "pbm.rules.stacking": "pbm.rules.families.stacking",
    "pbm.rules.tafl": "pbm.rules.families.tafl",
    "pbm.rules.repetition": "pbm.rules.families.repetition",
    "pbm.rules.tablemen": "pbm.games.backgammon.men",
    "pbm.rules.tabletyped": "pbm.games.backgammon.play_parser",
    "pbm.rules.keeping": "pbm.rules.serialization",
    "pbm.rules.products": "pbm.rules.lazy_moves",
    "pbm.rules.chess.game": "pbm.rules.chess.chess_game",
    "pbm.rules.chess.tables": "pbm.rules.chess.movement_tables",
}

RENAMED = {
    "pbm.rules.families.two_player": {
        "Duel": "TwoPlayerPosition",
        "DuelGame": "TwoPlayerGame",
        "duel": "two_player_game",
    },
    "pbm.rules.families.move_lists": {"Listed": "MoveListPosition", "Surface": "Geometry"},
    "pbm.rules.families.placement": {"Placing": "PlacementPosition", "Surface": "Geometry"},
    "pbm.rules.families.outflanking": {"Outflanking": "OutflankingPosition"},
    "pbm.rules.families.spreading": {"Spreading": "SpreadingPosition", "Field": "SpreadingBoard"},
    "pbm.rules.families.sowing": {
        "Mancala": "SowingPosition",
        "MancalaGame": "SowingGame",
        "onward": "sowing_path",
    },
    "pbm.rules.families.tafl": {"Tafl": "TaflPosition", "Hall": "TaflBoard", "hall": "tafl_board"},
    "pbm.rules.families.draughts_family": {"Draughts": "DraughtsPosition"},
    "pbm.rules.families.draughts_moves": {"Law": "DraughtsRules"},
    "pbm.rules.families.connection": {"arcs": "run_starts", "reached": "touched_bits"},
    "pbm.rules.families.repetition": {
        "noted": "record_position",
        "times": "count_repetitions",
    },
    "pbm.rules.families.board_positions": {"chequered": "chequerboard"},
    "pbm.rules.families.stacking": {"Outlook": "StackState", "fitting": "find_fitting"},
    "pbm.rules.boards.bitboards": {"chosen": "select"},
    "pbm.rules.boards.peg_links": {
        "Span": "PegLink",
        "spans": "possible_links",
        "has": "has_link",
        "with_link": "add_link",
        "linked": "find_linked",
    },
    "pbm.rules.boards.stone_groups": {
        "breathless": "find_without_liberties",
        "captured": "find_captured",
        "emptied": "clear_cells",
        "filled": "put_sign",
        "group": "find_group",
        "liberties": "find_liberties",
        "marks": "zobrist_numbers",
        "moved": "move_sign",
    },
    "pbm.rules.boards.walls": {"Standing": "WallSet", "standing": "wall_set"},
    "pbm.rules.chess.position": {"Pieces": "ChessLikePosition"},
    "pbm.rules.chess.chess_game": {"PiecesGame": "ChessLikeGame"},
    "pbm.rules.lazy_moves": {"Products": "MoveProduct"},
    "pbm.rules.serialization": {"dumped": "dump_fields", "loaded": "load_fields"},
    "pbm.games.backgammon.men": {
        "at": "count_at",
        "lay": "pack_men",
        "pips": "pip_count",
        "plays": "find_plays",
        "spelled": "play_text",
    },
}
"""For each module the names that it had in 0.1 and those that it has now."""

RENAMED_METHODS = {
    "after": "advance",
    "every": "list_moves",
    "fault": "find_fault",
    "laid_out": "initial",
    "made": "make_move",
    "placed": "place",
    "sown": "sow",
    "spelled": "canonicalize",
    "surface": "geometry",
    "vet": "check_options",
}
"""The methods that positions of two players gave in 0.1, and what they are called now."""


def explain_import(error: ImportError) -> str:
    """Why an import failed, where a module or a name of the toolkit has moved; else ""."""
    module = error.name or ""
    if module in MOVED:
        return f"it imports {module}, which is {MOVED[module]} now"
    for old, new in RENAMED.get(module, {}).items():
        if f"cannot import name {old!r} " in str(error):
            return f"it imports {old} from {module}, which is called {new} now"
    return ""
