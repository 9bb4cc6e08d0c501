"""Variants of chess, shogi and xiangqi whose rules are sections of a file; here is how each is
called. Sources: docs/rules/variants.md."""

from __future__ import annotations

from pbm.rules.chess.variants.reader import read_shelf
from pbm.rules.chess.variants.start import SHOGI, XIANGQI
from pbm.rules.chess.variants.variant_game import Card, make_game
from pbm.rules.phrases import EnglishWord, phrase

_EMPIRE = {"E": "eagle", "C": "cardinal", "T": "tower", "D": "duke", "S": "soldier"}
_ORDA = {"H": "kheshig", "A": "archer", "L": "lancer", "Y": "yurt", "F": "falcon"}
_CHAK = {
    "R": "serpent",
    "V": "vulture",
    "J": "jaguar",
    "O": "offering",
    "S": "shaman",
    "Q": "quetzal",
    "D": "divine king",
    "P": "pawn",
    "K": "king",
    "W": "warrior",
}
_TORI = {
    "S": "swallow",
    "K": "phoenix",
    "F": "falcon",
    "C": "crane",
    "L": "left quail",
    "R": "right quail",
    "P": "pheasant",
    "G": "goose",
    "E": "eagle",
}
_DOBUTSU = {"C": "chick", "H": "hen", "E": "elephant", "G": "giraffe", "L": "lion"}
_YARI = {
    "L": "rook",
    "N": "yari knight",
    "B": "yari bishop",
    "R": "yari rook",
    "G": "yari gold",
    "S": "yari silver",
}
_THAI = {"S": "khon", "M": "met"}

