#!/usr/bin/env python3
"""Measures `cargo xtask propose`: what it reads at many releases, held against facts that were gathered in other ways.

    cargo build -p fedispec-propose
    xtask/propose/calibrate.py gotosocial --source gotosocial.git --facts FACTS --work DIR
    xtask/propose/calibrate.py mastodon   --source mastodon.git   --facts FACTS --work DIR --show fields,values

FACTS is the folder with `gotosocial/` and `mastodon-source/`, tables of what each release has, which were made without this
reader: by hand-written patterns, the real router of Rails and recorded answers. They are no part of the repository. Of Mastodon
the releases are those of `mastodon-source/releases.yaml` whose commits the clone has; of GoToSocial its tags from v0.10.0 on.

For each kind two figures are printed: `found`, of what the facts have, how much was read; `right`, of what was read, how much the
facts have. `--show KINDS` (or `all`) lists every disagreement with the releases that it holds for; the classes that they fall into
are explained in calibration.md beside this file. `rows` measures what is printed for a pair of releases: the catalogue forgets
what it knows of the newer one (`--unlearn`), and the rows are held against what it had known.

What is read is kept in DIR and read anew where the program that reads is newer. Needs Python 3.9 and PyYAML.
"""
import argparse
import collections
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, LOADER)


def version(text):
    return tuple(int(part) for part in str(text).split("."))


def is_version(text):
    return re.fullmatch(r"\d+(\.\d+)+", str(text)) is not None


def plain_path(path):
    """A path without the names of what varies."""
    return re.sub(r":[^/]+|\{[^}]*\}", "{}", path)


def plain_param(name):
    """A parameter without what tells lists and maps."""
    return re.sub(r"\[(:[^\]]*)?\]", "", name)


def plain_name(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def operation(key):
    method, path = key.split(" ", 1)
    return f"{method} {plain_path(path)}"


class Score:
    """Counts by kind, and the releases of each disagreement."""

    def __init__(self):
        self.counts = collections.defaultdict(lambda: [0, 0, 0])
        self.missing = collections.defaultdict(list)
        self.extra = collections.defaultdict(list)

    def sets(self, kind, release, facts, found):
        counts = self.counts[kind]
        counts[0] += len(facts & found)
        counts[1] += len(facts - found)
        counts[2] += len(found - facts)
        for item in facts - found:
            self.missing[kind, item].append(release)
        for item in found - facts:
            self.extra[kind, item].append(release)

    def pair(self, kind, release, item, fact, found):
        """A fact that is told in words; `None` is not told."""
        if fact is None:
            return
        if found is None:
            self.counts[kind][1] += 1
            self.missing[kind, (item, fact)].append(release)
        elif fact == found:
            self.counts[kind][0] += 1
        else:
            self.counts[kind][1] += 1
            self.counts[kind][2] += 1
            self.missing[kind, (item, fact, "read", found)].append(release)

    def report(self, shown):
        for kind, (both, missing, extra) in self.counts.items():
            found = 100 * both / max(1, both + missing)
            right = 100 * both / max(1, both + extra)
            print(f"{kind:12} {both + missing:6} in the facts, found {found:6.2f} %   {both + extra:6} read, right {right:6.2f} %")
        for title, items in (("not read", self.missing), ("not in the facts", self.extra)):
            for (kind, item), releases in sorted(items.items(), key=lambda one: (one[0][0], -len(one[1]), str(one[0]))):
                if kind in shown or "all" in shown:
                    last = "" if len(releases) == 1 else f"..{releases[-1]} ({len(releases)})"
                    text = " ".join(str(part) for part in item) if isinstance(item, tuple) else item
                    print(f"{kind}: {title}: {text}: {releases[0]}{last}")


class Tool:
    """Runs the reader, and keeps what it says."""

    def __init__(self, args):
        self.args = args
        self.seconds = []
        self.work = Path(args.work)
        self.work.mkdir(parents=True, exist_ok=True)

    def run(self, name, options):
        path = self.work / f"{self.args.program}-{name}.json"
        if not path.exists() or path.stat().st_mtime < os.stat(self.args.tool).st_mtime:
            command = [self.args.tool, self.args.program, "--source", self.args.source, "--spec", str(ROOT / "spec"), *options]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            part = path.with_suffix(".part")
            with open(part, "w", encoding="utf-8") as out:
                done = subprocess.run(command, stdout=out, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)} failed")
            part.replace(path)
            self.seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def surface(self, release, revision):
        return self.run(release, ["--tag", revision, "--as", release, "--surface"])

    def rows(self, older, newer):
        options = ["--tag", newer[1], "--as", newer[0], "--from", older[1], "--unlearn", "--format", "json"]
        return self.run(f"{older[0]}-{newer[0]}", options)["rows"]


