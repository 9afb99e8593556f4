"""The data, read when it is first needed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from collections.abc import Mapping, Sequence


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
class Profile:
    """How a program is recognized, whether or not the data has its releases."""

    key: str
    #: Its names in NodeInfo; the first is the one that identification answers.
    nodeinfo: Sequence[str]
    #: The key of the program that it is a fork of.
    based_on: str | None = None
    #: Patterns of version strings that tell the program.
    telling: Sequence[str] = ()
    #: Patterns that count where NodeInfo names it.
    named: Sequence[str] = ()
    #: Words in the names of forks that nobody has registered.
    forks_are_named: Sequence[str] = ()

    @property
    def software(self) -> str:
        """The name that identification answers."""
        return self.nodeinfo[0] if self.nodeinfo else self.key

    def is_named(self, name: str | None) -> bool:
        """Whether it has a name: its key, or one in NodeInfo."""
        return name == self.key or name in self.nodeinfo


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


_programs = _read("programs.json")
#: The program whose API this is: whose versions others claim.
REFERENCE: str = _programs["reference"]
PROGRAMS: Sequence[Program] = tuple(Program(**program) for program in _programs["programs"])
PROFILES: Sequence[Profile] = tuple(Profile(**profile) for profile in _programs["profiles"])
