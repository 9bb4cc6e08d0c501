"""Lines that players send, what state they meet and what must happen: one table, every line in
process or through sockets. `{n}` is a board of hex between ann and bob that has just begun, `{a}`
and `{b}` are their passwords."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from pbm.store.tables import boards, inbound, moves
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

INSTANCE = "eply with your move, for instance"
FORM = "hex move {n} ann PASSWORD MOVE"
MISSING = "the number of the board is missing"
WRONG = "wrong userid or password"
NO_PASSWORD = "the password is missing"
NONE = "there was no command in your mail"
UNKNOWN = "there is no player or filter with that name"


@dataclass(frozen=True)
class Line:
    """One line. `reply`: to ann's mail about the board. `says` has to stand in the answer."""

    typed: str
    subject: str
    says: tuple[str, ...] = ()
    plies: int = 0
    others: int = 0
    reply: bool = False
    who: str = "ann"
    starts: bool = False


def plays(typed: str, *says: str, reply: bool = False, move: str = "d4") -> Line:
    """It is ann's first move."""
    subject = f"[hex {{n}}] bob to move (2), you played {move}"
    return Line(typed, subject, says, plies=1, others=1, reply=reply)


def refuses(typed: str, reason: str, *says: str, reply: bool = False, who: str = "ann") -> Line:
    """It changes nothing, and the answer says why."""
    return Line(typed, f"not done: {reason}", says, reply=reply, who=who)


def shows(typed: str, subject: str, *says: str, reply: bool = False) -> Line:
    """It changes nothing and is answered."""
    return Line(typed, subject, says, reply=reply)


def starts(typed: str, *says: str) -> Line:
    """It begins another board between ann and bob."""
    return Line(typed, "] new board: ann, bob", says, others=1, starts=True)


MOVES = [
    plays("hex move {n} ann {a} d4"),
    plays("HEX MOVE {n} ANN {a} D4."),
    plays("Hex Move {n} Ann {a} D4"),
    plays("hex mvoe {n} ann {a} d4"),
    plays("hex moev {n} ann {a} d4"),
    plays("hex mov {n} ann {a} d4"),
    plays("hex movee {n} ann {a} d4"),
    plays("hex board {n} ann {a} d4"),
    plays("move {n} ann {a} d4"),
    plays("move hex {n} ann {a} d4"),
    plays("mvoe {n} ann {a} d4"),
    plays("{n} ann {a} d4"),
    plays("#{n} ann {a} d4"),
    plays("hex {n} ann {a} d4"),
    plays("hex #{n} ann {a} d4"),
    plays("hex: move {n} ann {a} d4"),
    plays("hex move #{n} ann {a} d4"),
    plays("hex move {n}, ann, {a} d4"),
    plays("hex move {n}. ann {a} d4"),
    plays("hex move ann {n} {a} d4"),
    plays('"hex move {n} ann {a} d4"'),
    plays("'hex move {n} ann {a} d4'"),
    plays("`hex move {n} ann {a} d4`"),
    plays("<hex move {n} ann {a} d4>"),
    plays("\u201chex move {n} ann {a} d4\u201d"),
    plays("> hex move {n} ann {a} d4"),
    plays("hex move <{n}> <ann> <{a}> <d4>"),
    plays('hex move "{n}" "ann" "{a}" "d4"'),
    plays("hex move {n} 'ann' {a} 'd4'"),
    plays("  hex   move  {n}   ann   {a}   d4  "),
    plays("hex\u00a0move\u00a0{n} ann {a} d4"),
    plays("\uff48\uff45\uff58 move {n} ann {a} d4"),
    plays("hex mo\u200bve {n} ann {a} d4"),
    plays("Re: hex move {n} ann {a} d4"),
    plays("Fwd: Re: AW: hex move {n} ann {a} d4"),
    plays("[EXTERNAL] hex move {n} ann {a} d4"),
    plays("hex move#1 {n} ann {a} d4"),
    plays("hex move #1 {n} ann {a} d4"),
    plays("hex move #1 #{n} ann {a} d4"),
    plays("move#1 hex {n} ann {a} d4"),
    plays("move#1 {n} ann {a} d4"),
    plays("HEX MOVE#1 {n} ann {a} D4"),
    plays("hex move {n} ann {a} d4\nA comment for bob."),
    plays("\nhex move {n} ann {a} d4"),
    plays("(no subject)\nhex move {n} ann {a} d4"),
    plays("hello\nHello server,\n\nhex move {n} ann {a} d4"),
    plays("Re: [hex {n}] your move (1)\nhex move {n} ann {a} d4"),
    plays("hex queue {n} ann {a} d4"),
    plays("hex qeue {n} ann {a} d4"),
    plays("queue {n} ann {a} d4"),
    plays("hex queue#1 {n} ann {a} d4"),
]