def values(known, score, release, surface, expected):
    """Values by enumeration of the catalogue; `expected` says which a release has, by enumeration, or None where nobody knows."""
    for name, taken in known.items():
        facts = expected(name, release)
        if facts is None:
            continue
        own = surface["enums"].get(surface["pairs"]["enums"].get(name), {"values": {}})
        # As the reader has it: what only servers say is there once it is sent, where the source was read for that.
        followed = any(one["use"] == "sent" for one in own["values"].values())
        needs = {"accepted", "sent"} if taken or not followed else {"sent"}
        read = {value for value, one in own["values"].items() if one["use"] in needs}
        # What is declared alone tells nothing; what the program has besides is not in the facts of an enumeration.
        unclear = {value for value, one in own["values"].items() if one["use"] not in needs}
        score.sets("values", release, {(name, value) for value in facts - unclear}, {(name, value) for value in read})


def catalogue():
    with open(ROOT / "spec/api.json", encoding="utf-8") as file:
        return json.load(file)


def met(program):
    """Since when each field can be met: a struct that no operation answers is in no answer."""
    command = ["cargo", "xtask", "export", "--spec", str(ROOT / "spec")]
    items = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)["items"]
    return {one["id"]: one["effective"][program] for one in items if one["kind"] == "field"}


def lives(api, program):
    """Since, effective and removed of each item of the catalogue that a row can be about."""
    fields = met(program)
    column = [one["key"] for one in api["programs"]].index(program)
    found = {}

    def note(kind, item, around=None):
        if not item.get("implied"):
            life = item["life"][column]
            found[kind, item["id"]] = ({**life, "met": fields.get(item["id"], life["effective"])}, around)

    for one in api["operations"]:
        if one.get("route"):
            note("operation", one["item"])
            for param in one["params"]:
                if param.get("location", param.get("in")) not in ("path", "header"):
                    note("param", param["item"], one["item"]["id"])
    params = {param["item"]["id"] for one in api["operations"] for param in one["params"]}
    for entity in api["entities"]:
        for field in entity["fields"]:
            # An object that is sent is read as parameters.
            parts = field["item"]["id"].split(".")
            is_sent = any(".".join(parts[:length]) in params for length in range(3, len(parts)))
            if not field.get("inherited_from") and not is_sent:
                note("field", field["item"])
    for enumeration in api["enums"]:
        for value in enumeration["values"]:
            note("value", value)
    return found


