"""Holds recorded answers against OpenAPI documents: `answers.py EXCEPTIONS DOCUMENT=RECORDING..`.

Every answer must fit the schema of its own operation and status; EXCEPTIONS lists, one a line, where one does not:
`PROGRAM VERSION OPERATION PATH: why`. Then each answer is changed, by leaving out a required key or giving a value another type,
and must not fit any more. Prints the figures as JSON; exit 1 on a mistake."""
import collections
import copy
import json
import random
import re
import sys

import jsonschema

# So many changes are made to each answer.
CHANGES = 6


class Document:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.text = json.load(f)
        self.routes = []
        for template, methods in self.text["paths"].items():
            parts = re.split(r"\{[^}]*\}", template)
            pattern = "^" + "[^/]+".join(re.escape(part) for part in parts) + "$"
            # A fixed path goes before one with a variable.
            self.routes.append((template.count("{"), re.compile(pattern), methods))
        self.routes.sort(key=lambda route: route[0])
        self.validators = {}

    def response(self, method, path, status):
        for _, pattern, methods in self.routes:
            if pattern.match(path) and method.lower() in methods:
                operation = methods[method.lower()]
                response = operation["responses"].get(str(status))
                if response and "$ref" in response:
                    response = self.text["components"]["responses"][response["$ref"].split("/")[-1]]
                return operation["operationId"], response
        return None, None

    def validator(self, key, schema):
        if key not in self.validators:
            whole = {"allOf": [schema], "components": self.text["components"]}
            self.validators[key] = jsonschema.Draft202012Validator(whole)
        return self.validators[key]

    def resolve(self, schema):
        while "$ref" in schema:
            schema = self.text["components"]["schemas"][schema["$ref"].split("/")[-1]]
        return schema

    def places(self, value, schema, path=()):
        """The values whose schema says what they are, each with the keys that it must have."""
        schema = self.resolve(schema)
        if value is None or "anyOf" in schema and not self.alternative(value, schema):
            return
        if "anyOf" in schema:
            schema = self.resolve(self.alternative(value, schema))
        kind = schema.get("type")
        if kind is None:
            return
        yield path, kind, schema.get("required", [])
        if isinstance(value, dict):
            for key, inner in value.items():
                known = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
                if known:
                    yield from self.places(inner, known, path + (key,))
        elif isinstance(value, list) and "items" in schema:
            for i, inner in enumerate(value[:3]):
                yield from self.places(inner, schema["items"], path + (i,))

    def alternative(self, value, schema):
        """The alternative that a value is of; none where it could be of several."""
        whole = {"components": self.text["components"]}
        fits = [one for one in schema["anyOf"]
                if jsonschema.Draft202012Validator({"allOf": [one], **whole}).is_valid(value)]
        return fits[0] if len(fits) == 1 else None


def at(value, path):
    for key in path:
        value = value[key]
    return value


# A value of each type, and what is surely none of it.
OTHERS = {"string": [7, False, ["a"]], "integer": ["seven", [7], 0.5], "number": ["seven", [7]],
          "boolean": ["true", 1, {}], "array": [{"a": 1}, "none", 3], "object": [[1], "none", 3]}


def changed(document, body, schema, draw):
    places = list(document.places(body, schema))
    keys = [(path, key) for path, _, required in places for key in required
            if isinstance(at(body, path), dict) and key in at(body, path)]
    if keys and draw.random() < 0.5:
        path, key = draw.choice(keys)
        body = copy.deepcopy(body)
        del at(body, path)[key]
        return body, "/".join(map(str, path + (key,))) + " is gone"
    if not places:
        return None, None
    path, kind, _ = draw.choice(places)
    kinds = [kind] if isinstance(kind, str) else kind
    other = draw.choice([other for one in kinds if one != "null" for other in OTHERS[one]])
    if not path:
        return other, "the whole is another"
    body = copy.deepcopy(body)
    at(body, path[:-1])[path[-1]] = other
    return body, "/".join(map(str, path)) + f" is {json.dumps(other)}"


def exceptions(path):
    listed = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                what, why = line.split(": ", 1)
                listed[tuple(what.split(" "))] = why
    return listed


def main():
    listed, used = exceptions(sys.argv[1]), set()
    draw, figures, wrong = random.Random(1), collections.Counter(), []
    for pair in sys.argv[2:]:
        path, recording = pair.split("=", 1)
        document = Document(path)
        program, version = document.text["info"]["x-program"], document.text["info"]["version"]
        with open(recording, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                answer = json.loads(line)
                if not answer["version"].startswith(version):
                    continue
                figures["answers"] += 1
                route = answer["path"].split("?")[0].rstrip("/")
                status, body = answer["status"], answer["body"]
                operation, response = document.response(answer["method"], route, status)
                where = f"{recording}:{number} {answer['method']} {route} {status}"
                if response is None and status >= 400:
                    # The release has no such operation and says so, or answers an error that nobody has described.
                    figures["errors without a description"] += 1
                    continue
                if response is None:
                    wrong.append(f"{where}: the document has no such answer of {operation}")
                    continue
                content = response.get("content", {})
                if "application/json" not in content:
                    figures["no JSON"] += 1
                    if not content and status != 101 and body not in ({}, "", None):
                        wrong.append(f"{where}: {operation} answers nothing by the document")
                    continue
                schema = content["application/json"]["schema"]
                figures["checked"] += 1
                validator = document.validator((operation, status), schema)
                faults = [(error.json_path, error.message) for error in validator.iter_errors(body)]
                for place, message in faults:
                    place = re.sub(r"\[\d+\]", "[]", place)
                    key = (program, version, operation, place)
                    used.add(key)
                    if key not in listed:
                        wrong.append(f"{where}: {' '.join(key)}: {message[:300]}")
                if faults:
                    figures["excepted"] += 1
                    continue
                for _ in range(CHANGES):
                    other, what = changed(document, body, schema, draw)
                    if what is None:
                        break
                    figures["changed"] += 1
                    if validator.is_valid(other):
                        figures["changed and taken"] += 1
                        if figures["changed and taken"] <= 20:
                            print(f"taken: {where} {operation}: {what}", file=sys.stderr)
    for key in listed.keys() - used:
        wrong.append(f"{' '.join(key)}: listed as an exception, and it fits")
    refused = 1 - figures["changed and taken"] / max(1, figures["changed"])
    print(json.dumps({**figures, "refused": refused}))
    for one in wrong:
        print(one, file=sys.stderr)
    return 1 if wrong or refused < 0.95 else 0


if __name__ == "__main__":
    sys.exit(main())
