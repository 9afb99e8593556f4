"""Lets schemathesis drive a stand-in from the OpenAPI document of the release that it presents.

    fuzz.py DOCUMENT FOLDER < {"url": .., "token": .., "password": .., "others": [TOKEN ..], "strangers": [TOKEN ..], "accounts": [ID ..]}

The stand-in is filled first, and paths get the ids of what is there. Exits with 1 where an answer is a 5xx that the document does not list
for its operation, or has a status, a media type or a body that the document does not have; prints as its last line, as JSON, which
operations were driven, the number of calls, and which operations never succeeded.

Two runs send the same: one worker, examples without chance, no time limit. With a number in FEDISPEC_FUZZ_SEED a run draws others. What
the stand-in does not serve, endless streams, and what would end the token of all calls is left out, and named.
"""

import collections
import copy
import json
import os
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

from populate import Server, listed, populate

EXAMPLES = "5"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# They end the token, or the account that all calls are made by.
ENDS = {"oauth.revoke", "tokens.invalidate", "accounts.delete", "accounts.move", "accounts.alias"}
# Their paths get things of their own, since the thing may be gone after the first call.
ENDING = re.compile(r"delete|dismiss|reject|authorize|remove|suspend|approve|accept|action|block|revoke|purge|publish|unfollow|clear")
# What parameters of these names name.
NAMED = {
    "account_id": "accounts", "account_ids": "accounts", "target_account_id": "accounts",
    "status_id": "statuses", "status_ids": "statuses", "in_reply_to_id": "statuses", "quoted_status_id": "statuses",
}