def rows(tool, score, api, releases):
    """What is printed for each pair of neighbours, the catalogue knowing nothing of the newer one."""
    known = lives(api, tool.args.program)
    for older, newer in zip(releases, releases[1:]):
        first, last = version(older[0]), version(newer[0])

        def within(text):
            return is_version(text) and first < version(text) <= last

        facts = set()
        allowed = set()
        for (kind, item), (life, _) in known.items():
            # Declared, and in no answer so far.
            if not is_version(life["met"]) or version(life["met"]) > last:
                continue
            # A hole in between has its own way of being told.
            if life.get("absent"):
                continue
            removed = life.get("removed")
            if within(life["effective"]) and not (removed and version(removed) <= last):
                facts.add(("added", kind, item))
            elif within(life["since"]):
                allowed.add(("added", kind, item))
            if removed and within(removed) and is_version(life["effective"]) and version(life["effective"]) <= first:
                facts.add(("removed", kind, item))
        printed = tool.rows(older, newer)
        news = {(row["change"], row["kind"], row["id"]) for row in printed if row["change"] in ("added", "removed")}
        judged = {row for row in news if row[1] in ("operation", "param", "field", "value")}
        read = judged - (allowed - facts)
        score.sets("rows", newer[0], facts, read)
        for kind in ("operation", "param", "field", "value"):
            counts = score.counts[f"... {kind}s"]
            for place, rows in enumerate((facts & read, facts - read, read - facts)):
                counts[place] += sum(row[1] == kind for row in rows)
        against = {(row["kind"], row["id"], row["from"], row["to"]) for row in printed if row["change"] == "contradicts"}
        sure = {row for row in judged if any(one["sure"] and not one.get("decide") and (one["change"], one["kind"], one["id"]) == row for one in printed)}
        score.sets("rows: ready", newer[0], facts & sure, sure - (allowed - facts))
        for row in against:
            score.extra["rows: against the catalogue", row].append(newer[0])
        score.counts["rows: against the catalogue"][2] += len(against)


def gotosocial(args, tool, score):
    facts = Path(args.facts) / "gotosocial"
    timeline, auth = load(facts / "timeline.yaml"), load(facts / "auth.yaml")
    presence, told = load(facts / "presence.yaml"), load(facts / "values.yaml")["values"]
    tags = timeline["tags"]
    place = {tag: number for number, tag in enumerate(tags)}
    api = catalogue()
    routes = {one["item"]["id"]: operation(f"{one['route']['method']} {one['route']['path']}") for one in api["operations"] if one.get("route")}
    enums = {one["item"]["id"]: one["sent"] for one in api["enums"]}
    known = {one["item"]["id"]: {value["wire"]: value["life"][1]["since"] for value in one["values"]} for one in api["enums"]}

    ends = {one["item"]["id"]: {value["wire"]: value["life"][1].get("removed") for value in one["values"]} for one in api["enums"]}

    def live(item, tag):
        since, removed = str(item["since"]), item.get("removed")
        return place[since] <= place[tag] and (removed is None or place[tag] < place[str(removed)])

    def within(text, tag):
        first, _, last = text.partition("..")
        # A pre-release is after all tags.
        after = len(tags)
        return place.get(first, after) <= place[tag] <= place.get(last or first, after)

    def has(name, tag):
        """Of the facts where they have the enumeration, else of the catalogue."""
        by_hand = {one["value"]: one for one in told.get(name, [])}
        found = set()
        for value, since in known[name].items():
            one = by_hand.get(value)
            if one is not None:
                since = "never" if one.get("never") else one["since"]
                if not enums[name] and not one.get("never"):
                    since = one.get("emitted_since", since)
                # Before, any text was taken, and the source did not name it.
                since = one["effective_since"] if is_version(one.get("effective_since", "")) else since
            gone = ends[name].get(value)
            if is_version(since) and version(since) <= version(tag) and not (gone and version(gone) <= version(tag)):
                found.add(value)
        return found or None

    releases = chosen(args, [(tag, f"v{tag}") for tag in tags[place["0.10.0"]:]])
    for tag, revision in releases:
        surface = tool.surface(tag, revision)
        read = {operation(key): one for key, one in surface["operations"].items()}
        served = {operation(key): one for key, one in timeline["operations"].items() if live(one, tag)}
        score.sets("operations", tag, set(served), set(read))
        for key in set(served) & set(read):
            named = {plain_param(name) for name, one in served[key]["parameters"].items() if live(one, tag) and one.get("in") != "path"}
            params = read[key]["params"].items()
            own = {plain_param(name) for name, one in params if one["location"] != "path"}
            containers = {plain_param(name) for name, one in params if one["container"]}
            own -= containers - named
            score.sets("parameters", tag, {(key, name) for name in named}, {(key, name) for name in own})
        for name, entry in timeline["definitions"].items():
            fields = {field for field, one in entry.get("fields", {}).items() if live(one, tag)} if live(entry, tag) else set()
            if not fields:
                continue
            go = entry.get("go_type")
            go = go[-1] if isinstance(go, list) else go
            names = {name, *(one["name"] for one in entry.get("names", []) or [])}
            shape = surface["shapes"].get(go) or next((one for one in surface["shapes"].values() if names & set(one["also"])), None)
            # Forms with files, XML, and what servers tell each other.
            kind = "fields" if shape else "no answers"
            shape = shape or {"fields": {}}
            score.sets(kind, tag, {(name, field) for field in fields}, {(name, field) for field in shape["fields"]})
        for name, ranges in auth["operations"].items():
            for one in ranges:
                if one.get("prerelease") or not within(one["releases"], tag):
                    continue
                token = one["token"].split(";")[0].split(" (")[0].replace(" unless a setting", "")
                asked = (read.get(routes.get(name)) or {}).get("auth")
                score.pair("tokens", tag, name, token, asked and asked["token"])
                score.pair("scopes", tag, name, tuple(sorted(one["scopes"])), asked and tuple(sorted(asked["scopes"])))
                score.pair("roles", tag, name, one.get("role") == "admin", asked and asked["role"])
        pairs = surface["pairs"]["shapes"]
        for name, ranges in presence["fields"].items():
            entity, _, field = name.partition(".")
            shape = surface["shapes"].get(pairs.get(entity), {"fields": {}})["fields"]
            if "." in field and field not in shape:
                continue
            for one in ranges:
                if one.get("prerelease") or one["presence"] == "never sent" or not within(one["releases"], tag) or field not in shape:
                    continue
                fact = {"always": (False, False), "nullable": (False, True), "null or list": (False, True)}.get(one["presence"], (True, False))
                found = (shape[field]["optional"], shape[field]["nullable"])
                score.pair("presence", tag, name, fact, None if None in found else found)
        values(enums, score, tag, surface, has)
    return api, releases


