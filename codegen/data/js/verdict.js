// Whether a server has an item. The rules are those of the section "Verdicts" in the README.
import { identify, isFork } from "./identify.js";
import { numbered, version } from "./pattern.js";
import { PROGRAMS, REFERENCE } from "./programs.js";

/** The verdicts, the better first. */
const ORDER = ["yes", "stub", "unknown", "no"];

const numbers = (text) => text.split(".").map(Number);

const compare = (left, right) => left[0] - right[0] || left[1] - right[1] || left[2] - right[2];

const worst = (verdicts) =>
  verdicts.reduce((left, right) => (ORDER.indexOf(right) > ORDER.indexOf(left) ? right : left));

const best = (verdicts) =>
  verdicts.reduce((left, right) => (ORDER.indexOf(right) < ORDER.indexOf(left) ? right : left));

/** Where a version stands among the releases of its program. */
function place({ major, minor, patch }, preRelease, program) {
  const at = [major, minor, patch];
  const newest = program.looked_at && numbers(program.looked_at);
  const next = newest && program.releases.map(numbers).find((release) => compare(release, newest) > 0);
  const line = (release) => [release[0], release[1], 0];
  const beyond = !newest || compare(line(at), line(newest)) > 0 || Boolean(next && compare(at, next) >= 0);
  const oldest = program.releases.length ? numbers(program.releases[0]) : at;
  return { at, preRelease, beyond, isOlder: compare(at, oldest) < 0 };
}

/** Whether a place has what a release brought; null where that is open. */
function reached(place, release) {
  const order = compare(numbers(release), place.at);
  if (order === 0 ? place.preRelease : order > 0 && place.isOlder) return null;
  return order <= 0;
}

const answer = (value) => (value === null ? "unknown" : value ? "yes" : "no");

function begun(since, place) {
  if (since === "never") return place.beyond ? "unknown" : "no";
  if (since === "unknown") return "unknown";
  return since === "0.0.0" ? "yes" : answer(reached(place, since));
}

/** Reads a life: `2.0.0 works 2.1.0 removed 4.6.0 absent 2.4.0..3.3.0 stub 2.0.0`. */
function read(life) {
  const [since, ...words] = life.split(" ");
  const said = { since, absent: [] };
  for (let i = 0; i < words.length; i += 2) {
    if (words[i] === "absent") said.absent.push(words[i + 1].split(".."));
    else said[words[i]] = words[i + 1];
  }
  return said;
}

function inHole([from, until], place) {
  const [begins, ends] = [reached(place, from), reached(place, until)];
  if (begins === false || ends === true) return "yes";
  return begins === true && ends === false ? "no" : "unknown";
}

/** Whether a place has what has lived so. */
function has(life, place) {
  const said = read(life);
  const since = begun(said.since, place);
  const opposite = { yes: "no", no: "yes", unknown: "unknown" };
  const gone = said.removed ? [opposite[answer(reached(place, said.removed))]] : [];
  const holes = said.absent.map((hole) => inHole(hole, place));
  const present = worst([since, ...gone, ...holes]);
  if (present === "no" || !said.works) return present;
  const works = begun(said.works, place);
  return works === "no" && said.stub ? "stub" : worst([present, works]);
}

/** Judges items of one server, by their lives in each program. */
export function judge(versionString, software) {
  const known = typeof versionString === "object" ? versionString : identify(versionString, software);
  const own = PROGRAMS.findIndex(({ key, nodeinfo }) => key === known.program || nodeinfo.includes(known.program));
  if (known.program !== null && own >= 0) {
    const release = known.version && version(numbered(known.version));
    const at = release && place(release, known.prerelease, PROGRAMS[own]);
    return (lives) => (at && lives ? has(lives[own], at) : "unknown");
  }
  const column = PROGRAMS.findIndex(({ key }) => key === REFERENCE);
  if (!known.claims_mastodon || column < 0 || !isFork(known.program)) return () => "unknown";
  const claimed = version(numbered(known.claims_mastodon));
  const at = place(claimed, known.prerelease || Boolean(claimed.pre), PROGRAMS[column]);
  // A fork may have what Mastodon has not yet.
  return (lives) => (lives && has(lives[column], at) === "yes" ? "yes" : "unknown");
}

/** The verdict on a feature: the worst of all that it needs, and of those of which it needs one the best. */
export function composed(all, oneOf) {
  return worst([...all, ...(oneOf.length ? [best(oneOf)] : [])]);
}
