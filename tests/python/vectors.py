"""Asks a package that `cargo xtask data --format python` has made every question of its vectors: `vectors.py FOLDER`."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder / "src"))

from fedispec import features, has, identify, supports  # noqa: E402

told = json.loads((folder / "vectors.json").read_text(encoding="utf-8"))
if told["schema"] != "fedispec-vectors/1":
    print(f"vectors.json is of the form {told['schema']}, and fedispec-vectors/1 is read", file=sys.stderr)
    sys.exit(2)
vectors = told["vectors"]
wrong = 0
for vector in vectors:
    version, software, item = vector["version"], vector["software"], vector["item"]
    ask = has if item in features() else supports
    # An identity is as good as the string that it was read from.
    told = {ask(version, item, software), ask(identify(version, software), item)}
    if told != {vector["verdict"]}:
        wrong += 1
        print(f"{vector}: {told}; {identify(version, software)}", file=sys.stderr)
print(json.dumps({"vectors": len(vectors), "wrong": wrong}, separators=(",", ":")))
# Version strings on standard input, one JSON array a line, are answered with their identities.
for line in sys.stdin:
    print(json.dumps(asdict(identify(*json.loads(line))), separators=(",", ":"), ensure_ascii=False))
