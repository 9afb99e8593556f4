"""Fills a stand-in through its API, so that every path leads to something: two of each kind stay, two may be ended.

What a release does not have answers 404, and is skipped.
"""

import base64
import json
import re
import urllib.error
import urllib.parse
import urllib.request

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
EACH = 4


class Server:
    """A server as one account sees it."""

    def __init__(self, url, token):
        self.url, self.token = url, token

    def call(self, method, path, body=None, file=None):
        """What it answers, decoded; none where it refuses."""
        headers, data = {"Authorization": f"Bearer {self.token}"}, None
        if file:
            part = f'--part\r\nContent-Disposition: form-data; name="{file}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
            texts = "".join(
                f'--part\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in (body or {}).items()
            )
            data = texts.encode() + part.encode() + PICTURE + b"\r\n--part--\r\n"
            headers["Content-Type"] = "multipart/form-data; boundary=part"
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read() or b"null")
        except (urllib.error.HTTPError, json.JSONDecodeError):
            return None

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None, file=None):
        return self.call("POST", path, body if body is not None or file else {}, file)


def found(answer):
    """The ids in an answer: of its elements, or of the first list inside it."""
    if isinstance(answer, dict):
        answer = next((one for one in answer.values() if isinstance(one, list) and one), [answer])
    answer = answer if isinstance(answer, list) else []
    return [one["id"] for one in answer if isinstance(one, dict) and isinstance(one.get("id"), str)]


