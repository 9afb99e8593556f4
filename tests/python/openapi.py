"""Checks OpenAPI documents with an independent validator: `openapi.py FILE..`; exit 1 on a mistake.

YAML and JSON are read alike; of two files that differ in the ending alone, both must say the same."""
import json
import os
import sys

import openapi_schema_validator
import openapi_spec_validator
import yaml


def read(path):
    with open(path, encoding="utf-8") as f:
        return yaml.load(f, yaml.CSafeLoader) if path.endswith(".yaml") else json.load(f)


def main():
    wrong, read_before = 0, {}
    for path in sys.argv[1:]:
        document = read(path)
        stem = os.path.splitext(path)[0]
        if stem in read_before:
            if read_before[stem] != document:
                wrong += 1
                print(f"{path}: says something else in its other form")
            continue
        read_before[stem] = document
        kind = {"3.0": openapi_spec_validator.OpenAPIV30SpecValidator,
                "3.1": openapi_spec_validator.OpenAPIV31SpecValidator}[document["openapi"][:3]]
        for error in kind(document).iter_errors():
            wrong += 1
            print(f"{path}: {error.message[:300]}")
        validator = {"3.0": openapi_schema_validator.OAS30Validator, "3.1": openapi_schema_validator.OAS31Validator}[document["openapi"][:3]]
        shown = [media for methods in document["paths"].values() for operation in methods.values()
                 for media in operation.get("requestBody", {}).get("content", {}).values() if "example" in media]
        for media in shown:
            for error in validator({**media["schema"], "components": document["components"]}).iter_errors(media["example"]):
                wrong += 1
                print(f"{path}: {media['example']}: {error.message[:300]}")
        if len(shown) * 2 < sum("requestBody" in operation for methods in document["paths"].values() for operation in methods.values()):
            wrong += 1
            print(f"{path}: few bodies have an example")
    print(f"{len(sys.argv) - 1} documents, {wrong} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
