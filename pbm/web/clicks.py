"""A click on a form: like a mail it is read, verified in a session that only reads, and executed in
one that writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import parse_qsl

from starlette.requests import Request

from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.command import Command
from pbm.core.notices import Refused
from pbm.core.submit import Policy, Submission, Submitted
from pbm.rules.phrases import Phrase, phrase
from pbm.store.transaction import Session
from pbm.web.site import Site

_FIELD = phrase("this field")
_NONE: Mapping[str, str] = MappingProxyType({})
_LARGEST_FORM = 16_384


@dataclass(frozen=True, slots=True)
class Click:
    """The result of a form: what was done ("" if nothing was), or why not, and which `field` is
    wrong, if it is one; `page` is the next page, "" for the same page."""

    done: str = ""
    problem: str = ""
    page: str = ""
    field: str = ""


def verify(site: Site, session: Session, command: Command, now: float) -> Command:
    """Return the command with texts that must not be passed on removed. The session only reads."""
    checks = PasswordChecks(site.secrets, site.config)
    return authenticate(session, command, checks, now)


def execute(
    site: Site, session: Session, command: Command, policy: Policy, now: float
) -> tuple[Submitted, Refused | None]:
    """Submit the command. Return the result, and the refusal if it was refused. The session
    writes."""
    result = site.service.submit(session, Submission((command,), now, policy), now)
    refusals = (each.content for each in result.notices if isinstance(each.content, Refused))
    return result, next(refusals, None)


def say_refused(refused: Refused, field: str = "", labels: Mapping[str, str] = _NONE) -> str:
    """Return the sentences of a refusal for a page. They stand at the field with that name too;
    other options are called by the labels of their fields, not as one would type them."""
    reason = _call_options(refused.reason, {**labels, field: _FIELD})
    if reason.endswith("?"):
        return phrase("Not done: {reason}", reason=reason)
    return phrase("Not done: {reason}.", reason=reason)


def _call_options(text: str, labels: Mapping[str, str]) -> str:
    """Return a text with labels in place of the options that it names."""
    if text.startswith("-") and (label := labels.get(text.lstrip("-"))):
        return label
    if type(text) is not Phrase:
        return text
    values = {
        name: _call_options(value, labels) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return Phrase(text.message, values, text.plural)


def commit(site: Site, execute: Callable[[Session], Click | None]) -> Click | None:
    """Execute in a transaction of the writer. None for an invalid link."""
    outcome = site.writer.submit(execute).result()
    if outcome is not None and outcome.done:
        site.done()
    return outcome


async def read_form(request: Request) -> dict[str, str] | None:
    """Return the fields of a urlencoded form; filled fields with the same name are joined by
    semicolons. None when it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return None
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), True, max_num_fields=100)
    except ValueError:
        return None
    form = dict[str, str]()
    for name, value in pairs:
        form[name] = "; ".join(filter(None, (form.get(name), value)))
    return form
