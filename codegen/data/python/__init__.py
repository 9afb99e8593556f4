"""What servers of the Mastodon client API support, by their version strings.

>>> supports("4.3.1+glitch", "statuses.create.scheduled_at")
'yes'
"""

from __future__ import annotations

import re

from ._data import PROGRAMS, Feature, Program, features, items
from ._identify import Identity, identify
from ._verdict import composed, judge

__all__ = ["PROGRAMS", "Feature", "Identity", "Program", "features", "has", "identify", "items", "supports"]


def _plain(name: str) -> str:
    return " ".join(filter(None, re.split(r"[\W_]+", name.lower())))


def _feature(name: str) -> Feature | None:
    known, wanted = features(), _plain(name)
    named = (one for one in known.values() if wanted in map(_plain, (one.id, *one.synonyms)))
    return known.get(name) or next(named, None)


def supports(server: str | Identity, item: str, software: str | None = None) -> str:
    """Whether a server has an item, by its id: `yes`, `stub`, `no` or `unknown`. What is not listed is unknown."""
    return judge(server, software)(items().get(item))


def has(server: str | Identity, feature: str, software: str | None = None) -> str:
    """Whether a server has a feature, by its id, its name or a synonym. What is not listed is unknown."""
    found = _feature(feature)
    if found is None:
        return "unknown"
    verdict, lives = judge(server, software), items()
    return composed([verdict(lives.get(one)) for one in found.all], [verdict(lives.get(one)) for one in found.one_of])