REPLIES = [
    plays("d4", reply=True),
    plays("D4", reply=True),
    plays("d4.", reply=True),
    plays('"d4"', reply=True),
    plays("<d4>", reply=True),
    plays("\n\nd4\n\nThank you for the game!", reply=True),
    plays("move d4", reply=True),
    plays("Move: d4", reply=True),
    plays("mvoe d4", reply=True),
    plays("move#1 d4", reply=True),
    plays("move #1 d4", reply=True),
    plays("move {n} d4", reply=True),
    plays("move #{n} d4", reply=True),
    plays("move#1 {n} d4", reply=True),
    plays("hex move d4", reply=True),
    plays("hex move {n} d4", reply=True),
    plays("hex {n} d4", reply=True),
    plays("move {n} ann {a} d4", reply=True),
    plays("hex move {n} ann {a} d4", reply=True),
    plays("{n} ann {a} d4", reply=True),
    plays("move ann {a} d4", reply=True),
    plays("queue d4", reply=True),
    refuses("d4 d5", "your turn ends before 'd5'", INSTANCE, reply=True),
    refuses("zz9", "zz9 is not on the board", INSTANCE, reply=True),
    refuses("move#2 d4", "it is move 1 now, not move 2", reply=True),
    refuses("move #2 d4", "it is move 1 now, not move 2", reply=True),
    refuses("I think d4 is good", "", INSTANCE, reply=True),
    refuses("resing", "did you mean to resign", "resign", reply=True),
    refuses("confirm", "you have not submitted a move", "submit MOVE", reply=True),
    refuses("accept", "there is no offer to accept at the moment", reply=True),
    refuses("reject", "there is no offer to reject at the moment", reply=True),
    refuses("undo", "you have no move to take back", reply=True),
    refuses("chat", "the text is missing", reply=True),
    refuses("move", "the move is missing", "move MOVE", reply=True),
    refuses("resign 99", "you replied to a mail about board {n}", reply=True),
    refuses("hex resign 99", "that was the reply address of board {n}", reply=True),
    refuses("resign 99 ann {a}", "there is no board with that number", reply=True),
    refuses("pass", "", INSTANCE, reply=True),
    shows("show", "[hex {n}] ann to move (1)", reply=True),
    shows("show {n}", "[hex {n}] ann to move (1)", reply=True),
    shows("help hex", "[pbm] help hex", reply=True),
    shows("hex help", "[pbm] help hex", reply=True),
    shows("queue none", "[hex {n}] nothing is queued", reply=True),
    shows("submit d4", "[hex {n}] submitted (1): d4", "To play the move, reply with", reply=True),
    Line("chat 99 red balloons", "[hex {n}] passed on to bob", others=1, reply=True),
    Line("chat well, well", "[hex {n}] passed on to bob", others=1, reply=True),
    Line("chat\nBelow it.", "[hex {n}] passed on to bob", others=1, reply=True),
    refuses("[hex {n}] d4", "", INSTANCE, reply=True),
]