def mastodon(args, tool, score):
    facts = Path(args.facts) / "mastodon-source"
    routes, asks = load(facts / "operations.yaml"), load(facts / "parameters.yaml")["operations"]
    entities, enumerations = load(facts / "entities.yaml")["entities"], load(facts / "enums.yaml")
    api = catalogue()
    ids = {plain_name(one["item"]["id"]): one["item"]["id"] for one in api["enums"]}
    enums = {one["item"]["id"]: one["sent"] for one in api["enums"]}
    nullable = {
        field["item"]["id"]: field["nullable"] if not (field.get("presence") or [None])[0] else "nullable" in field["presence"][0]
        for one in api["entities"] for field in one["fields"] if field["presence_known"]
    }

    def live(item, release):
        if not isinstance(item, dict) or not is_version(item.get("since", "")):
            return False
        now = version(release)
        if item.get("intervals"):
            return any(version(one[0]) <= now and (len(one) < 2 or not is_version(one[1]) or now < version(one[1])) for one in item["intervals"])
        if version(item["since"]) > now or (item.get("removed") and now >= version(item["removed"])):
            return False
        holes = item.get("absent_in") or []
        for hole in holes if isinstance(holes, list) else [holes]:
            ends = re.findall(r"\d+\.\d+\.\d+", str(hole))
            if len(ends) == 2 and version(ends[0]) <= now <= version(ends[1]):
                return False
        return True

    def is_client(key):
        """The client's API: what servers ask of each other, the pages for people and the web client's own paths are other spaces."""
        return re.match(r"\w+ /(api|oauth|nodeinfo|\.well-known|health|manifest)", key) and not re.match(r"\w+ /api/(web|fasp)", key)

    known = {(one["route"]["method"], plain_path(one["route"]["path"])) for one in api["operations"] if one.get("route")}

    def is_known(key):
        method, path = key.split(" ", 1)
        other = {"PUT": "PATCH", "PATCH": "PUT"}.get(method)
        return (method, path) in known or (other, path) in known

    enums_of = {plain_name(name): [one for one in table["values"]] for name, table in enumerations.items() if isinstance(table, dict) and "values" in table}

    def has(name, release):
        listed = enums_of.get(plain_name(name))
        found = {one["value"] for one in listed or [] if live(one, release)}
        return found or None

    def narrow(scopes):
        """The scopes without those that contain another one."""
        return {one for one in scopes if not any(other.startswith(one + ":") or (one == "follow" and ":" in other) for other in scopes)}

    def fields_of(name, release):
        entry = entities.get(name, {})
        own = {field: one for field, one in entry.get("fields", {}).items() if isinstance(one, dict) and live(one, release) and "[" not in field}
        for other, one in (entry.get("includes") or {}).items():
            if version(one["since"]) <= version(release):
                own = {**fields_of(other, release), **own}
        return own

    releases = chosen(args, releases_of(args, facts))
    for release, revision in releases:
        surface = tool.surface(release, revision)
        read = {operation(key): one for key, one in surface["operations"].items() if is_client(key)}
        served = {}
        for key, one in routes.items():
            if re.match(r"^[A-Z]+ /", key) and isinstance(one, dict) and is_client(key) and live(one, release):
                served[operation(key)] = one
                if one.get("pair"):
                    method, path = operation(key).split(" ", 1)
                    served.setdefault(f"{'PUT' if method == 'PATCH' else 'PATCH'} {path}", one)
        score.sets("operations", release, {key for key in served if is_known(key)}, {key for key in read if is_known(key)})
        score.sets("all routes", release, set(served), set(read))
        for key, one in asks.items():
            name = operation(key) if re.match(r"^[A-Z]+ /", key) else ""
            if name not in read or not live(one, release):
                continue
            params = {plain_param(param): fact for param, fact in one["params"].items() if isinstance(fact, dict)}
            named = {param for param, fact in params.items() if live(fact, release) and fact.get("used") is not False and "path" not in str(fact.get("kind", ""))}
            # Read before every action, and headers.
            named = {param for param in named if param not in ("lang", "Idempotency-Key") and not param.startswith("Mastodon-")}
            named -= set(re.findall(r":(\w+)", key))
            own = {plain_param(param) for param, fact in read[name]["params"].items() if fact["location"] != "path"}
            containers = {plain_param(param) for param, fact in read[name]["params"].items() if fact["container"]}
            containers |= {param for param in named if any(other.startswith(param + "[") for other in named)}
            own -= containers - named
            # Let through and not used by the action.
            own -= {param for param, fact in params.items() if fact.get("used") is False or fact.get("permitted_since")} - named
            own -= {"lang"}
            gem = "doorkeeper" in str(one.get("controller", "")) or name.split(" ")[1].startswith("/oauth/")
            score.sets("by the gem" if gem else "parameters", release, {(name, param) for param in named - containers}, {(name, param) for param in own - containers})
        for key, one in served.items():
            asked = read.get(key, {}).get("auth")
            now = [fact for fact in one.get("auth", []) if version(fact["since"]) <= version(release) and not (fact.get("until") and version(release) >= version(fact["until"]))]
            if asked is None or not now or key.split(" ")[1].startswith("/oauth"):
                continue
            fact = now[-1]
            score.pair("scopes", release, key, tuple(sorted(narrow(fact.get("scopes") or []))), tuple(sorted(asked["scopes"])))
            token = fact["auth"] if fact["auth"] in ("none", "optional") else {"user or app": "app"}.get(fact.get("token"), fact.get("token"))
            score.pair("tokens", release, key, token, asked["token"])
        by_name = {plain_name(one): id for id, one in surface["pairs"]["shapes"].items()}
        shapes = {plain_name(name): shape for name, shape in surface["shapes"].items()}
        for name in entities:
            fields = fields_of(name, release)
            # What controllers, models and gems write is not read.
            if not fields or not any("serializer" in str(one.get("file_now", "")) + str(one.get("file", "")) for one in entities[name].get("fields", {}).values() if isinstance(one, dict)):
                continue
            # The pair that the reader itself makes, where it makes one; else the serializer that is called so, or the most alike.
            entity = next((id for id in surface["pairs"]["shapes"] if plain_name(id) in (plain_name(name), plain_name(name.replace(" (v1)", "").replace(" (v2)", "") if "(v2)" in name else "v1" + name.replace(" (v1)", "")))), None)
            shape = surface["shapes"].get(surface["pairs"]["shapes"].get(entity)) or shapes.get(plain_name(name))
            if shape is None:
                likeness = lambda one: len(fields.keys() & one["fields"].keys()) / len(fields.keys() | one["fields"].keys())
                shape = max(surface["shapes"].values(), key=likeness)
                if likeness(shape) < 0.5:
                    shape = {"fields": {}}
            score.sets("fields", release, {(name, field) for field in fields}, {(name, field) for field in shape["fields"]})
            for field, one in fields.items():
                if field not in shape["fields"]:
                    continue
                since = one.get("condition_since")
                fact = one.get("conditional") == "yes" and not (since and version(since) > version(release))
                # A condition that only makes the value null is no condition of the key.
                score.pair("optional", release, f"{name}.{field}", fact, shape["fields"][field]["optional"])
                said = nullable.get(f"{entity}.{field}")
                if shape["fields"][field]["nullable"] is not None and said is not None:
                    score.pair("nullable", release, f"{name}.{field}", said, shape["fields"][field]["nullable"])
        values({id: enums[id] for plain, id in ids.items() if plain in enums_of}, score, release, surface, has)
    return api, releases


