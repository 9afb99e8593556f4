"""Makes a client of an OpenAPI document with openapi-python-client, and calls a server with it: `generated.py DOCUMENT FOLDER URL TOKEN`.

Every operation must have its module, every module must load, and every answer must be read, except for files of an unknown media type."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

document, folder, url, token = sys.argv[1:]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"not as it should be: {what}")


def generate():
    program = Path(sys.executable).parent / "openapi-python-client"
    command = [program, "generate", "--path", document, "--output-path", Path(folder) / "made", "--meta", "none"]
    told = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    expect(told.returncode == 0, told.stdout + told.stderr)
    left_out = re.findall(r"^(?:Unable|Attempted|Cannot) .*", told.stdout, re.MULTILINE)
    left_out = [line for line in left_out if "Unsupported content_type */*" not in line]
    expect(not left_out, "\n".join(left_out))


def load():
    sys.path.insert(0, folder)
    made = importlib.import_module("made")
    names = [module.name for module in pkgutil.walk_packages(made.__path__, "made.")]
    for name in names:
        importlib.import_module(name)
    operations = {name for name in names if re.fullmatch(r"made\.api\.\w+\.\w+", name)}
    with open(document, encoding="utf-8") as f:
        described = [operation for methods in json.load(f)["paths"].values() for operation in methods.values()]
    expect(len(operations) == len(described), f"{len(operations)} of {len(described)} operations")
    return len(operations)


def call():
    from made import AuthenticatedClient
    from made.api.accounts import accounts_verify_credentials
    from made.api.statuses import statuses_create
    from made.api.timelines import timelines_home
    from made.models import StatusesCreateBody

    with AuthenticatedClient(base_url=url, token=token) as client:
        me = accounts_verify_credentials.sync(client=client)
        body = StatusesCreateBody(status="Made of a document.")
        made = statuses_create.sync(client=client, body=body)
        expect(made.account.acct == me.acct, "the author")
        home = timelines_home.sync(client=client, limit=1)
        expect(home[0].content == made.content, "the timeline")


generate()
print(f"{load()} operations")
call()