ERRORS = [
    refuses("hex challenge bob", "name both players", "hex challenge ann bob"),
    refuses("hex challenge bob size=5", "name both players", "hex challenge ann bob -size=5"),
    refuses("hex challenge bob sise=5", "an option begins with a dash", "-size=3..19"),
    refuses("hex move {n} ann {a}", "the move is missing", FORM),
    refuses("hex move {n} ann", NO_PASSWORD, FORM),
    refuses("hex move {n}", "the userid is missing", FORM),
    refuses("hex move", MISSING, "hex move "),
    refuses("move {n} ann", NO_PASSWORD, FORM),
    refuses("hex {n}", "the command is missing", "hex show {n}"),
    refuses("hex {n} ann", NO_PASSWORD, FORM),
    refuses("hex move board# userid password move", MISSING, "ann PASSWORD MOVE"),
    refuses("hex move BOARD USERID PASSWORD MOVE", MISSING),
    refuses("hex move {n} USERID PASSWORD d4", WRONG, FORM),
    refuses("hex move {n} ann wrong-one d4", WRONG, FORM),
    refuses("hex move {n} nobody wrong-one d4", WRONG, FORM),
    refuses("hex move {n} ann {b} d4", WRONG, FORM),
    refuses("hex move {n} {a} ann d4", WRONG, FORM),
    refuses("hex move ann {a} {n} d4", MISSING, FORM),
    refuses("hex move ann {a} d4", MISSING),
    refuses("hex move {a} {n} ann d4", WRONG, FORM),
    refuses("hex resign ann {a} {n}", MISSING, "hex resign {n} ann PASSWORD"),
    refuses(
        "hex resing {n} ann {a}",
        "hex has no such command: did you mean resign?",
        "hex resign {n} ann PASSWORD",
    ),
    refuses(
        "resing {n} ann {a}",
        "there is no such command: did you mean resign?",
        "hex resign {n} ann PASSWORD",
    ),
    refuses(
        "hex declin {n} ann {a}",
        "hex has no such command: did you mean decline?",
        "hex decline {n} ann PASSWORD",
    ),
    refuses("hex prpose {n} ann {a}", "hex has no such command: did you mean propose?"),
    refuses("hex acept {n} ann {a}", "hex has no such command: did you mean accept?"),
    refuses("hex cancle {n} ann {a}", "hex has no such command: did you mean cancel?"),
    refuses(
        "sigoff ann {a}",
        "there is no such command: did you mean signoff?",
        "signoff ann PASSWORD",
    ),
    refuses(
        "chnage password ann {a} other-one",
        "there is no such command: did you mean change password?",
        "change password ann PASSWORD NEWPASSWORD",
    ),
    refuses("hex chalenge ann bob", "hex has no such command: did you mean challenge?"),
    refuses("hex frobnicate {n} ann {a}", "hex has no such command", "hex move"),
    refuses("hex ann bob", "hex has no such command", "hex challenge"),
    refuses("hex", "hex has no such command", "help hex"),
    refuses("parcheesi challenge ann bob", NONE),
    refuses("cradle move {n} ann {a} d4", "board {n} is a game of hex", FORM),
    refuses("hex move 4711 ann {a} d4", "there is no board with that number"),
    refuses("hex move 0 ann {a} d4", MISSING),
    refuses("hex move -1 ann {a} d4", MISSING),
    refuses("hex move 99999999999999 ann {a} d4", MISSING),
    refuses("hex move#2 {n} ann {a} d4", "it is move 1 now, not move 2"),
    refuses("hex move #7 {n} ann {a} d4", "it is move 1 now, not move 7"),
    refuses("hex resign#3 {n} ann {a}", "it is move 1 now, not move 3"),
    refuses("hex move#3 {n} ann {a} resign", "it is move 1 now, not move 3"),
    refuses("hex chat#3 {n} ann {a} hello", "chat takes no move number"),
    refuses("hex move {n} bob {b} d4", "it is ann's turn", "hex queue {n} bob", who="bob"),
    refuses("hex move {n} ann {a} d4 d5", "your turn ends before 'd5'", FORM),
    refuses("hex move {n} ann {a} undo", "you have no move to take back"),
    refuses(
        "hex move {n} ann {a} accept", "there is no offer to accept at the moment", "hex show {n}"
    ),
    refuses("hex move {n} ann {a} reject", "there is no offer to reject at the moment"),
    refuses("hex undo {n} ann {a}", "you have no move to take back"),
    refuses("hex accept {n} ann {a}", "there is no offer to accept at the moment"),
    refuses(
        "hex confirm {n} ann {a}",
        "you have not submitted a move",
        "hex submit {n} ann PASSWORD MOVE",
    ),
    refuses("confirm {n} ann {a}", "you have not submitted a move"),
    refuses("confirm", "the code is missing"),
    refuses("confirm abcd-efgh-jkmn", "this code is wrong, expired", "confirm CODE"),
    refuses("hex queue {n} ann {a}", "the move is missing", "hex queue {n} ann PASSWORD MOVE"),
    refuses("hex queue {n} bob {b} resign", "only moves can be queued", who="bob"),
    refuses("hex submit {n} ann {a}", "the move is missing"),
    refuses("hex submit {n} ann {a} zz9", "zz9 is not on the board"),
    refuses("hex preview {n}", "the move is missing"),
    refuses("hex preview {n} zz9", "zz9 is not on the board"),
    refuses("hex preview new 7", "Hex is for 2 players"),
    refuses("hex chat {n} ann {a}", "the text is missing"),
    refuses("hex watch {n} ann {a}", "you play on board {n}"),
    refuses("message ann {a} bob", "the text is missing", "message ann PASSWORD"),
    refuses("message ann {a}\nhi", "name at least one player"),
    refuses("message ann {a} nobody\nhi", "one of the userids is unknown"),
    refuses("broadcast ann {a}", "the text is missing"),
    refuses("set ann {a} colour=red", "a preference is one of ask, mail, board"),
    refuses("set ann {a} own=maybe", "own must be yes or no", "set ann PASSWORD own=yes"),
    refuses("set ann {a} zone=Atlantis", "zone must be a city such as Europe/Berlin"),
    refuses("set ann {a} digest=25:00", "digest must be no or a time such as 07:00"),
    refuses("add ann {a}", "the address is missing"),
    refuses("add ann {a} not-an-address", "one of the addresses is not a valid mail address"),
    refuses("remove ann {a} ann@example.org", "you cannot remove your last confirmed address"),
    refuses("remove ann {a} zoe@example.org", "one of these addresses is not yours"),
    refuses("change password ann {a} abc", "choose a password of 4 to 64 characters"),
    refuses("change password ann wrong-one other-one", WRONG),
    refuses("signup", "the userid is missing", "signup USERID PASSWORD"),
    refuses("signup zoe", NO_PASSWORD, "signup USERID PASSWORD"),
    refuses("signup ann whatever-one", "this userid is taken", "signup USERID PASSWORD"),
    refuses("signup ANN whatever-one", "this userid is taken"),
    refuses("signup move whatever-one", "this userid is taken"),
    refuses("signup hex whatever-one", "this userid is taken"),
    refuses("signup next whatever-one", "this userid is taken"),
    refuses("signup random whatever-one", "this userid is taken"),
    refuses("signup 4ever whatever-one", "a userid has 2 to 20 letters"),
    refuses("signup a whatever-one", "a userid has 2 to 20 letters"),
    refuses("signup a-very-long-userid-indeed whatever-one", "a userid has 2 to 20 letters"),
    refuses("signup zo\u00eb whatever-one", "a userid has 2 to 20 letters"),
    refuses("signup zoe abc", "choose a password of 4 to 64 characters"),
    refuses("signup zoe whatever-one nonsense", "one of the addresses is not a valid mail address"),
    refuses("Dinner on Saturday?", NONE, "all show ann next"),
    refuses("Re: [hex {n}] your move (1)\nd4", NONE, "hex move {n} MOVE"),
    refuses("[hex {n}] bob to move\nthank you", NONE, "hex show {n}"),
    refuses("17", NONE),
    refuses("(no subject)\nHello there,\nhow are you?", NONE),
    refuses("resigned to my fate", NONE),
]

