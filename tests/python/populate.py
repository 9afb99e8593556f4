"""Fills a stand-in through its API, so that every path leads to something: two of each kind stay, two may be ended.

What a release does not have answers 404, and is skipped. What is to stay must not hang on what may be ended.
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
# The smallest GIF, whose bytes are those of this text in UTF-8: a document in JSON can hold it.
GIF = "GIF89a\x01\0\x01\0\0\0\0;"
# A sign of its own, so that it is no custom emoji.
REACTION = "👍"
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"


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

    def account(self):
        """The id and the name of the account."""
        account = self.get("/api/v1/accounts/verify_credentials")
        return account["id"], account["acct"]

    def post(self, path, body=None, file=None):
        return self.call("POST", path, body if body is not None or file else {}, file)


def found(answer):
    """The ids in an answer: of its elements, or of the first list inside it."""
    if isinstance(answer, dict):
        answer = next((one for one in answer.values() if isinstance(one, list) and one), [answer])
    answer = answer if isinstance(answer, list) else []
    ids = (one.get("id") for one in answer if isinstance(one, dict))
    return [str(one) for one in ids if isinstance(one, str | int)]


def populate(owner, others, accounts, strangers, password):
    """Makes what paths and bodies can name. Answers ids by the start of a path, and for single operations what parameters and bodies hold.

    The owner follows `accounts`, and none of the `strangers`, of whom the last is suspended.
    """
    me, acct = owner.account()
    owner.call("PATCH", "/api/v1/accounts/update_credentials", {"locked": True, "note": "Hello."})
    kinds = ("statuses", "polls", "scheduled", "media", "lists", "filters", "old_filters", "keywords", "filtered", "foreign", "collections", "quotes")
    made = {kind: [] for kind in kinds}

    def add(kind, answer):
        made[kind] += found([answer]) if answer else []

    for i in range(EACH):
        other = others[i % len(others)]
        status = owner.post("/api/v1/statuses", {"status": f"A #word of mine, {i}.", "language": "en"})
        add("statuses", status)
        add("foreign", others[i % 2].post("/api/v1/statuses", {"status": f"Theirs with a #word {i}, https://other.example/{i}."}))
        other.post("/api/v1/statuses", {"status": f"@{acct} hello {i}", "visibility": "direct"})
        other.post("/api/v1/statuses", {"status": f"@{acct} in public {i}", "in_reply_to_id": made["statuses"][-1]})
        poll = other.post("/api/v1/statuses", {"status": "Which?", "poll": {"options": ["One", "Two"], "expires_in": 86400}})
        made["polls"] += found([poll["poll"]]) if poll and poll.get("poll") else []
        add("scheduled", owner.post("/api/v1/statuses", {"status": "Later.", "scheduled_at": "2040-01-01T00:00:00.000Z"}))
        media = owner.post("/api/v2/media", file="file") or owner.post("/api/v1/media", file="file")
        add("media", media)
        add("lists", owner.post("/api/v1/lists", {"title": f"List {i}"}))
        keywords = [{"keyword": f"unseen{i}"}, {"keyword": f"unheard{i}"}]
        body = {"title": f"Filter {i}", "context": ["home"], "keywords_attributes": keywords}
        add("filters", owner.post("/api/v2/filters", body))
        add("old_filters", owner.post("/api/v1/filters", {"phrase": f"never{i}", "context": ["home"]}))
        owner.post("/api/v1/featured_tags", {"name": f"featured{i}"})
        owner.post(f"/api/v1/tags/followed{i}/follow")
        other.post(f"/api/v1/statuses/{made['statuses'][-1]}/favourite")
        collection = owner.post("/api/v1/collections", {"name": f"Collection {i}", "description": "Of some.", "sensitive": False, "discoverable": True})
        add("collections", collection and collection.get("collection", collection))
    for status in made["statuses"][:2]:
        owner.call("PUT", f"/api/v1/statuses/{status}", {"status": "A #word, edited.", "spoiler_text": "Edited"})
        for one in others:
            one.post(f"/api/v1/statuses/{status}/reblog")
            add("quotes", one.post("/api/v1/statuses", {"status": "A quote.", "quoted_status_id": status}))
    for account in accounts:
        owner.post(f"/api/v1/accounts/{account}/follow")
        owner.post(f"/api/v1/accounts/{account}/note", {"comment": "Known."})
    owner.post(f"/api/v1/lists/{made['lists'][0]}/accounts", {"account_ids": accounts[2:]})
    for one in others:
        one.post(f"/api/v1/accounts/{me}/follow")
        one.post("/api/v1/reports", {"account_id": accounts[-1], "comment": "Look at this.", "category": "spam"})
    for filter in made["filters"]:
        made["keywords"] += found(owner.get(f"/api/v2/filters/{filter}/keywords"))
        add("filtered", owner.post(f"/api/v2/filters/{filter}/statuses", {"status_id": made["statuses"][0]}))
    requests = ask(owner, acct, strangers[:-1])
    suspended, _ = strangers[-1].account()
    owner.post(f"/api/v1/admin/accounts/{suspended}/action", {"type": "suspend", "text": "Gone."})
    moderate(owner)
    words = found({"hashtags": (owner.get("/api/v2/search?q=word&type=hashtags") or {}).get("hashtags") or []})
    return me, {
        "/api/v1/statuses": (made["statuses"][:2] + made["foreign"][:2], made["statuses"][2:]),
        "/api/v1/accounts": half(accounts),
        "/api/v1/admin/accounts": half(accounts),
        "/api/v1/collections": half(made["collections"]),
        "/api/v1/polls": half(made["polls"]),
        # One votes once.
        "/api/v2/polls": (made["polls"][2:], []),
        "/api/v1/media": half(made["media"]),
        "/api/v2/media": half(made["media"]),
        "/api/v1/scheduled_statuses": half(made["scheduled"]),
        "/api/v2/filters": half(made["filters"]),
        # Two of each filter, of which the first two filters stay.
        "/api/v2/filters/keywords": (made["keywords"][:2], made["keywords"][2:4]),
        "/api/v2/filters/statuses": (made["filtered"][:1], made["filtered"][1:2]),
        "/api/v1/filters": half(made["old_filters"]),
        "/api/v1/timelines/list": half(made["lists"]),
        "/api/v1/admin/trends/statuses": half(made["foreign"]),
        "/api/v1/notifications/requests": half(requests[:4]),
        "/api/v1/admin/tags": (words or listed(owner, "/api/v1/admin/trends/tags"), []),
        "values": values(owner, others[0], made, accounts, suspended),
        "bodies": bodies(sign_up(owner), accounts, requests, password),
        # What only an application may call is called by one.
        "app": sign_up(owner)["token"],
    }


def ask(owner, acct, strangers):
    """Lets notifications of strangers wait. Answers the ids of the requests."""
    owner.call("PATCH", "/api/v2/notifications/policy", {"for_not_following": "filter"})
    for stranger in strangers:
        stranger.post("/api/v1/statuses", {"status": f"@{acct} do you know me?"})
    return listed(owner, "/api/v1/notifications/requests")


def sign_up(owner):
    """An application, with a token of its own."""
    scopes = "read write"
    app = owner.post("/api/v1/apps", {"client_name": "Walker", "redirect_uris": OUT_OF_BAND, "scopes": scopes}) or {}
    keys = {key: app.get(key) for key in ("client_id", "client_secret")}
    token = owner.post("/oauth/token", {"grant_type": "client_credentials", "scope": scopes, **keys}) or {}
    return {**keys, "token": token.get("access_token")}


def values(owner, other, made, accounts, suspended):
    """What parameters of single operations hold, that a fuzzer does not come upon."""
    me, acct = owner.account()
    status = owner.get(f"/api/v1/statuses/{made['statuses'][0]}")
    year = int(status["created_at"][:4])
    owner.post(f"/api/v1/annual_reports/{year}/generate")
    groups = (owner.get("/api/v2/notifications") or {}).get("notification_groups") or []
    announced = listed(owner, "/api/v1/announcements")
    for one in announced:
        owner.call("PUT", f"/api/v1/announcements/{one}/reactions/{urllib.parse.quote(REACTION)}")
    theirs = other.post("/api/v1/collections", {"name": "Theirs", "description": "Of others.", "sensitive": False, "discoverable": True}) or {}
    theirs = theirs.get("collection", theirs).get("id")
    of_me = item(other.post(f"/api/v1/collections/{theirs}/items", {"account_id": me}))
    mine = made["collections"][:1]
    items = [item(owner.post(f"/api/v1/collections/{one}/items", {"account_id": accounts[0]})) for one in mine]
    report = owner.post("/api/v1/reports", {"account_id": accounts[0], "comment": "Look at this."}) or {}
    keys = [group["group_key"] for group in groups]
    app = sign_up(owner)
    host = urllib.parse.urlsplit(owner.url).netloc
    return {
        "admin_accounts.unsuspend": {"id": [suspended]},
        "admin_domain_permission_subscriptions.preview": {"permission_type": ["allow", "block"]},
        "announcements.remove_reaction": {"id": announced[:1], "name": [REACTION]},
        **{f"annual_reports.{name}": {"year": [year]} for name in ("get", "mark_read", "generate", "state")},
        "collections.remove_item": {"collection_id": mine, "id": items},
        "collections.revoke_item": {"collection_id": [theirs], "id": [of_me]},
        **{f"grouped_notifications.{name}": {"group_key": keys[:3]} for name in ("get", "accounts")},
        "oauth.authorize": {"client_id": [app["client_id"]], "redirect_uri": [OUT_OF_BAND], "response_type": ["code"]},
        "oembed.get": {"url": [status["url"]]},
        "reports.get": {"id": [report.get("id")]},
        **{f"search.{name}": {"q": ["word"]} for name in ("all", "all_v1")},
        "statuses.revoke_quote": {"id": made["statuses"][:1], "quoting_status_id": made["quotes"][:2]},
        **{f"statuses.{name}": {"id": made["statuses"][:1]} for name in ("update", "update_interaction_policy")},
        "webfinger.get": {"resource": [f"acct:{acct}@{host}"]},
    }


def bodies(app, accounts, requests, password):
    """Bodies of single operations that a fuzzer does not come upon."""
    block = {"permission_type": "block"}
    return {
        "accounts.create": {
            "username": "signed_up", "email": "signed.up@mail.example", "password": "a long password", "agreement": True, "locale": "en",
            "reason": "To read and to write here, for as long as it pleases.", "date_of_birth": "1990-01-01",
        },
        "apps.create": {"client_name": "Fuzzed", "redirect_uris": "https://client.example/callback", "website": "https://client.example/"},
        "admin_custom_emojis.create": {"shortcode": "made_up", "image": GIF},
        "admin_custom_emojis.update": {"type": "modify", "category": "Faces"},
        "admin_domain_permission_drafts.create": {"domain": "made.example", **block},
        "admin_domain_permission_subscriptions.create": {"uri": "https://lists.example/made.csv", "content_type": "text/csv", **block},
        "imports.create": {"data": "Account address\nmona\n", "type": "following"},
        "lists.add_accounts": {"account_ids": accounts[:1]},
        "media.upload": {"file": GIF},
        "media.upload_v1": {"file": GIF},
        "push.create": {
            "subscription": {
                "endpoint": "https://push.example/made",
                "keys": {
                    # The public key of the example in RFC 8291, section 5, and its secret.
                    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                },
            },
        },
        "notification_requests.accept_many": {"id": requests[4:5]},
        "notification_requests.dismiss_many": {"id": requests[5:6]},
        **{f"polls.{name}": {"choices": [0]} for name in ("vote", "vote_v2")},
        "statuses.update_interaction_policy": {"quote_approval_policy": "nobody"},
        "oauth.token": {"grant_type": "client_credentials", "client_id": app["client_id"], "client_secret": app["client_secret"]},
        "statuses.create": {"status": "Hello."},
        "statuses.update": {"status": "Hello again."},
        "user.change_email": {"password": password, "new_email": "changed@mail.example"},
        "user.change_password": {"old_password": password, "new_password": f"{password}, and more"},
    }


def item(answer):
    """The id of an item of a collection."""
    answer = answer or {}
    return answer.get("collection_item", answer).get("id")


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
