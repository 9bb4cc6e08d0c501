"""The table of commands: parser, help pages, command line and a completeness test are made of it.

Rows are data; the function that does a command is imported when it is first needed."""

from __future__ import annotations

from functools import cache

from pbm.core.events.verbs import EVENT_VERBS
from pbm.core.kernel.language.looking_verbs import LOOKING_VERBS
from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.proofs import Act

_SEATED = ("board", "user", "password")
_SIGNED = ("user", "password")

VERBS: tuple[Verb, ...] = (
    # Accounts
    Verb(
        "signup",
        ("user", "new_password", "address*"),
        "accounts.signup:signup",
        "open an account; without an address, the sender's",
        Act.OPEN,
        "Userid: 2 to 20 of a-z 0-9 _ -, a letter first. Password: 4 to 64 characters without\n"
        "blanks. A mail with a code comes back: reply yes to it. Until then the userid is\n"
        "anybody's, and a later signup makes the code void.",
    ),
    Verb(
        "confirm",
        ("code",),
        "accounts.confirmation:confirm",
        "send back a code: proves an address, or closes an account",
        Act.CODE,
        "A code does what the mail that brought it says, once. To a mail that confirms an\n"
        "address you may also just reply yes.",
    ),
    Verb(
        "add",
        (*_SIGNED, "address+"),
        "accounts.addresses:add_addresses",
        "add addresses; all confirmed ones get every mail",
        Act.ACCOUNT,
    ),
    Verb(
        "remove",
        (*_SIGNED, "address+"),
        "accounts.addresses:remove_addresses",
        "remove addresses; the last one stays",
        Act.ACCOUNT,
        is_final=True,
    ),
    Verb(
        "change password",
        (*_SIGNED, "new_password"),
        "accounts.passwords:change_password",
        "a new password",
        Act.ACCOUNT,
        is_final=True,
    ),
    Verb(
        "change address",
        (*_SIGNED, "address*"),
        "accounts.addresses:change_addresses",
        "replace all addresses; the old ones are notified",
        Act.ACCOUNT,
        "Without an address, the sender's.",
        is_final=True,
    ),
    Verb(
        "forgot",
        ("user",),
        "accounts.passwords:forgot",
        "get a code that replaces the old password once",
        Act.OPEN,
        "Then: change password USERID CODE NEW. The code is valid for seven days.",
    ),
    Verb(
        "signoff",
        _SIGNED,
        "accounts.closing:sign_off",
        "close the account",
        Act.ACCOUNT,
        "With open boards you get a code; confirm CODE resigns them and closes it.",
        aliases=("delete",),
        is_final=True,
    ),
    Verb(
        "mydata",
        _SIGNED,
        "accounts.own_data:send_own_data",
        "everything that is kept about you, as a file",
        Act.PLAYER,
        "It goes to your registered addresses, twice a day at most: help privacy.",
    ),
    Verb(
        "erase",
        _SIGNED,
        "accounts.erasing:ask_to_erase",
        "close the account and erase everything personal",
        Act.ACCOUNT,
        "You get a code; confirm CODE resigns your open boards and erases you. Results stay, as\n"
        "those of a former player: help privacy.",
        is_final=True,
    ),
    Verb(
        "set",
        (*_SIGNED, "key=value*"),
        "accounts.preferences:set_preferences",
        "preferences; without any, shows them and the choices",
        Act.SETTING,
    ),
    Verb(
        "vacation",
        (*_SIGNED, "from?", "to?"),
        "vacations.commands:vacation",
        "stop your clocks from one day to another; off ends it",
        Act.SETTING,
        "Days are YYYY-MM-DD, both included. Without any, shows what is planned and left.",
    ),
    *LOOKING_VERBS,
    *EVENT_VERBS,
    # Talking
    Verb(
        "message",
        (*_SIGNED, "userid+"),
        "talk.chat:message",
        "the body of the mail to other players; addresses stay private",
        Act.PLAYER,
        "To ten players at most.",
        text="text",
    ),
    Verb(
        "broadcast",
        _SIGNED,
        "talk.chat:broadcast",
        "the body of the mail to all players who want such mails",
        Act.PLAYER,
        text="text",
        is_final=True,
    ),
    Verb(
        "block",
        (*_SIGNED, "userid*"),
        "talk.blocking:block",
        "no more challenges, messages and offers from a player, who is not told",
        Act.SETTING,
        "Boards that you play together go on. From one on which you have neither accepted nor\n"
        "moved, you hear nothing more of that player. Without a userid, lists whom you block.",
    ),
    Verb(
        "unblock",
        (*_SIGNED, "userid+"),
        "talk.blocking:unblock",
        "hear of a player again",
        Act.SETTING,
    ),
    Verb(
        "report",
        (*_SIGNED, "userid"),
        "talk.reporting:report",
        "tell the operator what a player has done; the body says what",
        Act.SEAT,
        "In a reply to a mail of a board, the operator also sees what that player wrote there\n"
        "last. The player is not told.",
        text="text",
        is_final=True,
    ),
    # Playing
    Verb(
        "challenge",
        ("userid+",),
        "lobby.challenges:challenge",
        "start a board; the first userid moves first",
        Act.CHALLENGE,
        "Options go before, between or after the userids. The board starts at once; a player\n"
        "may decline until the first own move. It is an invitation, and the others accept\n"
        "first, with --ask, with clocks faster than the usual ones, and where the game opens\n"
        "with a roll or a draw: once that is known nobody can decline.\n"
        "Your address alone proves nothing. Without more the board is asleep, for a week:\n"
        "nobody hears of it until you reply to its mail. Send the challenge as a reply to a\n"
        "mail that is about no board, and it starts at once; there you may leave yourself out,\n"
        "and then move first.",
        aliases=("chall",),
        game="yes",
        options=True,
        text="comment",
    ),
    Verb(
        "seek",
        _SIGNED,
        "lobby.seeks:seek",
        "an open offer: whoever joins plays",
        Act.PLAYER,
        "Options as with challenge, and --players=3, --rating=1400-1700, --house=level2\n"
        "(who joins if nobody does within a day). none withdraws your offers of that game.",
        game="yes",
        options=True,
        text="comment",
    ),
    Verb(
        "join",
        ("offer", *_SIGNED),
        "lobby.seeks:join",
        "take up an offer; the game starts, and you move before its maker",
        Act.PLAYER,
        game="maybe",
        text="comment",
    ),
    Verb(
        "rematch",
        _SEATED,
        "lobby.seeks:rematch",
        "challenge again after a finished game, with the seats swapped",
        Act.SEAT,
        game="yes",
        text="comment",
    ),
    Verb(
        "move",
        (*_SEATED, "move+"),
        "play.moves:move",
        "play a move",
        Act.SEAT,
        "move#5 counts only as move number 5. In place of a move: pass, swap, resign, propose,\n"
        "undo, accept, reject. A plan may stand below it: help plans.",
        aliases=("mvoe", "board"),
        game="yes",
        text="comment",
        takes_ply=True,
        takes_plan=True,
    ),
    Verb(
        "pass",
        _SEATED,
        "play.moves:pass_turn",
        "the move pass, where the game has it",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        takes_plan=True,
        stands_alone=True,
    ),
    Verb(
        "swap",
        _SEATED,
        "play.moves:swap",
        "the move swap, where the game has it",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        takes_plan=True,
        stands_alone=True,
    ),
    Verb(
        "ready",
        _SEATED,
        "play.moves:order_word",
        "end your orders of this phase, where a game takes orders",
        Act.SEAT,
        game="yes",
        stands_alone=True,
    ),
    Verb(
        "wait",
        _SEATED,
        "play.moves:order_word",
        "hold the phase open although all orders are given",
        Act.SEAT,
        game="yes",
        stands_alone=True,
    ),
    Verb(
        "resign",
        _SEATED,
        "play.moves:resign",
        "give up a board",
        Act.SEAT,
        "Before anybody has moved it is no more than to decline. undo takes it back: help undo.\n"
        "In a reply: the word alone on the first line. A sentence that begins with it does\n"
        "nothing. Below it you may write to the others.",
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "queue",
        (*_SEATED, "move+"),
        "plans.commands:queue",
        "a move to play when your turn comes",
        Act.SEAT,
        "none clears it; on your own turn it plays at once. It is the shortest plan.",
        game="yes",
        text="comment",
        takes_ply=True,
    ),
    Verb(
        "plan",
        (*_SEATED, "plan*"),
        "plans.commands:plan",
        "what you answer to what the others may do",
        Act.SEAT,
        "A line a branch, on the line or in the body: if MOVE then MOVE if MOVE then MOVE. any\n"
        "is what no other branch names. plan alone shows it, none clears it, plan 17#2.1 shows\n"
        "the board at the end of that branch. More: help plans.",
        game="yes",
        text="comment",
        takes_ply=True,
    ),
    Verb(
        "note",
        (*_SEATED, "text*"),
        "plans.notes:note",
        "a remark at this position that only you see",
        Act.SEAT,
        "On the line or in the body. Without a text it shows your notes, none removes those at\n"
        "this position. Mails and showas show you the last ones; export has them all.",
        game="yes",
        text="comment",
    ),
    Verb(
        "submit",
        (*_SEATED, "move+"),
        "play.moves:submit",
        "see what a move would do; then confirm plays it",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        takes_plan=True,
    ),
    Verb(
        "confirm",
        _SEATED,
        "play.moves:confirm_submitted",
        "play the submitted move",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        takes_plan=True,
    ),
    Verb(
        "preview",
        ("board", "move+"),
        "play.preview:preview",
        "what a board would look like after a move; nothing is stored",
        Act.LOOK,
        "preview new 2 -size=3: a new board for 2 players with options.",
        game="yes",
        options=True,
        is_read_only=True,
    ),
    Verb(
        "puzzle",
        (*_SIGNED, "puzzle*"),
        "puzzles.commands:puzzle",
        "find the only move that wins",
        Act.PLAYER,
        "cradle puzzle, with easy, medium or hard at its end, mails you a board. Reply with\n"
        "your move, or with solution. Only your first move counts. puzzle alone is your score.",
        aliases=("puzzles",),
        game="maybe",
    ),
    # Agreeing
    Verb(
        "propose",
        _SEATED,
        "play.proposals:propose",
        "offer a draw",
        Act.SEAT,
        "A position that stands for the third time may be claimed, in chess also fifty moves\n"
        "without a capture or a pawn's move: then it succeeds by itself.",
        aliases=("draw",),
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "undo",
        _SEATED,
        "play.proposals:undo",
        "ask to take back your last move",
        Act.SEAT,
        "A resignation of yours, or your accepting a draw, an undo or an end, is taken back at\n"
        "once: within an hour, unless somebody has moved or the end has shown what was hidden.\n"
        "On each board you can do so once for each of these; the next one is final.",
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "accept",
        _SEATED,
        "play.proposals:accept",
        "accept an invitation, a draw, an undo or an end",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "reject",
        _SEATED,
        "play.proposals:reject",
        "reject what was proposed",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "cancel",
        _SEATED,
        "play.proposals:cancel",
        "propose to end the board without a result",
        Act.SEAT,
        game="yes",
        text="comment",
        takes_ply=True,
        is_final=True,
        stands_alone=True,
    ),
    Verb(
        "decline",
        _SEATED,
        "play.proposals:decline",
        "refuse an invitation, or a new board before your first move",
        Act.SEAT,
        game="yes",
        text="comment",
        is_final=True,
        stands_alone=True,
    ),
    # Boards
    Verb(
        "show",
        ("board+",),
        "finding.looking:show",
        "boards as a spectator sees them, or of a player",
        Act.LOOK,
        "show 17 18, show 17#4 (after 4 moves), show ann, show ann next. show 17 d4 says what\n"
        "stands there and around it, show 17 row 4 the same of a line.",
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "showas",
        (*_SIGNED, "board+"),
        "finding.looking:show_as",
        "boards as you may see them, sent to your registered address",
        Act.OWN,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "games",
        ("userid*", "filter?"),
        "finding.looking:game_boards",
        "boards of a game: filter all, active, inactive or next",
        Act.LOOK,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "history",
        (),
        "finding.looking:history",
        "boards of a game that have ended",
        Act.LOOK,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "ratings",
        (),
        "ratings.ladder:ladder",
        "the ratings of a game",
        Act.LOOK,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "standings",
        (),
        "finding.looking:standings",
        "wins and losses in a game",
        Act.LOOK,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "export",
        ("board",),
        "records.exports:export",
        "the record of a board, for programs",
        Act.LOOK,
        game="yes",
        is_read_only=True,
    ),
    Verb(
        "analyse",
        _SEATED,
        "analysis.commands:analyse",
        "the three turns that changed a finished board the most",
        Act.SEAT,
        "A mail brings them, with what would have been better, as soon as no computer player has\n"
        "to move. Any board that is over may be analysed, unless something is hidden in the\n"
        "game; each only once, and a few a day for each player. Dice are nobody's fault: a turn\n"
        "is compared with others of the same roll. Where the server has an engine for the game,\n"
        "that analyses, else the search with which mcts plays. It errs: help house. An end that\n"
        "a player may still take back (help undo) is analysed when that hour is over.",
        aliases=("analyze",),
        game="yes",
    ),
    Verb(
        "chat",
        _SEATED,
        "talk.chat:chat",
        "the body, or the rest of the line, to the others",
        Act.SEAT,
        game="yes",
        text="text",
    ),
    Verb(
        "watch",
        _SEATED,
        "talk.chat:watch",
        "get the mails of a board that you do not play on",
        Act.SEAT,
        game="yes",
    ),
    Verb(
        "watch best",
        (*_SIGNED, "game?"),
        "finding.boards:watch_best",
        "watch the board with the strongest players",
        Act.PLAYER,
        game="maybe",
    ),
    Verb(
        "unwatch",
        _SEATED,
        "talk.chat:unwatch",
        "get no more mails of a board that you watch",
        Act.SEAT,
        game="yes",
    ),
)


@cache
def map_words_to_verbs() -> dict[str, tuple[Verb, ...]]:
    """Map each name and alias to its verbs: a word may be one command with a game and another
    without."""
    words: dict[str, tuple[Verb, ...]] = {}
    for verb in VERBS:
        for word in (verb.name, *verb.aliases):
            words[word] = (*words.get(word, ()), verb)
    return words


@cache
def get_verb(name: str, *, takes_game: bool = True) -> Verb:
    """The verb with this name; of two, the one that takes a game, or the other."""
    verbs = [verb for verb in VERBS if verb.name == name]
    return next((verb for verb in verbs if (verb.game == "yes") is takes_game), verbs[0])


@cache
def list_command_words() -> frozenset[str]:
    """All words in the names and aliases of verbs."""
    return frozenset(word for verb in VERBS for word in (*verb.name.split(), *verb.aliases))
