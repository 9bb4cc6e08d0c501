"""The metrics, for Prometheus, whose library is an extra."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric

from pbm.daemon.vital_signs import RECENT, Numbers, Signs
from pbm.version import find_version


def build_metrics(numbers: Numbers, signs: Signs, sessions: int, sessions_refused: int) -> bytes:
    """Return the text that Prometheus reads."""
    queues = ["queue"]
    families = [
        InfoMetricFamily("pbm_build", "the version that runs", {"version": find_version()}),
        _build_family("pbm_queue_mails", "mails that wait", queues, _label(numbers.waiting)),
        _build_family(
            "pbm_queue_oldest_seconds",
            "how long the oldest of them has waited",
            queues,
            _label(numbers.oldest),
        ),
        _build_family(
            "pbm_mails",
            "mails accepted (in) and delivered (out) since this server started",
            queues,
            {("in",): signs.accepted, ("out",): signs.deliveries["delivered"]},
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_deliveries",
            "attempts to deliver since this server started, by result",
            ["result"],
            _label(signs.deliveries),
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_pictures_late",
            "pictures that came too late for their mails since this server started",
            [],
            {(): signs.pictures_late},
            CounterMetricFamily,
        ),
        _build_family(
            "pbm_recent_mails",
            f"of the newest {RECENT} mails, by outcome",
            ["queue", "outcome"],
            {
                (name, state): n
                for name, counts in numbers.outcomes.items()
                for state, n in counts.items()
            },
        ),
        _build_family(
            "pbm_recent_incoming_mails",
            f"of the newest {RECENT} incoming mails, by what became of them",
            ["code"],
            _label(numbers.codes),
        ),
        _build_family(
            "pbm_recent_refusals",
            f"of the newest {RECENT} incoming mails, those with a refusal of this code",
            ["code"],
            _label(numbers.refusals),
        ),
        _build_gauge("pbm_boards_running", "boards being played", numbers.running_boards),
        _build_gauge("pbm_players_active", "people who may play", numbers.active_players),
        _build_gauge("pbm_house_players", "computer players", numbers.house_players),
        _build_gauge(
            "pbm_analyses_waiting", "boards that wait to be analysed", numbers.waiting_analyses
        ),
        _build_family(
            "pbm_daemon_seen_seconds",
            "when each daemon of this database last noted that it is there, as Unix time",
            ["daemon", "version"],
            {(each.name, each.version): each.seen for each in numbers.daemons},
        ),
        _build_gauge("pbm_sessions", "SMTP and LMTP sessions now", sessions),
        _build_family(
            "pbm_sessions_refused",
            "sessions turned away for want of room",
            [],
            {(): sessions_refused},
            CounterMetricFamily,
        ),
        _build_gauge("pbm_working", "1 while mails are being executed", signs.working),
        _build_gauge(
            "pbm_database_writable", "0 while nothing can be written", signs.database_writable
        ),
    ]
    if signs.relay_up is not None:
        text = "0 while the relay is out of reach"
        families.append(_build_gauge("pbm_relay_up", text, signs.relay_up))
    if signs.mailbox_up is not None:
        text = "0 while the mailbox is out of reach"
        families.append(_build_gauge("pbm_mailbox_up", text, signs.mailbox_up))
    if signs.certificate_seconds is not None:
        text = "until the certificate of [smtp] ends; below 0 once it has"
        seconds = signs.certificate_seconds
        families.append(_build_gauge("pbm_certificate_expires_seconds", text, seconds))
    if numbers.backup_seconds is not None:
        text = "since pbm admin backup made one"
        families.append(_build_gauge("pbm_backup_age_seconds", text, numbers.backup_seconds))
    if signs.disk_free is not None:
        text = "room on the disk of the database file"
        families.append(_build_gauge("pbm_disk_free_bytes", text, signs.disk_free))

    class Collected:
        def collect(self) -> list[Metric]:
            return families

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collected())
    return generate_latest(registry)


def _label(values: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    return {(name,): value for name, value in values.items()}


def _build_gauge(name: str, text: str, value: float) -> Metric:
    return _build_family(name, text, [], {(): float(value)})


def _build_family(
    name: str,
    text: str,
    labels: list[str],
    values: Mapping[tuple[str, ...], float],
    kind: type[GaugeMetricFamily | CounterMetricFamily] = GaugeMetricFamily,
) -> Metric:
    metric = kind(name, text, labels=labels)
    for label, value in values.items():
        metric.add_metric(list(label), value)
    return metric