CARDS: dict[str, Card] = {
    # Chess by other aims
    "nocastle": Card(
        "nocastle",
        "No Castling Chess",
        ("nocastling",),
        "chess in which nobody castles",
        about=(
            "Chess without castling: the kings stay in the middle for longer, and opening "
            "theory counts for little."
        ),
    ),
    "torpedo": Card(
        "torpedo",
        "Torpedo Chess",
        (),
        "pawns may go two squares from anywhere",
        about=(
            "Chess whose pawns may go two squares at any time, not only from their first row. "
            "Passed pawns run fast, and endings turn over."
        ),
    ),
    "berolina": Card(
        "berolina",
        "Berolina Chess",
        (),
        "pawns move diagonally and capture straight",
        names={"P": "pawn"},
        about=(
            "Chess with its pawns turned round: they go one square diagonally forward and "
            "capture straight ahead."
        ),
    ),
    "kingofthehill": Card(
        "kingofthehill",
        "King of the Hill",
        ("koth",),
        "checkmate, or bring your king to the centre",
        about=(
            "Chess with a second way to win: a king that reaches one of the four squares in "
            "the middle of the board has won at once."
        ),
    ),
    "racingkings": Card(
        "racingkings",
        "Racing Kings",
        (),
        "no checks: race your king to the last row",
        about=(
            "Both armies stand side by side at the bottom of the board and race their kings "
            "to row 8. Nobody may give check, so the other men only bar the way."
        ),
    ),
    "3check": Card(
        "threecheck",
        "Three-check",
        ("3check",),
        "the third check wins",
        about=(
            "Chess in which the third check wins, whatever it cost to give it. Checkmate wins too."
        ),
    ),
    "5check": Card(
        "fivecheck",
        "Five-check",
        ("5check",),
        "the fifth check wins",
        about=(
            "Chess in which the fifth check wins, whatever it cost to give it. Checkmate wins too."
        ),
    ),
    "horde": Card(
        "horde",
        "Horde",
        ("hordechess",),
        "an army of pawns against a full set",
        about=(
            "36 white pawns without a king against a full black army. Black wins by capturing "
            "every white man, white by checkmate."
        ),
    ),
    "knightmate": Card(
        "knightmate",
        "Knightmate",
        (),
        "the royal piece moves like a knight",
        names={"M": "commoner", "K": "royal knight"},
        about=(
            "Chess in which king and knights have changed their ways: the royal man moves "
            "like a knight, and the two commoners beside it move one square in any direction "
            "and may be captured."
        ),
    ),
    "coregal": Card(
        "coregal",
        "Coregal Chess",
        (),
        "the queen can be mated as the king can",
        about=(
            "Chess in which the queen is royal too: she must not be left attacked, and a side "
            "whose queen is mated loses as if it were its king."
        ),
    ),
    "misere": Card(
        "misere",
        "Misere Chess",
        ("selfmate",),
        "get yourself checkmated",
        about=(
            "Chess the other way round: whoever is checkmated wins. So the point is to force "
            "the other side to mate."
        ),
    ),
    "losers": Card(
        "losers",
        "Losers Chess",
        ("wild17",),
        "lose all but the king; you must capture",
        about=(
            "Whoever gets rid of all men but the king wins, and so does whoever is "
            "checkmated. Captures are compulsory, though a king must still get out of check."
        ),
    ),
    "giveaway": Card(
        "giveaway",
        "Giveaway",
        ("giveawaychess",),
        "lose all men; you must capture; with castling",
        about=(
            "Whoever has lost all men, or cannot move, wins. Captures are compulsory, and the "
            "king is a man like any other, which may be captured and to which a pawn may be "
            "promoted."
        ),
    ),
    "antichess": Card(
        "antichess",
        "Antichess",
        (),
        "lose all your men; you must capture",
        about=(
            "Whoever has lost all men, or cannot move, wins. Captures are compulsory, the "
            "king is a man like any other, and nobody castles."
        ),
    ),
    "suicide": Card(
        "suicide",
        "Suicide Chess",
        (),
        "lose all men; without a move, fewer men win",
        about=(
            "Whoever has lost all men wins. Captures are compulsory, and when a side cannot "
            "move the one with fewer men wins."
        ),
    ),
    "codrus": Card(
        "codrus",
        "Codrus",
        (),
        "lose your king; you must capture",
        about=(
            "Whoever loses the king wins. Captures are compulsory, and a king has no need to "
            "avoid check."
        ),
    ),
    "extinction": Card(
        "extinction",
        "Extinction Chess",
        (),
        "wipe out one kind of the enemy's men",
        about=(
            "Each kind of man must survive: whoever loses the last of its pawns, knights, "
            "bishops or rooks, its queen or its king, has lost. A pawn may be promoted to a "
            "king too."
        ),
    ),
    "kinglet": Card(
        "kinglet",
        "Kinglet",
        (),
        "capture all the pawns",
        about=(
            "Whoever loses the last pawn loses. Pawns become nothing but kings on the last "
            "row, so whoever has to promote the last pawn has lost it."
        ),
    ),
    "threekings": Card(
        "threekings",
        "Three Kings",
        (),
        "capture one of three kings",
        about=(
            "Each side has three kings, in the corners of its first row and on the king's "
            "square, and loses as soon as one of them is captured. There is no check: nobody "
            "is warned."
        ),
    ),
    "nocheckatomic": Card(
        "nocheckatomic",
        "No Check Atomic",
        (),
        "captures explode; kings may stay attacked",
        about=(
            "Chess with explosions: a capture blows up the captured man, the man that "
            "captures and everything but pawns around them. There is no check, and whoever "
            "blows up the other king first wins."
        ),
    ),
    "atomic": Card(
        "atomic",
        "Atomic",
        ("atomicchess",),
        "captures explode: blow up the king",
        about=(
            "Chess with explosions: a capture blows up the captured man, the man that "
            "captures and everything but pawns around them. Blowing up the enemy king wins, "
            "even while one's own is in check."
        ),
    ),
    "legan": Card(
        "legan",
        "Legan Chess",
        (),
        "armies in opposite corners",
        names={"P": "pawn"},
        about=(
            "The armies stand in opposite corners of the board and march along its diagonal. "
            "Pawns move one square towards the enemy's corner and capture along row or "
            "column."
        ),
    ),
    # Chess with other pieces
    "almost": Card(
        "almostchess",
        "Almost Chess",
        ("almost",),
        "a chancellor is in the queen's place",
        about=(
            "Chess with a chancellor, which moves as rook and as knight, in place of the queen."
        ),
    ),
    "amazon": Card(
        "amazonchess",
        "Amazon Chess",
        ("amazon",),
        "the queen leaps like a knight too",
        about="Chess with an amazon, which moves as queen and as knight, in place of the queen.",
    ),
    "chigorin": Card(
        "chigorin",
        "Chigorin Chess",
        (),
        "an army of knights against bishops",
        about=(
            "White has four knights and a chancellor, which moves as rook and as knight; "
            "black has four bishops and a queen. Chigorin liked knights, and here one can see "
            "why."
        ),
    ),
    "hoppelpoppel": Card(
        "hoppelpoppel",
        "Hoppel-Poppel",
        (),
        "knights capture like bishops, and bishops so",
        names={"N": "knight", "B": "bishop"},
        about=(
            "Chess in which knights capture as bishops do and bishops capture as knights do. "
            "Without capturing both move as usual."
        ),
    ),
    "newzealand": Card(
        "newzealand",
        "New Zealand Chess",
        ("newzealand960",),
        "knights capture like rooks, and rooks so",
        names={"N": "knight", "R": "rook"},
        about=(
            "Chess in which knights capture as rooks do and rooks capture as knights do. "
            "Without capturing both move as usual."
        ),
    ),
    "nightrider": Card(
        "nightrider",
        "Nightrider Chess",
        (),
        "knights ride on in their direction",
        names={"N": "nightrider"},
        about=(
            "Chess with nightriders in place of knights: a nightrider may repeat its knight's "
            "move in the same direction, as long as the squares where it lands are empty."
        ),
    ),
    "grasshopper": Card(
        "grasshopper",
        "Grasshopper Chess",
        (),
        "a row of grasshoppers behind the pawns",
        names={"G": "grasshopper"},
        about=(
            "Chess with eight grasshoppers a side behind the pawns. A grasshopper moves along "
            "a queen's line to the square right behind the first man in its way, and captures "
            "there."
        ),
    ),
    "perfect": Card(
        "perfectchess",
        "Perfect Chess",
        ("perfect",),
        "all compounds of the pieces in one army",
        names={"C": "chancellor", "M": "archbishop", "G": "general"},
        about=(
            "Chess with all compounds in one army: besides queen, rook, bishop and knight "
            "there are the chancellor (rook and knight), the archbishop (bishop and knight) "
            "and the general (queen and knight)."
        ),
    ),
    "spartan": Card(
        "spartan",
        "Spartan Chess",
        ("spartanchess",),
        "Persians against Spartans with two kings",
        names={
            "K": "king",
            "H": "hoplite",
            "G": "general",
            "W": "warlord",
            "L": "lieutenant",
            "C": "captain",
        },
        about=(
            "The usual army, called Persians, against Spartans with two kings and other men. "
            "The Spartans are in check only if both kings are attacked at once, and may lose "
            "one king."
        ),
    ),
    "orda": Card(
        "orda",
        "Orda",
        ("ordachess",),
        "chess against a horde of riders",
        names=_ORDA,
        about=(
            "A chess army against a horde of riders that move like knights and capture like "
            "other pieces. A king that reaches the last row wins as well."
        ),
    ),
    "ordamirror": Card(
        "ordamirror",
        "Ordamirror",
        (),
        "two hordes of riders",
        names=_ORDA,
        about=(
            "Both sides lead a horde of riders that move like knights and capture otherwise, "
            "or the reverse. A king that reaches the last row wins as well."
        ),
    ),
    "empire": Card(
        "empire",
        "Empire Chess",
        (),
        "chess against an imperial army",
        names=_EMPIRE,
        about=(
            "A chess army against an imperial one, whose men move like queens and capture in "
            "ways of their own. A king that reaches the last row wins, and the kings may not "
            "face each other."
        ),
    ),
    # Chess with pieces in hand
    "crazyhouse": Card(
        "crazyhouse",
        "Crazyhouse",
        ("zh",),
        "captured men are dropped as your own",
        about=(
            "Chess in which captured men change sides: instead of moving, a man that was "
            "taken may be dropped on an empty square. Attacks never run out of men."
        ),
    ),
    "loop": Card(
        "loopchess",
        "Loop Chess",
        ("loop",),
        "crazyhouse; promoted men stay so in hand",
        about=(
            "Crazyhouse in which a promoted man that is captured stays promoted in the hand "
            "of who took it."
        ),
    ),
    "chessgi": Card(
        "chessgi",
        "Chessgi",
        (),
        "loop chess; pawns drop on the first row too",
        about="Loop chess in which pawns may be dropped on the first row of their side as well.",
    ),
    "bughouse": Card(
        "bughouse",
        "Bughouse",
        ("tandemchess",),
        "captured men go to your partner, on two boards",
        about=(
            "Two boards, four players, two teams: what one captures the partner may drop. "
            "Whoever is mated loses for both."
        ),
    ),
    "koedem": Card(
        "koedem",
        "Koedem",
        (),
        "bughouse with kings that are captured and dropped",
        about=(
            "Bughouse in which kings are captured, handed over and dropped as other men are; "
            "there is no check. A player who has lost the king loses when the other one on "
            "that board has two."
        ),
    ),
    "pocketknight": Card(
        "pocketknight",
        "Pocket Knight",
        ("pocketknightchess",),
        "a knight in hand, to be dropped once",
        about=(
            "Chess with one more knight in each hand, which may be dropped once on an empty "
            "square instead of a move."
        ),
    ),
    "placement": Card(
        "placement",
        "Placement Chess",
        ("prechess",),
        "place your pieces behind the pawns first",
        about=(
            "The pawns stand, the pieces are in hand: first both sides place their pieces on "
            "the first row, in turn and as they like, with bishops on both colours. Then it "
            "is chess."
        ),
    ),
    "seirawan": Card(
        "seirawan",
        "Seirawan Chess",
        ("schess", "sharper"),
        "two more pieces enter behind men that move",
        names={"H": "hawk", "E": "elephant"},
        about=(
            "Chess with two more pieces in each hand: the hawk, which moves as bishop and as "
            "knight, and the elephant, which moves as rook and as knight. They come in on a "
            "square that a man of the first row has just left for the first time."
        ),
    ),
    "shouse": Card(
        "shouse",
        "S-House",
        (),
        "seirawan chess with captured men dropped",
        names={"H": "hawk", "E": "elephant"},
        about=(
            "Seirawan chess and crazyhouse in one: hawk and elephant come in behind men that "
            "move for the first time, or by being dropped, as captured men are."
        ),
    ),
    "dragon": Card(
        "dragonchess",
        "Dragon Chess",
        ("dragon",),
        "a dragon in hand, to be dropped at home",
        names={"D": "dragon"},
        about=(
            "Chess with a dragon in each hand, which moves as bishop and as knight and may be "
            "dropped once on an empty square of the first row instead of a move."
        ),
    ),
    "synochess": Card(
        "synochess",
        "Synochess",
        (),
        "chess against an army of the east",
        names={"E": "elephant", "A": "advisor"},
        about=(
            "A chess army against one of the east, with soldiers, leaping elephants and "
            "cannons that move over exactly one man. Black may also drop its two soldiers; a "
            "king that reaches the last row wins."
        ),
    ),
    "shinobi": Card(
        "shinobi",
        "Shinobi Chess",
        (),
        "chess against a clan with men in hand",
        names={
            "C": "captain",
            "D": "dragon",
            "J": "ninja",
            "M": "monk",
            "H": EnglishWord("horse", phrase("shogi horse")),
            "L": "lance",
        },
        about=(
            "A clan of the east, with six men in hand to be dropped, against a chess army. "
            "The clan's men are promoted on the last two rows, and a king that reaches the "
            "last row wins."
        ),
    ),
    # Other boards
    "losalamos": Card(
        "losalamos",
        "Los Alamos Chess",
        (),
        "chess on 36 squares without bishops",
        about=(
            "Chess on six by six squares without bishops, double steps and castling. It was "
            "the first game like chess that a computer played, in 1956."
        ),
    ),
    "gardner": Card(
        "gardner",
        "Gardner Minichess",
        ("minichess", "gardnerchess"),
        "chess on 25 squares",
        about=(
            "Chess on five by five squares, with one of each piece and five pawns a side, "
            "without double steps and castling."
        ),
    ),
    "capablanca": Card(
        "capablanca",
        "Capablanca Chess",
        (),
        "ten columns, archbishop and chancellor",
        about=(
            "Chess on ten columns with two more pieces: the archbishop moves as bishop and as "
            "knight, the chancellor as rook and as knight."
        ),
    ),
    "capahouse": Card(
        "capahouse",
        "Capahouse",
        (),
        "capablanca chess with drops",
        about=(
            "Capablanca chess in which captured men change sides and are dropped, as in crazyhouse."
        ),
    ),
    "gothic": Card(
        "gothic",
        "Gothic Chess",
        (),
        "capablanca chess in another order",
        about=(
            "Capablanca chess with its pieces in another order, so that every pawn is guarded "
            "from the start."
        ),
    ),
    "embassy": Card(
        "embassy",
        "Embassy Chess",
        (),
        "capablanca chess as grand chess begins",
        about="Capablanca chess with its pieces in the order of grand chess, in one row.",
    ),
    "janus": Card(
        "janus",
        "Janus Chess",
        (),
        "ten columns and two januses a side",
        names={"J": "janus"},
        about=("Chess on ten columns with two januses a side, which move as bishop and as knight."),
    ),
    "modern": Card(
        "modernchess",
        "Modern Chess",
        ("modern",),
        "nine by nine, with a minister",
        names={"M": "minister"},
        about=(
            "Chess on nine by nine squares with a minister, which moves as bishop and as "
            "knight, on the other side of the king."
        ),
    ),
    "grand": Card(
        "grandchess",
        "Grand Chess",
        ("grand",),
        "ten by ten, with marshal and cardinal",
        names={"A": "cardinal", "C": "marshal"},
        about=(
            "Chess on ten by ten squares with two more pieces: the marshal moves as rook and "
            "as knight, the cardinal as bishop and as knight. The rooks stand behind the "
            "lines; pawns are promoted only to what has been lost, from the eighth row on."
        ),
    ),
    "shako": Card(
        "shako",
        "Shako",
        (),
        "ten by ten, with cannons and elephants",
        about=(
            "Chess on ten by ten squares with cannons, which capture by leaping over a man, "
            "and elephants, which move one or two squares diagonally."
        ),
    ),
    # Old and regional chess
    "shatranj": Card(
        "shatranj",
        "Shatranj",
        (),
        "the chess of Baghdad",
        names={"Q": "firzan", "B": "alfil"},
        about=(
            "The chess that was played in Baghdad a thousand years ago. Alfils leap two "
            "squares diagonally, the firzan moves one; a side whose king is left alone, or "
            "that cannot move, has lost."
        ),
    ),
    "chaturanga": Card(
        "chaturanga",
        "Chaturanga",
        (),
        "the oldest chess, as it is played now",
        names={"Q": "mantri", "B": "gaja"},
        about=(
            "The oldest chess that is known, from India, as it is played now: the gaja leaps "
            "two squares diagonally and the mantri moves one. A side that cannot move has "
            "lost."
        ),
    ),
    "courier": Card(
        "courier",
        "Courier Chess",
        (),
        "medieval chess on twelve columns",
        names={"E": "elephant", "B": "courier", "F": "ferz", "M": "mann", "W": "schleich"},
        about=(
            "The chess of medieval Germany on twelve columns. The courier is the bishop of "
            "today; elephants leap two squares diagonally, mann and schleich step one, and a "
            "bare king has lost."
        ),
    ),
    "makruk": Card(
        "makruk",
        "Makruk",
        ("thaichess",),
        "the chess of Thailand",
        names=_THAI,
        about=(
            "The chess of Thailand: pawns begin on the third row and are promoted on the "
            "sixth to a met, which is weak, so that most games are decided in the ending. "
            "Mating a bare king is limited by a count."
        ),
    ),
    "makpong": Card(
        "makpong",
        "Makpong",
        (),
        "makruk: no running away from check",
        names=_THAI,
        about=(
            "Makruk in which a king in check may not run away: the check must be parried by "
            "another man, or the checking man captured."
        ),
    ),
    "cambodian": Card(
        "cambodian",
        "Ouk Chaktrang",
        ("ouk", "cambodianchess"),
        "the chess of Cambodia",
        names=_THAI,
        about=(
            "The chess of Cambodia: makruk in which, once each, the king may leap like a "
            "knight and the met two squares forward."
        ),
    ),
    "karouk": Card(
        "karouk",
        "Kar Ouk",
        (),
        "ouk chaktrang: the first check wins",
        names=_THAI,
        about=(
            "The chess of Cambodia played for the first check, which wins at once, so that a check "
            "stands for mate in the counts below."
        ),
    ),
    "asean": Card(
        "asean",
        "ASEAN Chess",
        (),
        "the common chess of south-east Asia",
        names={"B": "bishop", "Q": "queen"},
        about=(
            "The chess that the countries of south-east Asia have agreed on: the pieces of "
            "makruk, whose pawns are promoted on the last row to what they like."
        ),
    ),
    "sittuyin": Card(
        "sittuyin",
        "Sittuyin",
        ("burmesechess",),
        "the chess of Myanmar: set up first",
        names={"F": "general", "S": "elephant"},
        about=(
            "The chess of Myanmar: first both sides put their pieces behind the pawns as they "
            "like, then they play. The king's helper is a general that moves one square "
            "diagonally, and pawns become generals on the long diagonals of the far half."
        ),
    ),
    "chak": Card(
        "chak",
        "Chak",
        (),
        "a king becomes divine and seeks the altar",
        names=_CHAK,
        about=(
            "A game of the Maya world: a king that reaches the fifth row becomes a divine "
            "king, and wins by going to the square of the other side's offering."
        ),
    ),
    # Shogi
    "shogi": Card(
        "shogi",
        "Shogi",
        ("japanesechess",),
        "captured men change sides",
        SHOGI,
        about=(
            "Japanese chess: captured men change sides and are dropped again, so that boards "
            "never empty and attacks do not end. Nearly all men are promoted in the last "
            "three rows."
        ),
    ),
    "kyotoshogi": Card(
        "kyotoshogi",
        "Kyoto Shogi",
        ("kyoto",),
        "men turn over with every move",
        SHOGI,
        about=(
            "Shogi on five by five squares whose men turn over with every move: lance to gold, "
            "silver to bishop, knight to gold, pawn to rook, and back. The king alone stays what "
            "it is."
        ),
    ),
    "micro": Card(
        "microshogi",
        "Micro Shogi",
        ("micro",),
        "men turn over when they capture",
        SHOGI,
        about=(
            "Shogi on four by five squares with five men a side, which turn over whenever "
            "they capture."
        ),
    ),
    "dobutsu": Card(
        "dobutsu",
        "Dobutsu Shogi",
        ("animalshogi",),
        "catch the lion on twelve squares",
        SHOGI,
        _DOBUTSU,
        about=(
            "Shogi for children on twelve squares: lion, giraffe, elephant and chick. Catch "
            "the lion, or bring your own safely to the last row."
        ),
    ),
    "gorogoro": Card(
        "gorogoro",
        "Goro Goro Shogi",
        (),
        "shogi on thirty squares with eight men",
        SHOGI,
        about="Shogi on five by six squares with gold and silver generals, pawns and a king.",
    ),
    "gorogoroplus": Card(
        "gorogoroplus",
        "Goro Goro Plus",
        (),
        "goro goro shogi, lance and knight in hand",
        SHOGI,
        about="Goro goro shogi with a lance and a knight in each hand from the start.",
    ),
    "judkins": Card(
        "judkins",
        "Judkins Shogi",
        (),
        "shogi on 36 squares",
        SHOGI,
        about="Shogi on six by six squares with one of each piece and a single pawn a side.",
    ),
    "torishogi": Card(
        "torishogi",
        "Tori Shogi",
        ("tori",),
        "shogi of birds on 49 squares",
        SHOGI,
        _TORI,
        about=(
            "Shogi with birds on seven by seven squares, made two hundred years ago in Japan. "
            "Swallows are the pawns, of which a side may have two on a column; swallow and "
            "falcon alone are promoted."
        ),
    ),
    "euroshogi": Card(
        "euroshogi",
        "EuroShogi",
        ("euro",),
        "shogi on a chessboard",
        SHOGI,
        {"N": "knight"},
        about=(
            "Shogi on a chessboard, without lances and silver generals, with a knight that "
            "also steps to the side."
        ),
    ),
    "yarishogi": Card(
        "yarishogi",
        "Yari Shogi",
        ("yari",),
        "shogi of spearmen on 63 squares",
        SHOGI,
        _YARI,
        about=(
            "Shogi with spearmen on seven by nine squares: most men ride forward as far as "
            "they like, and few go back."
        ),
    ),
    # Xiangqi and janggi
    "minixiangqi": Card(
        "minixiangqi",
        "Mini Xiangqi",
        (),
        "xiangqi on 49 points",
        XIANGQI,
        about="Chinese chess on seven by seven points, without elephants, advisors and river.",
    ),
    "manchu": Card(
        "manchu",
        "Manchu Chess",
        ("yitong",),
        "a banner fights a whole army",
        XIANGQI,
        about=(
            "Chinese chess in which red has a single banner in place of chariots, horses and "
            "cannons: it moves as all three of them."
        ),
    ),
    "supply": Card(
        "supply",
        "Supply Chess",
        ("supplychess",),
        "xiangqi for four on two boards, bughouse in China",
        XIANGQI,
        about=(
            "Chinese chess on two boards for two teams: what one captures the partner may "
            "drop in their half of the board."
        ),
    ),
    "janggi": Card(
        "janggi",
        "Janggi",
        ("koreanchess",),
        "the chess of Korea",
        XIANGQI,
        about=(
            "The chess of Korea: cannons need a man to leap over even when they do not "
            "capture, elephants go far, and men use the diagonals of the palaces. Whoever has "
            "no better plan may pass, and draws are decided by counting men."
        ),
    ),
    "janggicasual": Card(
        "janggicasual",
        "Casual Janggi",
        (),
        "janggi: nothing is counted",
        XIANGQI,
        about=(
            "Janggi as it is played among friends: facing kings mean nothing, and no men are "
            "counted."
        ),
    ),
    # Another goal
    "jesonmor": Card(
        "jesonmor",
        "Jeson Mor",
        (),
        "bring a knight to the centre and keep it there",
        about=(
            "Nine knights a side, from Mongolia: whoever has a knight on the square in the "
            "middle that the other side does not capture with its next move wins."
        ),
    ),
}
"""By section. The names of piece types of a section without a card are left to its slots."""

GAMES = tuple(make_game(read_shelf()[section], card) for section, card in CARDS.items())
