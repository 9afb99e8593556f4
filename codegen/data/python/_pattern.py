"""Versions at the start of a text, and patterns of version strings: the sections "Versions" and "Patterns" of the README."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

#: Words that mark a pre-release; a word must come before its own prefixes.
_PRE_RELEASE_WORDS = (
    "alpha beta rc nightly develop dev preview prerelease pre snapshot testrig canary edge".split()
)

#: The greatest number of a version.
_GREATEST = 2**32 - 1

#: What Unicode calls white space; Python has four control characters more.
_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_TOKEN = re.compile(r"[0-9a-zA-Z._+~-]*")
_SEPARATORS = "+-.~"


def trim(text: str) -> str:
    """Without white space around it."""
    return text.strip(_SPACE)


def _words(text: str) -> list[str]:
    return [word for word in re.split(f"[{_SPACE}]+", text) if word]


def _small(text: str) -> str:
    """In small letters, as far as they are those of ASCII."""
    return re.sub("[A-Z]", lambda letter: letter.group().lower(), text)


def _starts_with(text: str, word: str) -> bool:
    return _small(text[: len(word)]) == word


def _is_letter(text: str) -> bool:
    return text.isalpha() or unicodedata.category(text) == "Nl"


def _without_v(text: str) -> str:
    return text[1:] if re.match(r"[vV][0-9]", text) else text


@dataclass(frozen=True)
class Version:
    """Three numbers, and the text of a pre-release."""

    numbers: tuple[int, int, int]
    pre: str

    def __str__(self) -> str:
        text = ".".join(map(str, self.numbers))
        return f"{text}-{self.pre}" if self.pre else text


@dataclass(frozen=True)
class Numbered:
    """A version split off from the start of a text."""

    text: str
    numbers: str
    before: str
    rest: str

    def has_parts(self) -> bool:
        return "." in self.numbers


def numbered(whole: str) -> Numbered | None:
    """Splits off the version at the start of a text: `4.0.0rc1`, `v0.19.3-SNAPSHOT`."""
    text = _without_v(whole.lstrip(_SPACE))
    found = _NUMBERS.match(text)
    if not found:
        return None
    numbers = found.group()
    behind = text[len(numbers) :]
    between = 1 if behind[:1] in ("-", ".") else 0
    before = _pre_release(behind[between:])
    end = len(numbers) + (between if before else 0) + len(before)
    return Numbered(text[:end], numbers, before, text[end:])


def _pre_release(text: str) -> str:
    """The pre-release at the start of a text: a word with its number or date, and `-security`."""
    word = next((one for one in _PRE_RELEASE_WORDS if _starts_with(text, one)), None)
    # `devout` is a name, not a `dev` release.
    if word is None or (len(text) > len(word) and _is_letter(text[len(word)])):
        return ""
    end = len(word) + _count(text[len(word) :])
    if _starts_with(text[end:], "-security"):
        end += len("-security")
    return text[:end]


def _count(text: str) -> int:
    """The length of the number or date after a word: `.2025-02-07`, `.1`, `4`, `-3`."""
    rest = text[1:] if text[:1] in (".", "-") else text
    is_date = _DATE.match(rest) is not None
    found = re.match(r"[0-9]+", rest)
    if not found or (text.startswith("-") and not is_date and found.end() > 3):
        return 0
    if re.match(r"[0-9]+[a-zA-Z]", rest):
        return 0
    return len(text) - len(rest) + (10 if is_date else found.end())


def version(found: Numbered | None) -> Version | None:
    """The numbers and the pre-release of what :func:`numbered` has split off; None where they cannot be compared."""
    parts = found.numbers.split(".")[:3] if found else []
    if not found or len(parts) < 2 or any(len(part.lstrip("0")) > 10 for part in parts):
        return None
    major, minor, patch = map(int, [*parts, "0"][:3])
    if max(major, minor, patch) > _GREATEST:
        return None
    before = found.before
    holds = len(before) <= 31 and all(re.fullmatch(r"[0-9a-zA-Z-]+", part) for part in before.split("."))
    return Version((major, minor, patch), "pre" if before and not holds else before)


def _token(text: str) -> tuple[str, str]:
    """A text from its version on, and the start of it that may belong to the version."""
    start = _without_v(text.lstrip(_SPACE))
    found = _TOKEN.match(start)
    return start, found.group() if found else ""


def any_format(text: str) -> tuple[str, bool] | None:
    """The version in any program's own format, without additions of packagers: `2.0.5-6-ga36eb5ea`, `2023.05`."""
    found = numbered(text)
    if not found:
        return None
    whole = _token(text)[1]
    behind = whole[len(found.text) :]
    word = re.split(r"[-+.~]", behind[1:])[0] if behind.startswith("-") else ""
    is_commit = len(found.numbers.split(".")) > 3 and _COMMIT.fullmatch(word) is not None
    is_added = behind.startswith(("_", "~")) or is_commit
    return found.text if not found.before and is_added else whole, bool(found.before)


