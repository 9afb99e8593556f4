"""What a server's version string says: its program, the program's own version, and the version of Mastodon that it claims.

The rules are those of the section "Version strings" in the README; the patterns are data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from ._data import PROFILES, REFERENCE, Profile
from ._pattern import any_format, compatible, match, numbered, trim, version, without_name

#: Major versions from here on are years or dates, and no claim.
_GREATEST_MAJOR = 50


@dataclass(frozen=True)
class Identity:
    """What a version string says."""

    #: The program's own name in lower case, whether or not the data has it.
    program: str | None
    #: The program's own version.
    version: str | None
    #: The version of Mastodon that the server claims to be or to be compatible with.
    claims_mastodon: str | None
    prerelease: bool


_Patterns = Iterable[tuple[Profile, str]]


def _find(name: str | None) -> Profile | None:
    return next((one for one in PROFILES if one.is_named(name)), None)


def _lineage(profile: Profile | None) -> list[Profile]:
    """A profile, and those of the programs that it is a fork of, one after another."""
    line: list[Profile] = []
    while profile and profile not in line:
        line.append(profile)
        profile = _find(profile.based_on)
    return line


def _named_like(name: str) -> Profile | None:
    """The program whose forks that nobody has registered have such names."""
    return next((one for one in PROFILES if any(word in name for word in one.forks_are_named)), None)


def is_fork(name: str | None) -> bool:
    """Whether a program is a fork of Mastodon, so that the version of Mastodon that it claims is its code's."""
    if name is None:
        return False
    profile = _find(name)
    if not profile:
        return _named_like(name) is not None
    return any(one.key == REFERENCE for one in _lineage(profile)[1:])


@cache
def _tried() -> list[Profile]:
    """The profiles in the order in which their patterns are tried: forks before what they are forks of, and the reference program last."""
    return sorted(PROFILES, key=lambda one: (one.key == REFERENCE, -len(_lineage(one))))


def _telling(profiles: Iterable[Profile]) -> _Patterns:
    return ((profile, pattern) for profile in profiles for pattern in profile.telling)


def _matched(patterns: _Patterns, text: str, goes_by: Callable[[Profile], str]) -> Identity | None:
    """The first program of which a pattern fits."""
    for profile, pattern in patterns:
        found = match(pattern, text)
        if not found:
            continue
        own = version(numbered(found.own or ""))
        # What is one version is written in one way.
        is_one = own is not None and found.claim is not None and own.numbers == found.claim.numbers
        claims = str(found.claim) if found.claim else None
        return Identity(goes_by(profile), claims if is_one else found.own, claims, found.prerelease)
    return None


def _in_any_format(text: str, name: str | None) -> Identity:
    own, prerelease = any_format(text) or (None, False)
    return Identity(name, own, None, prerelease)


def _known_as(name: str | None) -> str | None:
    """The one name that a program goes by, in lower case."""
    plain = trim(name or "").lower()
    known = _find(plain)
    return known.software if known else plain or None


def _of_compatible(outer: str, name: str, inner: str, told: str | None) -> Identity:
    """`4.2.1 (compatible; Name 2023.12.14)`, and the reverse, where the reference program stands inside."""

    def is_reference(one: str | None) -> bool:
        found = _find(one)
        return found is not None and found.key == REFERENCE

    inner_name = _known_as(name)
    if is_reference(inner_name):
        text, claiming, program = outer, inner, told
    else:
        text, claiming = inner, outer
        program = inner_name if is_reference(told) or told is None else told
    own = _in_any_format(text, None) if program is None else _named(text, program)
    claim = version(numbered(claiming))
    if not claim or claim.numbers[0] >= _GREATEST_MAJOR:
        return replace(own, claims_mastodon=None)
    return replace(own, claims_mastodon=str(claim), prerelease=own.prerelease or bool(claim.pre))


def _named(whole: str, name: str) -> Identity:
    """A string of a program that node info names: by the patterns of its forks, which may name it there, and its own."""
    _, text = without_name(whole)
    own = _find(name)
    profile = own or _named_like(name)
    if not profile:
        return _in_any_format(text, name)
    forks = (one for one in _tried() if profile in _lineage(one))
    patterns = [*_telling(forks), *((profile, pattern) for pattern in profile.named)]
    # A fork without a profile goes by its own name.
    found = _matched(patterns, text, lambda of: of.software if own or of is not profile else name)
    return found or _in_any_format(text, name)


def _unnamed(text: str) -> Identity:
    """A string of a program that node info does not name."""
    name, rest = without_name(text)
    if name is not None:
        return identify(rest, name)
    return _matched(_telling(_tried()), text, lambda of: of.software) or _in_any_format(text, None)


def identify(version_string: str, software: str | None = None) -> Identity:
    """Reads a version string, with the program's name in NodeInfo if there is one. Every string gives an identity, which may be empty."""
    text, name = trim(version_string), _known_as(software)
    inner = compatible(text)
    if inner:
        return _of_compatible(*inner, name)
    return _unnamed(text) if name is None else _named(text, name)
