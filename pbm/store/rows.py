"""Row classes: each spells the columns of a table once, for the database and for mypy alike.

Reads return plain rows with the columns as attributes. A row class only tells mypy what these are,
so that typed rows cost nothing at run time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, field
from types import NoneType
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    Executable,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.sql.base import SchemaEventTarget
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import NullType, TypeEngine

ID = BigInteger().with_variant(Integer, "sqlite")
_TYPES: dict[object, type[TypeEngine[Any]]] = {
    bool: Boolean,
    bytes: LargeBinary,
    float: Double,
    int: Integer,
    str: Text,
}


def column(
    *items: SchemaEventTarget | TypeEngine[Any],
    default: object = MISSING,
    insert_default: Callable[[DefaultExecutionContext], object] | None = None,
    **options: Any,
) -> Any:
    """Return a column, with the arguments of SQLAlchemy's `Column` except name and nullability. Its
    type follows from the annotation unless it is given here. `default` is that of a dataclass which
    has the column as a field, `insert_default` makes the value of a row that is inserted without
    one."""
    if insert_default is not None:
        options["default"] = insert_default
    return field(default=default, metadata={"items": items, "options": options})


def primary_key(*items: SchemaEventTarget | TypeEngine[Any], **options: Any) -> Any:
    """Return a column of the primary key."""
    return column(*items, primary_key=True, **options)


def reference(target: str, **options: Any) -> Any:
    """Return a column with the id of a row of another table."""
    return column(ID, ForeignKey(f"{target}.id"), **options)


@dataclass_transform(
    kw_only_default=True,
    field_specifiers=(column, primary_key, reference),
)
class Row:
    """A row of a table or of a query, with its columns as attributes: those that it spells, after
    those of its bases, which may be dataclasses.

    column_types  type of each column and whether it may be None
    """

    column_types: ClassVar[dict[str, tuple[object, bool]]] = {}

    def __init_subclass__(cls) -> None:
        cls.column_types = {}
        for base in reversed(cls.__mro__[: cls.__mro__.index(Row)]):
            for name, annotation in inspect.get_annotations(base, eval_str=True).items():
                kinds = get_args(annotation) or (annotation,)
                cls.column_types[name] = kinds[0], NoneType in kinds

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


R = TypeVar("R", bound=Row)
R_co = TypeVar("R_co", bound=Row, covariant=True)


def make_columns(row: type[Row]) -> list[Column[Any]]:
    """Return the columns of a row class, for its table."""
    return [
        _make_column(row, name, kind, is_optional)
        for name, (kind, is_optional) in row.column_types.items()
    ]


def _make_column(row: type[Row], name: str, kind: object, is_optional: bool) -> Column[Any]:
    fields: dict[str, Field[Any]] = getattr(row, "__dataclass_fields__", {})
    spec = (fields.get(name) or getattr(row, name, field())).metadata
    items = list(spec.get("items", ()))
    if not any(isinstance(item, TypeEngine) for item in items):
        items.insert(0, _TYPES[kind]())
    return Column(name, *items, nullable=is_optional, **spec.get("options", {}))


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def make_table(name: str, row: type[Row], *items: SchemaItem, comment: str | None = None) -> Table:
    """Return the table of a row class. One with an `id` never reuses a number."""
    columns = make_columns(row)
    is_numbered = columns[0].name == "id"
    return Table(
        name, metadata, *columns, *items, comment=comment, sqlite_autoincrement=is_numbered
    )


def partial_index(name: str, condition: ColumnElement[bool], *columns: Any) -> None:
    """Make an index of the rows that meet a condition. The condition is noted only: naming it for
    each dialect would import them all."""
    Index(name, *columns, info={"where": condition})


class Query(Generic[R_co]):
    """A statement and the class of the rows that it returns.

    ValueError when the two have different columns, when one that may be NULL is not optional in
    the class, or when the types differ."""

    __slots__ = ("statement",)

    def __init__(self, row: type[R_co], statement: Executable) -> None:
        self.statement = statement
        columns = statement.exported_columns  # type: ignore[attr-defined]
        fields = row.column_types
        if set(columns.keys()) != fields.keys():
            differing = sorted(set(columns.keys()) ^ fields.keys())
            raise ValueError(f"{row.__name__} and its query differ in {', '.join(differing)}")
        for name, each in columns.items():
            kind, is_optional = fields[name]
            if getattr(each, "nullable", False) and not is_optional:
                raise ValueError(f"{row.__name__}.{name} may be None")
            if not isinstance(each.type, NullType) and each.type.python_type is not kind:
                raise ValueError(f"{row.__name__}.{name} is of {each.type.python_type}")
