"""A bot that plays Hex by mail: it reads the Maildir of its address and answers by SMTP.

python mail_bot.py USERID MAILDIR HOST:PORT
"""

import mailbox
import random
import re
import smtplib
import sys
import time
from email import message_from_bytes, policy
from email.message import EmailMessage


def choose(text: str, userid: str) -> str:
    """The reply to a mail: a move on an empty cell near the middle, "" for none."""
    facts = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    if facts.get("Result") != "*":
        return ""
    if facts["Game"] != "hex":
        return (
            "decline" if re.search(r"eply with (accept or )?decline|resign, decline", text) else ""
        )
    if facts["ToMove"] != userid:
        return "accept" if "Reply with accept or decline" in text else ""
    rows = re.findall(r"^ +\d+ ([ .XO\[\]]+?) +\d+$", text, re.MULTILINE)
    cells = [re.findall("[.XO]", row) for row in rows]
    middle = (len(cells) - 1) / 2
    empty = [(x, y) for y, row in enumerate(cells) for x, sign in enumerate(row) if sign == "."]
    x, y = min(empty, key=lambda at: abs(at[0] - middle) + abs(at[1] - middle) + random.random())
    return f"{chr(ord('a') + x)}{y + 1}"


userid, folder, server = sys.argv[1:]
inbox = mailbox.Maildir(folder)
while True:
    for key in list(inbox.iterkeys()):
        mail = message_from_bytes(inbox.get_bytes(key), policy=policy.default)
        body = mail.get_body(("plain",))
        if text := choose(body.get_content() if body else "", userid):
            reply = EmailMessage()
            reply["From"], reply["To"] = str(mail["To"]), str(mail["Reply-To"])
            reply["Subject"], reply["In-Reply-To"] = f"Re: {mail['Subject']}", mail["Message-ID"]
            reply.set_content(text)
            with smtplib.SMTP(server) as connection:
                connection.send_message(reply)
        inbox.discard(key)  # only once it is answered
    time.sleep(1)
