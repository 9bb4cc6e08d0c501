"""What the operator looks at, and does to accounts and addresses."""

from __future__ import annotations

from pbm.core.kernel.operator_rows import ActRow, Argument, Filter, ListRow, Part

LISTS = (
    ListRow(
        "players",
        "accounts",
        "Accounts, newest first.",
        "operator_lists:list_players",
        (
            Filter(
                "state",
                "only in this state",
                choices=("active", "waiting", "suspended", "closed"),
            ),
            Filter("search", "userid or address contains TEXT", shown="TEXT"),
        ),
        times=("created", "seen"),
    ),
    ListRow(
        "bans",
        "who is banned, and which addresses get no mail",
        "Bans of addresses, domains and accounts, and addresses that get no mail.",
        "operator_lists:list_bans",
        times=("when",),
    ),
)

_USERID = Argument("userid", "userid")
_ANYBODY = "USERID|ADDRESS|@DOMAIN"

ACTS = (
    ActRow(
        "reset-password",
        "mail a player a code to choose a new password",
        "Withdraw a password and mail the player a code to choose a new one. You see neither.",
        "Withdraw the password of {userid}?",
        "operator_acts:reset_password",
        (_USERID,),
        Part.PLAYERS,
    ),
    ActRow(
        "set-address",
        "give a player whose mailbox is dead another address",
        "Send a code to another address of a player whose mailbox is dead.\n\n"
        "When the code comes back, the address takes the place of all that the player had. Be sure "
        "that it is the player who asks: whoever reads there can then have a new password.",
        "Let {address} become the address of {userid}?",
        "operator_acts:set_address",
        (_USERID, Argument("address")),
        Part.PLAYERS,
    ),
    ActRow(
        "rename",
        "give a player another userid",
        "Give a player another userid. Boards and records follow; nobody else can have the old "
        "one.\n\nWhoever may announce events by [events] makers must be named anew there.",
        "Rename {userid} to {new}?",
        "identities:rename",
        (_USERID, Argument("new")),
        Part.PLAYERS,
    ),
    ActRow(
        "merge",
        "make two accounts of one person one",
        "Make two accounts of one person one.\n\n"
        "Boards, results, notes and addresses of USERID pass to INTO, whose password and "
        "preferences stay; USERID is closed. The ratings of their games are computed anew: boards "
        "that the two played against each other no longer count. Be sure that it is one person: "
        "whoever reads mail at the addresses of one can then act for both.",
        "Merge {userid} into {into}? This cannot be undone.",
        "identities:merge",
        (_USERID, Argument("into", "userid")),
        Part.PLAYERS,
    ),
    ActRow(
        "erase",
        "erase a player; boards stay as a former player's",
        "Erase a player: everything personal goes, boards and results stay as a former "
        "player's.\n\n"
        "Open boards are resigned. Addresses, preferences, comments, plans, notes, chats and "
        "vacations go at once, the mails in the log within a day. Addresses that are banned stay "
        "banned. Backups are yours to delete.",
        "Erase {userid}? This cannot be undone.",
        "identities:erase",
        (_USERID,),
        Part.PLAYERS,
    ),
    ActRow(
        "suspend",
        "suspend a player, or stop mail to an address",
        "Suspend a player, or stop all mail to an address.",
        "Suspend {who}?",
        "banning:stop",
        (Argument("who", "userid", shown="USERID|ADDRESS"),),
        Part.PLAYERS,
    ),
    ActRow(
        "unsuspend",
        "lift a suspension, or resume mail to an address",
        "Lift a player's suspension, or resume mail to an address (even one that bounced).",
        "Unsuspend {who}?",
        "banning:resume",
        (Argument("who", shown="USERID|ADDRESS"),),
        Part.PLAYERS,
    ),
    ActRow(
        "invite",
        "let an address sign up, and mail it once",
        'Let an address sign up where [players] signups is "invited", and mail it once.\n\n'
        "Where each signup is approved, one of an invited address needs no approval.",
        "Invite {address}?",
        "admitting:invite",
        (Argument("address"),),
        Part.PLAYERS,
        needs_reason=False,
    ),
    ActRow(
        "approve",
        "open an account that waits to be approved",
        "Open an account that waits for it, and mail the player.\n\n"
        "Those that wait: pbm admin players --state waiting.",
        "Approve {userid}?",
        "admitting:approve",
        (_USERID,),
        Part.PLAYERS,
        needs_reason=False,
    ),
    ActRow(
        "deny",
        "delete an account that waits to be approved",
        "Delete an account that waits to be approved, and mail whoever signed up.\n\n"
        "A reason, if you give one, is in that mail. The userid is free again.",
        "Deny {userid}?",
        "admitting:deny",
        (_USERID,),
        Part.PLAYERS,
        needs_reason=False,
    ),
    ActRow(
        "ban",
        "refuse an address, domain or account",
        "Accept no mail from an address, domain or account, and send none there.\n\n"
        "An address is banned with its +subaddresses, a domain with its subdomains, an account "
        "with its addresses. The players get a last mail with the reason; mails from there are "
        "recorded as banned and never answered.",
        "Ban {who}?",
        "banning:ban",
        (Argument("who", "userid", shown=_ANYBODY),),
        Part.PLAYERS,
        flag=("boards", "end the open boards of the account without a result, too"),
        flag_ends="ended_by_ban",
        for_moderators=True,
    ),
    ActRow(
        "unban",
        "lift a ban",
        "Lift a ban. An account is open again, with the addresses that no other ban covers.",
        "Lift the ban on {who}?",
        "banning:unban",
        (Argument("who", shown=_ANYBODY),),
        Part.PLAYERS,
        for_moderators=True,
    ),
)
