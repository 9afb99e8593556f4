// Versions at the start of a text, and patterns of version strings: the sections "Versions" and "Patterns" of the README.

/** Words that mark a pre-release; a word must come before its own prefixes. */
const PRE_RELEASE_WORDS =
  "alpha beta rc nightly develop dev preview prerelease pre snapshot testrig canary edge".split(" ");

/** The greatest number of a version. */
const GREATEST = 2 ** 32 - 1;

// What Unicode calls white space; `\s` of JavaScript has one character more and one less.
const SPACE = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const [LEADING, TRAILING, SPACES] = [`^[${SPACE}]+`, `[${SPACE}]+$`, `[${SPACE}]+`].map((text) => new RegExp(text));
const COMMIT = /^[0-9a-f]{7,40}$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;

const trimStart = (text) => text.replace(LEADING, "");
const trimEnd = (text) => text.replace(TRAILING, "");
export const trim = (text) => trimEnd(trimStart(text));
const words = (text) => trim(text).split(SPACES).filter(Boolean);

/** In small letters, as far as they are those of ASCII. */
const small = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const startsWith = (text, word) => small(text.slice(0, word.length)) === word;
const withoutV = (text) => (/^[vV][0-9]/.test(text) ? text.slice(1) : text);

/** Splits off the version at the start of a text: `4.0.0rc1`, `v0.19.3-SNAPSHOT`. */
export function numbered(whole) {
  const text = withoutV(trimStart(whole));
  const numbers = /^[0-9]+(?:\.[0-9]+)*/.exec(text)?.[0];
  if (numbers === undefined) return null;
  const behind = text.slice(numbers.length);
  const between = /^[-.]/.test(behind) ? 1 : 0;
  const before = preRelease(behind.slice(between));
  const end = numbers.length + (before ? between : 0) + before.length;
  return { text: text.slice(0, end), numbers, before, rest: text.slice(end) };
}

/** The pre-release at the start of a text: a word with its number or date, and `-security`. */
function preRelease(text) {
  const word = PRE_RELEASE_WORDS.find((one) => startsWith(text, one));
  // `devout` is a name, not a `dev` release.
  if (word === undefined || /^\p{Alphabetic}/u.test(text.slice(word.length))) return "";
  let end = word.length + count(text.slice(word.length));
  if (startsWith(text.slice(end), "-security")) end += "-security".length;
  return text.slice(0, end);
}

/** The length of the number or date after a word: `.2025-02-07`, `.1`, `4`, `-3`. */
function count(text) {
  const rest = text.replace(/^[.-]/, "");
  const date = DATE.test(rest);
  const digits = /^[0-9]*/.exec(rest)[0].length;
  if (!digits || (text.startsWith("-") && !date && digits > 3)) return 0;
  if (/^[0-9]+[a-zA-Z]/.test(rest)) return 0;
  return text.length - rest.length + (date ? 10 : digits);
}

/** The numbers and the pre-release of what {@link numbered} has split off; null where they cannot be compared. */
export function version(found) {
  const parts = found?.numbers.split(".").slice(0, 3).map(Number) ?? [];
  if (parts.length < 2 || parts.some((part) => part > GREATEST)) return null;
  const [major, minor, patch = 0] = parts;
  const holds = found.before.length <= 31 && found.before.split(".").every((part) => /^[0-9a-zA-Z-]+$/.test(part));
  return { major, minor, patch, pre: found.before && !holds ? "pre" : found.before };
}

export const written = ({ major, minor, patch, pre }) => `${major}.${minor}.${patch}${pre && `-${pre}`}`;
export const sameRelease = (left, right) =>
  left.major === right.major && left.minor === right.minor && left.patch === right.patch;

/** A text from its version on, and the start of it that may belong to the version. */
function token(text) {
  const start = withoutV(trimStart(text));
  return [start, /^[0-9a-zA-Z._+~-]*/.exec(start)[0]];
}

/** The version in any program's own format, without additions of packagers: `2.0.5-6-ga36eb5ea`, `2023.05`. */
export function anyFormat(text) {
  const found = numbered(text);
  if (!found) return null;
  const whole = token(text)[1];
  const behind = whole.slice(found.text.length);
  const word = behind.startsWith("-") ? behind.slice(1).split(/[-+.~]/)[0] : "";
  const added = /^[_~]/.test(behind) || (found.numbers.split(".").length > 3 && COMMIT.test(word));
  return { text: !found.before && added ? found.text : whole, prerelease: Boolean(found.before) };
}