def populate(owner, others, accounts):
    """Makes what paths and bodies can name. Answers ids by the start of a path."""
    me = owner.get("/api/v1/accounts/verify_credentials")["id"]
    acct = owner.get("/api/v1/accounts/verify_credentials")["acct"]
    owner.call("PATCH", "/api/v1/accounts/update_credentials", {"locked": True, "note": "Hello."})
    made = {start: [] for start in ("statuses", "polls", "scheduled", "media", "lists", "filters", "keywords", "filtered", "foreign", "collections")}

    def add(kind, answer):
        made[kind] += found([answer]) if answer else []

    for i in range(EACH):
        other = others[i % len(others)]
        status = owner.post("/api/v1/statuses", {"status": f"A #word of mine, {i}.", "language": "en"})
        add("statuses", status)
        add("foreign", other.post("/api/v1/statuses", {"status": f"Theirs with a #word {i}, https://other.example/{i}."}))
        other.post("/api/v1/statuses", {"status": f"@{acct} hello {i}", "visibility": "direct"})
        other.post("/api/v1/statuses", {"status": f"@{acct} in public {i}", "in_reply_to_id": made["statuses"][-1]})
        poll = other.post("/api/v1/statuses", {"status": "Which?", "poll": {"options": ["One", "Two"], "expires_in": 86400}})
        made["polls"] += found([poll["poll"]]) if poll and poll.get("poll") else []
        add("scheduled", owner.post("/api/v1/statuses", {"status": "Later.", "scheduled_at": "2040-01-01T00:00:00.000Z"}))
        media = owner.post("/api/v2/media", file="file") or owner.post("/api/v1/media", file="file")
        add("media", media)
        add("lists", owner.post("/api/v1/lists", {"title": f"List {i}"}))
        body = {"title": f"Filter {i}", "context": ["home"], "keywords_attributes": [{"keyword": f"unseen{i}"}]}
        add("filters", owner.post("/api/v2/filters", body))
        owner.post("/api/v1/filters", {"phrase": f"never{i}", "context": ["home"]})
        owner.post("/api/v1/featured_tags", {"name": f"featured{i}"})
        owner.post(f"/api/v1/tags/followed{i}/follow")
        other.post(f"/api/v1/statuses/{made['statuses'][-1]}/favourite")
        collection = owner.post("/api/v1/collections", {"name": f"Collection {i}", "description": "Of some.", "sensitive": False, "discoverable": True})
        add("collections", collection and collection.get("collection", collection))
    for status in made["statuses"][:2]:
        owner.call("PUT", f"/api/v1/statuses/{status}", {"status": "A #word, edited.", "spoiler_text": "Edited"})
        for one in others:
            one.post(f"/api/v1/statuses/{status}/reblog")
            one.post("/api/v1/statuses", {"status": "A quote.", "quoted_status_id": status})
    for account in accounts:
        owner.post(f"/api/v1/accounts/{account}/follow")
        owner.post(f"/api/v1/accounts/{account}/note", {"comment": "Known."})
        for kind in made["lists"][:2]:
            owner.post(f"/api/v1/lists/{kind}/accounts", {"account_ids": [account]})
    for one in others:
        one.post(f"/api/v1/accounts/{me}/follow")
        one.post("/api/v1/reports", {"account_id": accounts[-1], "comment": "Look at this.", "category": "spam"})
    for filter in made["filters"]:
        made["keywords"] += found(owner.get(f"/api/v2/filters/{filter}/keywords"))
        add("filtered", owner.post(f"/api/v2/filters/{filter}/statuses", {"status_id": made["statuses"][0]}))
    moderate(owner)
    app = owner.post("/api/v1/apps", {"client_name": "Walker", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read"}) or {}
    words = found({"hashtags": (owner.get("/api/v2/search?q=word&type=hashtags") or {}).get("hashtags") or []})
    return me, {
        "/api/v1/statuses": (made["statuses"][:2] + made["foreign"][:2], made["statuses"][2:]),
        "/api/v1/accounts": half(accounts),
        "/api/v1/admin/accounts": half(accounts),
        "/api/v1/collections": half(made["collections"]),
        "/api/v1/polls": half(made["polls"]),
        "/api/v1/media": half(made["media"]),
        "/api/v1/scheduled_statuses": half(made["scheduled"]),
        "/api/v2/filters": half(made["filters"]),
        "/api/v2/filters/keywords": half(made["keywords"]),
        "/api/v2/filters/statuses": half(made["filtered"]),
        "/api/v1/timelines/list": half(made["lists"]),
        "/api/v1/admin/trends/statuses": half(made["foreign"]),
        "/api/v1/admin/tags": (words, []),
        # Bodies that a fuzzer does not come upon.
        "bodies": {
            "statuses.create": {"status": "Hello."},
            "oauth.token": {"grant_type": "client_credentials"} | {key: app[key] for key in ("client_id", "client_secret") if key in app},
        },
    }


def half(ids):
    """What stays, and what may be ended."""
    return ids[:2], ids[2:]


def moderate(owner):
    """Makes what moderators keep."""
    for i in range(EACH):
        for path, body in [
            ("domain_blocks", {"domain": f"blocked{i}.example"}),
            ("domain_allows", {"domain": f"allowed{i}.example"}),
            ("email_domain_blocks", {"domain": f"mail{i}.example"}),
            ("ip_blocks", {"ip": f"192.0.2.{i}/32", "severity": "no_access"}),
            ("canonical_email_blocks", {"email": f"somebody{i}@other.example"}),
            ("domain_permission_drafts", {"domain": f"draft{i}.example", "permission_type": "block"}),
            ("domain_permission_excludes", {"domain": f"excluded{i}.example"}),
            ("domain_permission_subscriptions", {"uri": f"https://lists.example/{i}.csv", "permission_type": "block", "content_type": "text/csv"}),
            ("instance/rules", {"text": f"Rule {i}."}),
            ("header_allows", {"header": "User-Agent", "regex": f"^Good{i}"}),
            ("header_blocks", {"header": "User-Agent", "regex": f"^Bad{i}"}),
        ]:
            owner.post(f"/api/v1/admin/{path}", body)
        owner.post("/api/v1/admin/custom_emojis", {"shortcode": f"smile{i}"}, file="image")


def listed(owner, path):
    """The ids that a list answers."""
    return found(owner.get(path))
