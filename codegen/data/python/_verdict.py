"""Whether a server has an item. The rules are those of the section "Verdicts" in the README."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable
from collections.abc import Iterable, Sequence

from ._data import PROGRAMS, REFERENCE, Program
from ._identify import Identity, identify, is_fork
from ._pattern import Version, numbered, version

#: The verdicts, the better first.
_ORDER = ("yes", "stub", "unknown", "no")

_Numbers = tuple[int, ...]


def _numbers(text: str) -> _Numbers:
    return tuple(map(int, text.split(".")))


def _worst(verdicts: Iterable[str]) -> str:
    return max(verdicts, key=_ORDER.index)


@dataclass(frozen=True)
class _Place:
    """Where a version stands among the releases of its program."""

    at: _Numbers
    pre_release: bool
    beyond: bool
    #: Older than every release that was looked at.
    is_older: bool

    def reached(self, release: str) -> bool | None:
        """Whether it has what a release brought; None where that is open."""
        numbers = _numbers(release)
        if numbers == self.at:
            return None if self.pre_release else True
        return None if numbers > self.at and self.is_older else numbers < self.at


def _place(at: Version, pre_release: bool, program: Program) -> _Place:
    is_older = bool(program.releases) and at.numbers < _numbers(program.releases[0])
    if program.looked_at is None:
        return _Place(at.numbers, pre_release, True, is_older)
    newest = _numbers(program.looked_at)
    following = [release for release in map(_numbers, program.releases) if release > newest]
    beyond = at.numbers[:2] > newest[:2] or bool(following) and at.numbers >= following[0]
    return _Place(at.numbers, pre_release, beyond, is_older)


def _answer(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"


def _begun(since: str, place: _Place) -> str:
    if since == "never":
        return "unknown" if place.beyond else "no"
    if since == "unknown":
        return "unknown"
    return "yes" if since == "0.0.0" else _answer(place.reached(since))


def _in_hole(hole: str, place: _Place) -> str:
    begins, ends = map(place.reached, hole.split(".."))
    if begins is False or ends is True:
        return "yes"
    return "no" if begins and ends is False else "unknown"


def _has(life: str, place: _Place) -> str:
    """Whether a place has what has lived so: `2.0.0 works 2.1.0 removed 4.6.0 absent 2.4.0..3.3.0 stub 2.0.0`."""
    since, *words = life.split(" ")
    said = list(zip(words[::2], words[1::2]))
    facts = dict(said)
    present = [_begun(since, place)]
    if "removed" in facts:
        gone = place.reached(facts["removed"])
        present.append(_answer(None if gone is None else not gone))
    present.extend(_in_hole(hole, place) for word, hole in said if word == "absent")
    verdict = _worst(present)
    if verdict == "no" or "works" not in facts:
        return verdict
    works = _begun(facts["works"], place)
    return "stub" if works == "no" and "stub" in facts else _worst([verdict, works])


def judge(server: str | Identity, software: str | None = None) -> Callable[[Sequence[str] | None], str]:
    """Judges items of one server, by their lives in each program."""
    known = server if isinstance(server, Identity) else identify(server, software)
    for column, program in enumerate(PROGRAMS):
        if known.program is not None and known.program in (program.key, *program.nodeinfo):
            release = version(numbered(known.version or ""))
            place = _place(release, known.prerelease, program) if release else None
            return lambda lives: _has(lives[column], place) if place and lives else "unknown"
    claims = version(numbered(known.claims_mastodon or ""))
    columns = [column for column, program in enumerate(PROGRAMS) if program.key == REFERENCE]
    if not claims or not columns or not is_fork(known.program):
        return lambda lives: "unknown"
    at = _place(claims, known.prerelease or bool(claims.pre), PROGRAMS[columns[0]])
    # A fork may have what Mastodon has not yet.
    return lambda lives: "yes" if lives and _has(lives[columns[0]], at) == "yes" else "unknown"


def composed(every: Sequence[str], one_of: Sequence[str]) -> str:
    """The verdict on a feature: the worst of all that it needs, and of those of which it needs one the best."""
    return _worst([*every, *([min(one_of, key=_ORDER.index)] if one_of else [])])
