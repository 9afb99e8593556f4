"""What a server's version string says: its program, the program's own version, and the version of Mastodon that it claims.

The rules are those of the section "Version strings" in the README.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

#: The program whose versions others claim.
CLAIMED = "mastodon"

#: The programs whose own version a plain number is.
_HAS_ITS_VERSION = (CLAIMED, "glitch-soc", "glitchcafe", "ecko")

#: Forks of it, which use its version: the mark in the version string, and the name. Forks of glitch-soc name it besides themselves.
_FORKS = (
    ("hometown", "hometown"),
    ("kmyblue", "kmyblue"),
    ("chuckya", "chuckya"),
    ("fedibird", "fedibird"),
    ("ecko", "ecko"),
    ("catstodon", "catstodon"),
    ("glitch", "glitch-soc"),
)

_SPELLINGS = {
    "glitch": "glitch-soc",
    "glitchsoc": "glitch-soc",
    "glitch_soc": "glitch-soc",
    "mastodon-glitch": "glitch-soc",
    "iceshrimpnet": "iceshrimp.net",
}

#: The version of Mastodon that GoToSocial reports when it is configured to.
_GOTOSOCIALS_CLAIM = "3.5.3"

#: Major versions from here on are years or dates, and none of Mastodon's.
_GREATEST_MAJOR = 50

#: The greatest number of a version.
_GREATEST = 2**32 - 1

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_WORDS = re.compile(
    r"([-.]?)((?:alpha|beta|rc|nightly|develop|dev|preview|prerelease|pre|snapshot|testrig|canary|edge)(?![^\W\d_]))",
    re.IGNORECASE,
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_COMPATIBLE = re.compile(r"(.*?)\(\s*compatible[;:,\s]*([^);]*)", re.IGNORECASE | re.DOTALL)
_NAMED = re.compile(r"(.*?)[/\s]([vV]?[0-9].*)", re.DOTALL)


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


@dataclass(frozen=True)
class Version:
    """Three numbers, and the text of a pre-release."""

    numbers: tuple[int, int, int]
    pre: str

    def __str__(self) -> str:
        text = ".".join(map(str, self.numbers))
        return f"{text}-{self.pre}" if self.pre else text


@dataclass(frozen=True)
class _Numbered:
    text: str
    numbers: str
    before: str
    rest: str

    def has_parts(self) -> bool:
        return "." in self.numbers


def numbered(whole: str) -> _Numbered | None:
    """Splits off the version at the start of a text: `4.0.0rc1`, `v0.19.3-SNAPSHOT`."""
    text = _without_v(whole.lstrip())
    found = _NUMBERS.match(text)
    if not found:
        return None
    numbers = found.group()
    word = _WORDS.match(text, found.end())
    if not word:
        return _Numbered(numbers, numbers, "", text[found.end() :])
    end = word.end() + _count(text[word.end() :])
    if text[end:].lower().startswith("-security"):
        end += len("-security")
    return _Numbered(text[:end], numbers, text[word.start(2) : end], text[end:])


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


def version(found: _Numbered | None) -> Version | None:
    """The numbers and the pre-release of what :func:`numbered` has split off."""
    parts = [int(part) for part in found.numbers.split(".")[:3] if len(part) < 100] if found else []
    if not found or len(parts) < min(3, len(found.numbers.split("."))) or len(parts) < 2 or max(parts) > _GREATEST:
        return None
    before = found.before
    holds = len(before) <= 31 and all(re.fullmatch(r"[0-9a-zA-Z-]+", part) for part in before.split("."))
    numbers = (parts[0], parts[1], parts[2] if len(parts) > 2 else 0)
    return Version(numbers, "pre" if before and not holds else before)


def _without_v(text: str) -> str:
    return text[1:] if re.match(r"[vV][0-9]", text) else text


def _own(text: str, schema: bool) -> tuple[str, bool] | None:
    """The version in any program's own format, without additions of packagers: `2.0.5-6-ga36eb5ea`, `2023.05`."""
    found = numbered(text)
    if not found:
        return None
    match = re.match(r"[0-9a-zA-Z._+~-]*", _without_v(text.lstrip()))
    token = match.group() if match else ""
    if schema:
        token = re.sub(r"-[0-9]{4,}\Z", "", token)
    behind = token[len(found.text) :]
    word = re.split(r"[-+.~]", behind[1:])[0] if behind.startswith("-") else ""
    commit = len(found.numbers.split(".")) > 3 and _COMMIT.fullmatch(word) is not None
    added = behind[:1] in ("_", "~") if behind[:1] != "-" else commit
    return (found.text if not found.before and behind and added else token, bool(found.before))


def _without_name(text: str) -> tuple[str | None, str]:
    """Splits off a name before the version: `takahe/0.11.0`."""
    name, *rest = re.split(r"[/ ]", text, maxsplit=1)
    is_name = re.fullmatch(r"[a-zA-Z][0-9a-zA-Z._-]*", name) and not numbered(name) and not name.startswith("git-")
    found = numbered(rest[0]) if rest and is_name else None
    return (name, rest[0].lstrip()) if found and found.has_parts() else (None, text)


def _known_as(name: str | None) -> str | None:
    plain = (name or "").strip().lower()
    return _SPELLINGS.get(plain, plain) or None


def is_fork(name: str | None) -> bool:
    """Whether a program is a fork of Mastodon, so that the version of Mastodon that it claims is its code's."""
    if name is None or name == CLAIMED:
        return False
    return any(fork == name for _, fork in _FORKS) or "mastodon" in name or name.startswith("glitch")


def _identity(program: str | None, own: str | None, claims: Version | None, prerelease: bool) -> Identity:
    return Identity(program, own, str(claims) if claims else None, prerelease)


