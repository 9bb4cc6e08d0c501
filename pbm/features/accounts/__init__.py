"""Accounts: opening, changing, closing and erasing them."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.accounts import (
    addresses,
    admission,
    erasing,
    invitations,
    inviting,
    joining,
    personal_data,
    preferences,
    rows,
    signup,
    stopping,
)
from pbm.features.accounts.admin import ACTS, LISTS
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "signup",
        ("user", "new_password", "address*"),
        signup.signup,
        "open an account; without an address, the sender's",
        Act.OPEN,
        Group.ACCOUNTS,
        "Userid: 2 to 20 of a-z 0-9 _ -, a letter first. Password: 4 to 64 characters without\n"
        "blanks. A mail with a code comes back: reply yes to it. Until then the userid is\n"
        "anybody's, and a later signup makes the code void.",
        implied=joining.join,
        hides_words=True,
    ),
    Verb(
        "confirm",
        ("code",),
        signup.confirm,
        "send back a code: proves an address, or closes an account",
        Act.CODE,
        Group.ACCOUNTS,
        "A code does what the mail that brought it says, once. To a mail that confirms an\n"
        "address you may also just reply yes.",
        verify=signup.hash_sent_password,
        hides_words=True,
        goes_with_board=True,
    ),
    Verb(
        "invite",
        (*SIGNED, "address*"),
        inviting.invite,
        "invite a friend by mail, to a game or without one",
        Act.INVITE,
        Group.ACCOUNTS,
        "Behind the address may stand a game and its options: kim@example.net chess\n"
        "--time=10d+1d. One mail goes there, ever, with your name and up to 200 characters\n"
        "of your mail. Whoever replies to it with a name has an account, which needs no\n"
        "password, and moves first. You do with chess challenge ann kim@example.net, which\n"
        "is the same.\n"
        "link instead of an address makes a link that you can pass on: for 30 days friends\n"
        "may join by it. With a game behind it, each of them has a board with you.\n"
        "Without an address it lists what you have sent, and with none it is withdrawn.",
        for_game="maybe",
        options=True,
        text="comment",
        button=Button(
            phrase("Invite"),
            phrase("Done. What you have sent stands below."),
            needs=("address",),
            words={
                "address": phrase(
                    "A friend's mail address, and a game if you like, as in kim@example.net chess. "
                    "One mail goes there, ever, with your userid."
                )
            },
        ),
    ),
    Verb(
        "add",
        (*SIGNED, "address+"),
        addresses.add_addresses,
        "add addresses; all confirmed ones get every mail",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        remedy="pbm admin player {who}; pbm admin set-address {who} ADDRESS",
    ),
    Verb(
        "remove",
        (*SIGNED, "address+"),
        addresses.remove_addresses,
        "remove addresses; the last one stays",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        is_final=True,
        remedy="pbm admin set-address {who} ADDRESS",
    ),
    Verb(
        "change password",
        (*SIGNED, "new_password"),
        preferences.change_password,
        "a new password",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        is_final=True,
        hides_words=True,
        remedy="pbm admin reset-password {who}",
    ),
    Verb(
        "change address",
        (*SIGNED, "address*"),
        addresses.change_addresses,
        "replace all addresses; the old ones are notified",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        "Without an address, the sender's.",
        is_final=True,
        remedy="pbm admin set-address {who} ADDRESS",
    ),
    Verb(
        "forgot",
        ("user",),
        preferences.forgot,
        "get a code that replaces the old password once",
        Act.OPEN,
        Group.ACCOUNTS,
        "Then: change password USERID CODE NEW. The code is valid for seven days.",
        hides_words=True,
    ),
    Verb(
        "signoff",
        SIGNED,
        erasing.sign_off,
        "close the account",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        "With open boards you get a code; confirm CODE resigns them and closes it.",
        aliases=("delete",),
        is_final=True,
        remedy="pbm admin player {who}",
    ),
    Verb(
        "mydata",
        SIGNED,
        personal_data.send_own_data,
        "everything that is kept about you, as a file",
        Act.PLAYER,
        Group.ACCOUNTS,
        "It goes to your registered addresses, twice a day at most: help privacy.",
    ),
    Verb(
        "erase",
        SIGNED,
        erasing.ask_to_erase,
        "close the account and erase everything personal",
        Act.ACCOUNT,
        Group.ACCOUNTS,
        "You get a code; confirm CODE resigns your open boards and erases you. Results stay, as\n"
        "those of a former player: help privacy.",
        is_final=True,
        remedy="pbm admin reset-password {who} makes its code void",
    ),
    Verb(
        "stop",
        ("what*",),
        stopping.stop_mail,
        "get fewer mails, or none",
        Act.OPEN,
        Group.ACCOUNTS,
        "The first stop is answered with what else there is; a second one within a day, in\n"
        "reply to any of our mails, ends all mails. Your clocks run on, and your opponents are\n"
        "told. Whatever else you send starts the mails again: help mail.",
    ),
    Verb(
        "set",
        (*SIGNED, "key=value*"),
        preferences.set_preferences,
        "preferences; without any, shows them and the choices",
        Act.SETTING,
        Group.ACCOUNTS,
        hides_words=True,
        remedy="pbm admin player {who}",
        button=Button(phrase("Keep these preferences"), phrase("Your preferences are changed.")),
        fields=preferences.list_fields,
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    operator_acts=ACTS,
    lists=LISTS,
    on_failures_spent=preferences.send_unlock_code,
    adds_to_page=admission.add_to_page,
    due=erasing.do_due,
    old_rows=rows.list_old_rows,
    personal_data=invitations.list_personal_data,
    on_merge=invitations.pass_on_rows,
    on_erase=invitations.erase_rows,
    passes_on={"invitation": inviting.pass_on_invitation, "name": preferences.pass_on_name},
    finds_differences=invitations.find_differences,
)