def without_name(text: str) -> tuple[str | None, str]:
    """Splits off a name before the version: `takahe/0.11.0`."""
    name, *rest = re.split(r"[/ ]", text, maxsplit=1)
    is_name = re.fullmatch(r"[a-zA-Z][0-9a-zA-Z._-]*", name) and not numbered(name) and not name.startswith("git-")
    found = numbered(rest[0]) if rest and is_name else None
    return (name, rest[0].lstrip(_SPACE)) if found and found.has_parts() else (None, text)


def compatible(text: str) -> tuple[str, str, str] | None:
    """The text before `(compatible; NAME VERSION)`, and the name and the version inside."""
    for opening in re.finditer(r"\(", text):
        inside = text[opening.end() :].lstrip(_SPACE)
        if not _starts_with(inside, "compatible"):
            continue
        rest = inside[len("compatible") :].lstrip(";:," + _SPACE)
        named = trim(re.split(r"[);]", rest, maxsplit=1)[0])
        name, *inner = re.split(f"[/{_SPACE}](?=[vV]?[0-9])", named, maxsplit=1)
        return text[: opening.start()].rstrip(_SPACE), " ".join(_words(name)), "".join(inner)
    return None


def _has_word(text: str, word: str) -> bool:
    """Whether a word stands between the separators of a text's first part."""
    first = next(iter(_words(text)), "")
    return word in map(_small, re.split(r"[^0-9a-zA-Z]", first))


@dataclass(frozen=True)
class Found:
    """What a pattern finds in a version string."""

    #: The program's own version, as it is written.
    own: str | None = None
    claim: Version | None = None
    prerelease: bool = False


#: A literal, `#` for a digit, or a slot, with the bound of its version.
_Part = tuple[str, str, Callable[[Version], bool]]


def _within(bound: str | None) -> Callable[[Version], bool]:
    """`1-49`: bounds of the first number; `3.5.3`: that version alone."""
    if bound is None:
        return lambda found: True
    if "-" not in bound:
        return lambda found: str(found) == bound
    least, most = map(int, bound.split("-"))
    return lambda found: least <= found.numbers[0] <= most


@cache
def _parts(pattern: str) -> tuple[_Part, ...]:
    found = re.finditer(r"\{([a-z]+)(?::([^}]*))?\}|#|[^{}#]+", pattern)
    kind = {"#": "digit"}
    return tuple(
        (one.group(1) or kind.get(one.group(), "literal"), _small(one.group()), _within(one.group(2))) for one in found
    )


def match(pattern: str, text: str) -> Found | None:
    """Matches a whole version string."""
    return _find(_parts(pattern), text, Found())


def _find(parts: tuple[_Part, ...], text: str, found: Found) -> Found | None:
    if not parts:
        return found if text == "" else None
    (slot, literal, is_within), *_ = parts
    parts = parts[1:]
    if slot == "literal":
        return _find(parts, text[len(literal) :], found) if _starts_with(text, literal) else None
    if slot == "digit":
        return _find(parts, text[1:], found) if re.match("[0-9]", text) else None
    if slot == "commit":
        end = next((at for at, one in enumerate(text) if not (_is_letter(one) or one.isnumeric())), len(text))
        return _find(parts, text[end:], found) if _COMMIT.fullmatch(text[:end]) else None
    if slot == "release":
        return _release(parts, text, found)
    if slot == "marks":
        return _marks(parts, text, found)
    if slot == "rest":
        return found
    following = numbered(text)
    claim = version(following)
    if not following or not claim or not is_within(claim):
        return None
    is_pre = found.prerelease or bool(claim.pre) or _has_word(following.rest, "nightly")
    filled = Found(
        found.own if slot == "claim" else following.text,
        found.claim if slot == "own" else claim,
        is_pre,
    )
    return _find(parts, following.rest, filled)


def _release(parts: tuple[_Part, ...], text: str, found: Found) -> Found | None:
    """Tries the longest version first."""
    start, longest = _token(text)
    shortest = numbered(longest)
    if not shortest:
        return None
    is_pre = found.prerelease or bool(shortest.before)
    for end in range(len(longest), len(shortest.text) - 1, -1):
        whole = _find(parts, start[end:], replace(found, own=start[:end], prerelease=is_pre))
        if whole:
            return whole
    return None


def _marks(parts: tuple[_Part, ...], text: str, found: Found) -> Found | None:
    """Tries the shortest marks first."""
    if text[:1] not in tuple(_SEPARATORS):
        return None
    for at, one in enumerate(_words(text)[0]):
        whole = _find(parts, text[at + 1 :], found) if one in _SEPARATORS else None
        if whole:
            return whole
    return None