CHALLENGES = [
    starts("hex challenge ann bob"),
    starts("hex chall ann bob"),
    starts("challenge hex ann bob"),
    starts("Hex Challenge Ann, Bob."),
    starts("hex challenge ann,bob"),
    starts("hex challenge <ann> <bob>"),
    starts("hex challenge ann bob -size=5", "-size=5"),
    starts("hex challenge ann bob -size 5", "-size=5"),
    starts("hex challenge ann bob --size=5", "-size=5"),
    starts("hex challenge -size=5 ann bob", "-size=5"),
    starts("hex challenge ann -size=5 bob", "-size=5"),
    starts("hex challenge -size 5 ann bob", "-size=5"),
    starts("hex challenge ann bob \u2013size=5", "-size=5"),
    starts("hex challenge ann bob \u2014size=5", "-size=5"),
    starts("hex challenge ann bob \u2212size=5", "-size=5"),
    starts("hex challenge ann bob -SIZE=5", "-size=5"),
    starts("hex challenge ann bob -s=5", "-size=5"),
    starts("hex challenge ann bob -siz=5", "-size=5"),
    starts("hex challenge ann bob -noswap", "-noswap"),
    starts("hex challenge ann bob -nosw -size=5", "-noswap -size=5"),
    starts("hex challenge ann bob --unrated", "the result does not count for ratings"),
    starts("hex challenge ann bob -unrated", "the result does not count for ratings"),
    starts("hex challenge ann bob --nag=3 --forfeit=30"),
    starts("hex challenge ann bob --nagtime=3 --forfeittime=30 --totaltime=90"),
    starts("hex challenge ann bob -nag 3"),
    refuses("hex challenge ann", "name both players", "hex challenge ann USERID"),
    refuses("hex challenge", "name both players", "hex challenge ann USERID"),
    refuses("challenge ann bob", "the game is missing"),
    refuses("hex challenge ann zoe", "there is no player 'zoe'", "hex challenge ann USERID"),
    refuses("hex challenge ann nobody", "there is no player 'nobody'"),
    refuses("hex challenge ann bob ann", "Hex is for 2 players, not 3"),
    refuses("hex challenge ann bob -size=99", "-size is a number from 3 to 19", "-size=3..19"),
    refuses("hex challenge ann bob -size=-5", "-size is a number from 3 to 19"),
    refuses("hex challenge ann bob -size=4.5", "-size is a number from 3 to 19"),
    refuses("hex challenge ann bob -size", "-size needs a value", "-size=3..19"),
    refuses("hex challenge ann bob -colour=red", "there is no option -colour", "-noswap"),
    refuses("hex challenge ann bob --nag=often", "", "hex challenge ann bob --nag=14"),
    refuses(
        "hex challenge ann bob -size=99 -noswap --nag=3",
        "",
        "hex challenge ann bob -size=19 -noswap --nag=3",
    ),
    refuses("hex challenge ann bob --total=9 --time=3d", "", "hex challenge ann bob --time=3d"),
    refuses(
        "hex challenge ann bob -nowsap",
        "there is no option -nowsap: did you mean -noswap?",
        "hex challenge ann bob -noswap",
    ),
    refuses(
        "hex challenge ann bob -sise=5",
        "there is no option -sise: did you mean -size?",
        "hex challenge ann bob -size=",
    ),
    refuses("hex challenge ann bob --raged=5", "there is no option", "hex challenge ann bob"),
    refuses(
        "hex challenge ann bob --unratet", "there is no option -unratet: did you mean --unrated?"
    ),
    refuses(
        "hex preview new 2 -sise=5",
        "there is no option -sise: did you mean -size?",
        "hex preview new 2 -size=",
    ),
    starts("spacecradles challenge -colors blue,yellow ann bob", "-colors=blue,yellow"),
    starts("spacecradles challenge ann,bob -colours=blue,yellow", "-colors=blue,yellow"),
    starts("spacecradles challenge ann, bob --Colour blue,yellow", "-colors=blue,yellow"),
    refuses(
        "spacecradles challenge -colors blue,yellow -size=3 ann bob",
        "there is no option -size",
        "spacecradles challenge ann bob -colors=blue,yellow",
    ),
    starts("space cradles challenge ann bob"),
    starts("Nine Men\u2019s Morris challenge ann bob"),
    starts("space-cradles challenge ann bob"),
    starts("challenge Four in a Row ann bob"),
    starts("four_in_a_row: challenge ann bob"),
    starts("Nine Men's Morris challenge ann bob -men=12"),
    starts(
        "cradle challenge ann bob -allshapes -MUST-REDUCE -NumEach 3",
        "-all_shapes -must_reduce -num_each=3",
    ),
    refuses(
        "cradle challenge ann bob -alshapes",
        "there is no option -alshapes: did you mean -all_shapes?",
        "cradle challenge ann bob -all_shapes",
    ),
    refuses(
        "cradle challenge -size=4 -all_shapes ann bob",
        "-all_shapes with a size above 2 needs -num_each",
        "cradle challenge ann bob -size=4 -all_shapes -num_each=6",
    ),
    refuses("hex challenge ann bob -n=5", "-n could be -nag"),
]