def _mastodons(found: Version | None) -> Version | None:
    return found if found and found.numbers[0] < _GREATEST_MAJOR else None


def _first_word(text: str) -> str:
    return (text.split() or [""])[0]


def _fork_in(rest: str) -> tuple[str, str | None] | None:
    """The fork that a mark after the version names, and the fork's own version if the mark has one."""
    words = re.split(r"[+.~-]", _first_word(rest).lower())
    for mark, fork in _FORKS:
        if any(word.startswith(mark) for word in words):
            behind = rest[rest.lower().index(mark) + len(mark) :]
            # `cafe.41a1757` is a commit, not a version.
            found = numbered(behind[1:]) if behind[:1] in ("-", ".") else None
            return fork, found.text if found and found.has_parts() else None
    return None


def _of_mastodon(whole: str, name: str) -> Identity:
    old = _old_hometown(whole)
    if old:
        return old
    found = numbered(_without_name(whole)[1])
    fork = _fork_in(found.rest) if found else None
    # NodeInfo says more than a mark, except that most forks report `mastodon` there.
    program = fork[0] if fork and name in (CLAIMED, "glitch-soc") else name
    claims = _mastodons(version(found))
    nightly = found is not None and "nightly" in re.split(r"[^0-9a-zA-Z]", _first_word(found.rest).lower())
    own = fork[1] if fork else None
    if own is None and claims and found and (program in _HAS_ITS_VERSION or found.rest):
        own = str(claims)
    return _identity(program, own, claims, bool(claims and claims.pre) or nightly)


def _old_hometown(text: str) -> Identity | None:
    """`1.0.5+3.5.2`: Hometown's version and Mastodon's behind it."""
    first, plus, second = text.partition("+")
    own = numbered(first)
    own_version, claims = version(own), _mastodons(version(numbered(second)))
    if not plus or not own or own.rest or not own_version or not claims:
        return None
    if own_version.numbers[0] >= 2 or claims.numbers[0] < 2:
        return None
    return _identity("hometown", str(own_version), claims, bool(claims.pre or own_version.pre))


def _claim_before(text: str) -> tuple[bool, str]:
    """`3.5.3+0.19.2+git-90851fc`: whether GoToSocial claims a version, and the rest."""
    claim, plus, rest = text.partition("+")
    return (True, rest) if plus and claim == _GOTOSOCIALS_CLAIM else (False, text)


def _of_gotosocial(whole: str) -> Identity:
    claims, text = _claim_before(_without_name(whole)[1])
    own = version(numbered(text))
    claimed = version(numbered(_GOTOSOCIALS_CLAIM)) if claims else None
    return _identity("gotosocial", str(own) if own else None, claimed, bool(own and own.pre))


def _looks_like_gotosocial(whole: str) -> bool:
    """Whether a string names a commit as GoToSocial does, on a version below 2: `0.2.0 31935ee`, `0.19.2+git-90851fc`."""
    claims, text = _claim_before(whole)
    _, dashed, commit_behind = text.partition("-git-")
    words = text.split()
    commit = (
        bool(dashed and _COMMIT.fullmatch(commit_behind))
        or bool(len(words) > 1 and _COMMIT.fullmatch(words[1]))
        or any(word.startswith("git-") and _COMMIT.fullmatch(word[4:]) for word in re.split(r"[ +]", text))
    )
    found = numbered(text)
    if not found:
        return commit and (claims or text.startswith("git-"))
    own = version(found)
    return own is not None and own.numbers[0] < 2 and (commit or claims)


def _of_other(whole: str, name: str | None) -> Identity:
    named, text = _without_name(whole)
    program = name or _known_as(named)
    own = _own(text, program == "friendica")
    return _identity(program, own[0] if own else None, None, own[1] if own else False)


def _of_compatible(outer: str, inside: str, software: str | None) -> Identity:
    """`4.2.1 (compatible; Iceshrimp 2023.12.14)`, and the reverse, `0.9.0 (compatible; Mastodon/4.2.0)`."""
    found = _NAMED.fullmatch(inside)
    name, inner = found.groups() if found else (inside, "")
    inner_name = _known_as(" ".join(name.split()))
    if inner_name == CLAIMED:
        own, claims = _of_other(outer, software), _mastodons(version(numbered(inner)))
    else:
        program = (None if software == CLAIMED else software) or inner_name
        own = _of_gotosocial(inner) if program == "gotosocial" else _of_other(inner, program)
        claims = _mastodons(version(numbered(outer)))
    prerelease = own.prerelease or bool(claims and claims.pre)
    return replace(own, claims_mastodon=str(claims) if claims else None, prerelease=prerelease)


def _unnamed(text: str) -> Identity:
    name, rest = _without_name(text)
    if name is not None:
        return identify(rest, name)
    if _looks_like_gotosocial(text):
        return _of_gotosocial(text)
    old = _old_hometown(text)
    if old:
        return old
    found = _mastodons(version(numbered(text)))
    return _of_mastodon(text, CLAIMED) if found and found.numbers[0] > 0 else _of_other(text, None)


def identify(version_string: str, software: str | None = None) -> Identity:
    """Reads a version string, with the program's name in NodeInfo (`software.name`) if there is one.

    Every string gives an identity, which may be empty.
    """
    text, name = version_string.strip(), _known_as(software)
    inside = _COMPATIBLE.match(text)
    if inside:
        return _of_compatible(inside.group(1).rstrip(), inside.group(2).strip(), name)
    if name is None:
        return _unnamed(text)
    if name == "gotosocial":
        return _of_gotosocial(text)
    if name == CLAIMED or is_fork(name):
        return _of_mastodon(text, name)
    return _of_other(text, name)