def releases_of(args, facts):
    """The stable releases from 3.0.0 on whose commits the clone has."""
    found = []
    for name, one in load(facts / "releases.yaml")["stable"].items():
        if version(name) < (3, 0, 0) or one.get("flavour"):
            continue
        check = subprocess.run(["git", "-C", args.source, "cat-file", "-e", f"{one['commit']}^{{commit}}"], capture_output=True, check=False)
        if check.returncode == 0:
            found.append((name, one["commit"]))
    # Every first release of a line, and every seventh of the others: neighbours differ little.
    return [one for number, one in enumerate(found) if one[0].endswith(".0") or number % 7 == 0 or number == len(found) - 1]


def chosen(args, releases):
    wanted = {one for one in args.releases.split(",") if one}
    return [one for one in releases if not wanted or one[0] in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=["gotosocial", "mastodon"])
    parser.add_argument("--source", required=True, help="a clone of the program")
    parser.add_argument("--facts", required=True, help="the folder of the facts")
    parser.add_argument("--work", required=True, help="a folder for what is read")
    parser.add_argument("--tool", default=str(ROOT / "target/debug/fedispec-propose"), help="the reader")
    parser.add_argument("--releases", default="", help="these alone, with commas between; else all")
    parser.add_argument("--surfaces", action="store_true", help="leave out the rows for pairs of releases")
    parser.add_argument("--show", default="", help="the kinds whose disagreements are listed, or `all`")
    args = parser.parse_args()
    tool, score = Tool(args), Score()
    measured = {"gotosocial": gotosocial, "mastodon": mastodon}[args.program](args, tool, score)
    if not args.surfaces:
        rows(tool, score, *measured)
    score.report({kind.strip() for kind in args.show.split(",")})
    if tool.seconds:
        print(f"CPU: {len(tool.seconds)} readings, {sum(tool.seconds) / len(tool.seconds):.2f} s in the mean, {max(tool.seconds):.2f} s at most")


if __name__ == "__main__":
    main()