LOOKING = [
    shows("help", "[pbm] help", "help tutorial"),
    shows("Help!", "[pbm] help"),
    shows("HELP.", "[pbm] help"),
    shows("?", "[pbm] help"),
    shows("info", "[pbm] help"),
    shows("hlep", "[pbm] help"),
    shows("help help", "[pbm] help help"),
    shows("help hex", "[pbm] help hex", "-noswap"),
    shows("help Space Truckin'", "[pbm] help spacetruckin"),
    shows("Space Truckin\u2019 help", "[pbm] help spacetruckin"),
    shows("help the rules of Four in a Row", "[pbm] help fourinarow"),
    shows("help space_fighters", "[pbm] help spacefighters"),
    shows("space-cradles help", "[pbm] help spacecradles"),
    shows("help tic tac toe", "[pbm] help tictactoe"),
    shows("hex help", "[pbm] help hex"),
    shows("hex info", "[pbm] help hex"),
    shows("hex hepl", "[pbm] help hex"),
    shows("help rules of hex", "[pbm] help hex"),
    shows("help commands", "[pbm] help commands", "change address"),
    shows("help tutorial", "[pbm] help tutorial"),
    shows("help tutorail", "[pbm] help tutorial"),
    shows("help multiple", "[pbm] help multiple"),
    shows("help mail", "[pbm] help mail"),
    shows("help options", "[pbm] help options"),
    shows("help ratings", "[pbm] help ratings"),
    shows("help challenge", "[pbm] help challenge", "--ask"),
    shows("help change address", "[pbm] help change address"),
    refuses("help knitting", "there is no help page with that name", "help commands"),
    shows("games", "games", "hex", "cradle"),
    shows("list", "[pbm] boards being played", "ann* bob"),
    shows("list hex", "[pbm] boards being played: hex", "ann* bob"),
    shows("hex list", "[pbm] boards being played: hex"),
    shows("list hex cradle", "[pbm] boards being played: hex, cradle"),
    refuses("list parcheesi", "there is no game with that name", "games"),
    shows("all show ann", "[pbm] open boards of ann", "ann* bob"),
    shows("show all ann", "[pbm] open boards of ann"),
    shows("all show ann next", "[pbm] next boards of ann"),
    shows("all show ANN, next.", "[pbm] next boards of ann"),
    shows("all show ann inactive", "[pbm] inactive boards of ann", "No inactive boards"),
    shows("all shwo ann", "[pbm] open boards of ann"),
    refuses("all show", "the userid is missing", "all show ann"),
    refuses("all show nobody", UNKNOWN),
    shows("hex show {n}", "[hex {n}] ann to move (1)"),
    shows("hex show #{n}", "[hex {n}] ann to move (1)"),
    shows("hex show {n},", "[hex {n}] ann to move (1)"),
    shows("hex show {n}.", "[hex {n}] ann to move (1)"),
    shows("hex show <{n}>", "[hex {n}] ann to move (1)"),
    shows("show {n}", "[hex {n}] ann to move (1)"),
    shows("show hex {n}", "[hex {n}] ann to move (1)"),
    shows("hex shwo {n}", "[hex {n}] ann to move (1)"),
    shows("hex show {n}#0", "[hex {n}] after move 0"),
    shows("hex show #{n}#0", "[hex {n}] after move 0"),
    shows("hex show {n} {n}#0", "[pbm] board {n}", "After move 0"),
    refuses("hex show {n}#5", "board {n} has only had 0 moves", "hex show {n}#0"),
    refuses("hex show 4711", "there is no board with that number"),
    refuses("hex show", "the number of the board is missing", "hex show {n}"),
    refuses("cradle show {n}", "board {n} is a game of hex", "hex show {n}"),
    shows("hex show ann", "[pbm] open boards of ann: hex"),
    shows("hex show ann bob next", "[pbm] next boards of ann and bob: hex"),
    shows("hex showas ann {a} {n}", "[hex {n}] your move (1)"),
    shows("showas ann {a} {n}", "[hex {n}] your move (1)"),
    shows("hex showas ann {a} next", "[pbm] next boards of ann: hex"),
    shows("hex showas ann {a}", "[pbm] open boards of ann: hex"),
    refuses("hex showas ann wrong-one {n}", WRONG),
    shows("hex games", "[pbm] open boards: hex"),
    shows("games hex", "[pbm] open boards: hex"),
    shows("hex games ann", "[pbm] open boards of ann: hex"),
    shows("hex games ann all", "[pbm] all boards of ann: hex"),
    shows("hex games next ann", "[pbm] next boards of ann: hex"),
    refuses("hex games nobody", UNKNOWN),
    shows("hex history", "[pbm] finished boards: hex"),
    shows("history hex", "[pbm] finished boards: hex"),
    shows("hex ratings", "[pbm] ratings hex"),
    shows("ratings hex", "[pbm] ratings hex"),
    shows("hex ratigs", "[pbm] ratings hex"),
    shows("ratigs hex", "[pbm] ratings hex"),
    shows("lsit", "[pbm] boards being played", "ann* bob"),
    refuses("What a lovely day", NONE),
    refuses("Last week I lost", NONE),
    shows("hex standings", "[pbm] standings hex"),
    shows("hex preview {n} d4", "[hex {n}] preview: d4", "Nothing is stored."),
    shows("preview {n} d4", "[hex {n}] preview: d4"),
    shows("hex preview #{n} d4", "[hex {n}] preview: d4"),
    shows("hex preview {n} ann {a} d4", "[hex {n}] preview: d4"),
    shows("hex preview new 2", "[pbm] preview: hex for 2"),
    shows("hex preview new", "[pbm] preview: hex for 2"),
    shows("hex preview new 2 -size=5", "[pbm] preview: hex for 2", "rows and columns: 5"),
    shows("hex preview new -size 5 2", "[pbm] preview: hex for 2", "rows and columns: 5"),
    shows(
        "hex submit {n} ann {a} d4", "[hex {n}] submitted (1): d4", "To play the move, reply with"
    ),
    shows("hex queue {n} ann {a} none", "[hex {n}] nothing is queued"),
    shows("set ann {a}", "[pbm] preferences of ann", "own=yes", "Europe/Berlin"),
    shows("set ann {a} own=yes", "[pbm] preferences of ann changed", "own=yes"),
    shows("set ann {a} OWN=YES.", "[pbm] preferences of ann changed", "own=yes"),
    shows("set ann {a} own = yes", "[pbm] preferences of ann changed", "own=yes"),
    shows("set ann {a} own yes", "[pbm] preferences of ann changed", "own=yes"),
    shows("set ann {a} ask=no mail=text", "[pbm] preferences of ann changed", "ask=no"),
    shows("set ann {a} digest=7:00", "[pbm] preferences of ann changed", "digest=07:00"),
    shows("set ann {a} digest=no broadcasts=yes", "[pbm] preferences of ann changed"),
    shows("set ann {a} zone=europe/berlin", "[pbm] preferences of ann changed", "Europe/Berlin"),
    shows("set ann {a} name=Ann Lee", "[pbm] preferences of ann changed", "name=Ann Lee"),
    shows("forgot nobody", "[pbm] a code is on its way"),
    shows("multiple\nlist\nhelp", "[pbm] 2 of 2 done", "> list", "> help"),
    shows("mult\nlist", "[pbm] 1 of 1 done"),
    shows("\nlist\nhelp", "[pbm] 2 of 2 done"),
    shows("\nmultiple\nlist\nhelp", "[pbm] 2 of 2 done"),
    shows("\nlist\nthanks\nhelp", "[pbm] boards being played"),
    shows("\nlist\n# a note\nquit\nhelp", "[pbm] boards being played"),
    shows("\nlist\nfrobnicate", "[pbm] 1 of 2 done", "this line is not a command"),
    shows("multiple\nhex move {n} ann wrong-one d4", "[pbm] 0 of 1 done", "> hex move ..."),
]