/** Splits off a name before the version: `takahe/0.11.0`. */
export function withoutName(text) {
  const at = text.search(/[/ ]/);
  const [name, rest] = [text.slice(0, at), text.slice(at + 1)];
  const isName = at > 0 && /^[a-zA-Z][0-9a-zA-Z._-]*$/.test(name) && !numbered(name) && !name.startsWith("git-");
  return isName && numbered(rest)?.numbers.includes(".") ? [name, trimStart(rest)] : [null, text];
}

/** The text before `(compatible; NAME VERSION)`, and the name and the version inside. */
export function compatible(text) {
  for (let open = text.indexOf("("); open >= 0; open = text.indexOf("(", open + 1)) {
    const inside = trimStart(text.slice(open + 1));
    if (!startsWith(inside, "compatible")) continue;
    const rest = inside.slice("compatible".length).replace(new RegExp(`^[;:,${SPACE}]+`), "");
    const named = trim(/^[^);]*/.exec(rest)[0]);
    const at = named.search(new RegExp(`[/${SPACE}][vV]?[0-9]`));
    const [name, inner] = at < 0 ? [named, ""] : [named.slice(0, at), named.slice(at + 1)];
    return { outer: trimEnd(text.slice(0, open)), name: words(name).join(" "), inner };
  }
  return null;
}

/** Whether a word stands between the separators of a text's first part. */
const hasWord = (text, word) => (words(text)[0] ?? "").split(/[^0-9a-zA-Z]/).some((one) => small(one) === word);

/** Reads a pattern: literals, `#` for a digit, and slots such as `{claim:1-49}`. */
const parts = (pattern) =>
  [...pattern.matchAll(/\{([a-z]+)(?::([^}]*))?\}|#|[^{}#]+/g)].map(([text, slot, bound]) => ({
    text: small(text),
    slot: slot ?? (text === "#" ? "digit" : "literal"),
    within: bound === undefined ? () => true : within(bound),
  }));

/** `1-49`: bounds of the first number; `3.5.3`: that version alone. */
function within(bound) {
  const [least, most] = bound.split("-").map(Number);
  return (found) => (most === undefined ? written(found) === bound : least <= found.major && found.major <= most);
}

const read = new Map();

/** What a pattern finds in a whole version string: the program's own version as it is written, the claimed one, and whether it is a pre-release. */
export function match(pattern, text) {
  if (!read.has(pattern)) read.set(pattern, parts(pattern));
  return find(read.get(pattern), text, { own: null, claim: null, prerelease: false });
}

function find([part, ...parts], text, found) {
  if (part === undefined) return text === "" ? found : null;
  switch (part.slot) {
    case "literal":
      return startsWith(text, part.text) ? find(parts, text.slice(part.text.length), found) : null;
    case "digit":
      return /^[0-9]/.test(text) ? find(parts, text.slice(1), found) : null;
    case "commit": {
      const word = /^[\p{Alphabetic}\p{N}]*/u.exec(text)[0];
      return COMMIT.test(word) ? find(parts, text.slice(word.length), found) : null;
    }
    case "release":
      return release(parts, text, found);
    case "marks":
      return marks(parts, text, found);
    case "rest":
      return found;
    default: {
      const next = numbered(text);
      const claim = version(next);
      if (!claim || !part.within(claim)) return null;
      const prerelease = found.prerelease || Boolean(claim.pre) || hasWord(next.rest, "nightly");
      const own = part.slot === "claim" ? found.own : next.text;
      return find(parts, next.rest, { own, claim: part.slot === "own" ? found.claim : claim, prerelease });
    }
  }
}

/** Tries the longest version first. */
function release(parts, text, found) {
  const [start, longest] = token(text);
  const shortest = numbered(longest);
  if (!shortest) return null;
  const prerelease = found.prerelease || Boolean(shortest.before);
  for (let end = longest.length; end >= shortest.text.length; end--) {
    const whole = find(parts, start.slice(end), { ...found, own: start.slice(0, end), prerelease });
    if (whole) return whole;
  }
  return null;
}

/** Tries the shortest marks first. */
function marks(parts, text, found) {
  if (!/^[+.~-]/.test(text)) return null;
  for (const { index } of words(text)[0].matchAll(/[+.~-]/g)) {
    const whole = find(parts, text.slice(index + 1), found);
    if (whole) return whole;
  }
  return null;
}