def main(document, folder):
    told = json.load(sys.stdin)
    owner = Server(told["url"], told["token"])
    document = json.loads(Path(document).read_text())
    # GoToSocial keeps scopes that it does not know, and answers them.
    document["components"]["schemas"]["OauthScope"] = {"type": "string"}
    own_requests(document)
    served = set(owner.get("/index.json")["served"])
    others, strangers = ([Server(told["url"], token) for token in told[key]] for key in ("others", "strangers"))
    me, known = populate(owner, others, told["accounts"], strangers, told["password"])
    left_out, driven, routes, turns = [], [], [], collections.Counter()
    for path, methods in document["paths"].items():
        start, *holes = path.split("/{")
        if holes and start not in known:
            ids = [one for one in listed(owner, start) if one != me]
            known[start] = (ids[: max(1, len(ids) // 2)], ids[len(ids) // 2 :])
        staying, ending = known.get(start, ([], []))
        for method, operation in methods.items():
            name = operation["operationId"]
            if operation.get("x-twin-of", name) not in served or name in ENDS or name.startswith("streaming."):
                left_out.append(name)
                continue
            driven.append(name)
            routes.append((method.upper(), re.compile(re.sub(r"\\{[^}]*\\}", "[^/]*", re.escape(path)) + "$"), name))
            ids = staying
            if ending and is_ending(method, operation):
                turn = turns[start] % len(ending)
                turns[start] += 1
                ids = ending[turn : turn + 1]
            fill(operation, ids, known)
    # A path without holes is no other one's hole.
    routes.sort(key=lambda route: route[1].pattern.count("[^/]*"))
    # What ends things comes last, and after that what ends all of them.
    paths = sorted(document["paths"].items(), key=lambda one: any(is_ending(*operation) for operation in one[1].items()) * (2 - ("{" in one[0])))
    document["paths"] = {path: dict(sorted(methods.items(), key=lambda one: is_ending(*one))) for path, methods in paths}
    prepared = Path(folder) / "driven.json"
    prepared.write_text(json.dumps(document))
    print(f"{len(driven)} operations are driven; left out: {', '.join(sorted(left_out)) or 'none'}", flush=True)
    config = Path(folder) / "schemathesis.toml"
    config.write_text(settings(document, told["token"], known["app"]))
    har, seed = Path(folder) / "answers.har", os.environ.get("FEDISPEC_FUZZ_SEED")
    command = [
        Path(sys.executable).parent / "schemathesis", "--config-file", config, "run", prepared, "--url", told["url"],
        "--checks", CHECKS, "--no-shrink", *(["--seed", seed] if seed else ["--generation-deterministic"]),
        "--max-examples", EXAMPLES, "--phases", "examples,coverage,fuzzing", "--workers", "1", "--continue-on-failure",
        "--request-timeout", "60", "--warnings", "off", "--suppress-health-check", "all", "--no-color",
        "--report", "har", "--report-har-path", har,
    ]
    for name in left_out:
        command += ["--exclude-operation-id", name]
    code = subprocess.run([str(part) for part in command], cwd=folder).returncode
    never, calls = successes(har, routes)
    print(json.dumps({"driven": driven, "calls": calls, "never": never}))
    return code


def own_requests(document):
    """Gives each operation parameters and bodies of its own, which can be filled in."""
    shared = document["components"].get("parameters", {})
    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        operation["parameters"] = [copy.deepcopy(shared[one["$ref"].rpartition("/")[2]]) if "$ref" in one else one
                                   for one in operation.get("parameters", [])]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            if name:
                content["schema"] = copy.deepcopy(document["components"]["schemas"][name])


def is_ending(method, operation):
    return method == "delete" or bool(ENDING.search(operation["operationId"]))


def settings(document, token, app):
    """The settings of schemathesis: tokens, paths in the order of the document, and which server errors the document lists."""
    text = f'headers = {{Authorization = "Bearer {token}"}}\n'
    for phase in ("examples", "coverage", "fuzzing"):
        text += f'[phases.{phase}]\noperation-ordering = "none"\n'
    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        name = operation["operationId"]
        errors = [int(status) for status in operation["responses"] if status.startswith("5")]
        schemes = {scheme for alternative in operation["security"] for scheme in alternative}
        if errors or schemes == {"app"}:
            text += f'[[operations]]\ninclude-operation-id = "{name}"\n'
        if schemes == {"app"}:
            text += f'headers = {{Authorization = "Bearer {app}"}}\n'
        if errors:
            text += f"checks.not_a_server_error.expected-statuses = {json.dumps(['2xx', '3xx', '4xx', *errors])}\n"
    return text


def fill(operation, ids, known):
    """Lets parameters name what is there, and now and then what is not."""
    name = operation.get("x-twin-of", operation["operationId"])
    values, body = known["values"].get(name, {}), known["bodies"].get(name)
    for param in operation.get("parameters", []):
        if any(values.get(param["name"], [])):
            param["schema"] = {"enum": values[param["name"]]}
        elif param["in"] == "path" and re.fullmatch(r"id|\w+_id", param["name"]):
            param["schema"] = {"type": "string", "enum": [*ids, "0"]}
        elif param["in"] == "query":
            name_ids(param["name"], param["schema"], known)
    for content in operation.get("requestBody", {}).get("content", {}).values():
        for member, schema in content["schema"].get("properties", {}).items():
            name_ids(member, schema, known)
            if member in content["schema"].get("required", []) and schema.get("type") == "array":
                schema["minItems"] = 1
        if body:
            content["example"] = body
            # The first kind of body is enough.
            body = None


def name_ids(name, schema, known):
    kind = NAMED.get(name.removesuffix("[]"))
    if kind:
        one = {"type": "string", "enum": [*known[f"/api/v1/{kind}"][0], "0"]}
        schema.update({"items": one} if schema.get("type") == "array" else one)


def successes(har, routes):
    """The operations that no call of the run succeeded at, and the number of calls."""
    entries = json.loads(har.read_text())["log"]["entries"]
    never = {name for _, _, name in routes}
    for entry in entries:
        if 200 <= entry["response"]["status"] < 400:
            path = urllib.parse.urlsplit(entry["request"]["url"]).path
            fitting = (name for method, route, name in routes if method == entry["request"]["method"] and route.match(path))
            never.discard(next(fitting, None))
    return sorted(never), len(entries)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