TABLES = {
    "moves": MOVES,
    "replies": REPLIES,
    "errors": ERRORS,
    "challenges": CHALLENGES,
    "looking": LOOKING,
}


UNLIMITED = (
    "unproved_a_day",
    "mails_a_day",
    "notices_a_day",
    "news_a_day",
    "open_boards",
    "errors_a_day",
    "looks_a_day",
    "looks_bytes_a_day",
    "look_seconds_a_day",
)


class Bench:
    """A server with ann and bob, and always a fresh board of hex between them."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        talk.signup("ann", "bob")
        for word in ("wrong-one", "other-one", "whatever-one"):
            talk.secret(word)
        self.board = 0
        self.mail: Mail | None = None

    def fresh(self) -> None:
        """Make sure that nobody has moved on the board."""
        if self.board and self._plies() == 0 and self._state() == "running":
            return
        self.mail, _ = self.talk.challenge("hex", "ann", "bob")
        self.board = int(self.mail.fact("Board"))

    def fill(self, text: str) -> str:
        """The line with board and passwords."""
        return (
            text.replace("{n}", str(self.board))
            .replace("{a}", self.talk.password("ann"))
            .replace("{b}", self.talk.password("bob"))
        )

    def _plies(self) -> int:
        with self.talk.server.store.reading() as session:
            query = select(boards.c.ply).where(boards.c.id == self.board)
            return int(session.execute(query).scalar_one())

    def _state(self) -> str:
        with self.talk.server.store.reading() as session:
            query = select(boards.c.state).where(boards.c.id == self.board)
            return str(session.execute(query).scalar_one())

    def counts(self) -> tuple[int, int]:
        """How many boards and log rows there are."""
        with self.talk.server.store.reading() as session:
            return (
                session.execute(select(func.count()).select_from(boards)).scalar_one(),
                session.execute(select(func.count()).select_from(moves)).scalar_one(),
            )

    def outcomes(self) -> str:
        """What the operator reads of all mails."""
        with self.talk.server.store.reading() as session:
            return "\n".join(session.execute(select(inbound.c.outcome)).scalars())

    def send(self, line: Line, *, proven: bool = False) -> Mail:
        """Have the line sent; the one answer to it."""
        typed = self.fill(line.typed)
        if line.reply:
            assert self.mail is not None
            self.talk.replies(self.mail, typed)
        else:
            subject, _, body = typed.partition("\n")
            mails = self.talk.proves if proven else self.talk.mails
            mails(line.who, subject, body)
        answer = self.talk.any_mail(line.who)
        if line.others:
            self.talk.any_mail("bob")
        self.talk.nothing_more()
        return answer


@pytest.mark.config(limits=dict.fromkeys(UNLIMITED, 0))
@pytest.mark.parametrize("table", TABLES)
def test_lines(talk: Conversation, table: str) -> None:
    """Each line gets one answer, which says what it must, and changes what it must."""
    bench = Bench(talk)
    wrong = []
    for line in TABLES[table]:
        bench.fresh()
        before = bench.counts()
        try:
            answer = bench.send(line, proven=table == "challenges")
            check(bench, line, answer, before)
        except AssertionError as error:
            wrong.append(f"{line.typed!r}: {error}")
            talk._unread.clear()
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)
    said = bench.outcomes()
    assert not [word for word in talk._passwords if word in said]


def check(bench: Bench, line: Line, answer: Mail, before: tuple[int, int]) -> None:
    subject = bench.fill(line.subject)
    exact = line.subject.startswith("[")
    if answer.subject != subject if exact else subject not in answer.subject:
        raise AssertionError(f"not {subject!r}: {answer}")
    for words in line.says:
        if bench.fill(words) not in answer.text:
            raise AssertionError(f"{words!r} is not in {answer}")
    started, moved = bench.counts()
    if (started - before[0], moved - before[1]) != (line.starts, line.plies):
        raise AssertionError(f"{started - before[0]} boards, {moved - before[1]} moves: {answer}")


def test_how_many_lines() -> None:
    lines = [line for table in TABLES.values() for line in table]
    assert len({(line.typed, line.reply) for line in lines}) == len(lines) >= 200


def test_no_line_of_the_table_is_answered_twice_or_never(talk: Conversation) -> None:
    """The answers are to the mails that asked: In-Reply-To names them."""
    talk.signup("ann")
    for line in ("help", "list", "games", "hex ratings", "forgot nobody"):
        sent = talk.mails("ann", line)
        assert talk.any_mail("ann").in_reply_to == sent
