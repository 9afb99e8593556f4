"""The data, read when it is first needed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from collections.abc import Mapping, Sequence

from ._identify import CLAIMED as CLAIMED


@dataclass(frozen=True)
class Program:
    """A server program with its releases, the oldest first."""

    key: str
    name: str
    #: Its names in NodeInfo.
    nodeinfo: Sequence[str]
    releases: Sequence[str]
    #: The newest release that its facts were looked up in.
    looked_at: str | None


@dataclass(frozen=True)
class Feature:
    """What people ask for, made up of items."""

    id: str
    summary: str
    synonyms: Sequence[str]
    #: The ids of the items that it needs.
    all: Sequence[str]
    #: The ids of the items of which it needs one.
    one_of: Sequence[str]


def _read(name: str) -> Any:
    return json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def items() -> Mapping[str, Sequence[str]]:
    """The life of each item in each program, in the order of the programs."""
    lives: Mapping[str, Sequence[str]] = _read("items.json")
    return lives


@cache
def features() -> Mapping[str, Feature]:
    """The features by id."""
    return {key: Feature(id=key, **feature) for key, feature in _read("features.json").items()}


PROGRAMS: Sequence[Program] = tuple(Program(**program) for program in _read("programs.json"))
