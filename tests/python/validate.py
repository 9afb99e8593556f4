"""Holds YAML files against a JSON Schema with an independent validator: `validate.py SCHEMA FILE..`; exit 1 on a mistake."""
import json
import sys

import jsonschema
import yaml

# The one in C takes a tenth of the time, where PyYAML was built with it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    checker = jsonschema.validators.validator_for(schema)
    checker.check_schema(schema)
    validator, wrong = checker(schema), 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as f:
            content = yaml.load(f, Loader=LOADER)
        for error in validator.iter_errors(content):
            wrong += 1
            print(f"{path}: {error.json_path}: {error.message[:200]}")
    print(f"{len(sys.argv) - 2} files, {wrong} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
