"""Talks to a stand-in server as a broad application with Mastodon.py does: `walk.py URL TOKEN`, with JSON on the standard input:
{"as": the release that is presented, "known": every id of the catalogue, "lacking": the ids of what the catalogue says that it lacks, "unimplemented": operations that answer 501,
"mona": the token of a second user, where the script cannot register one}.

Every call names its operation. One that the release lacks must be answered as an unknown route; one that the stand-in does not implement with
501; any other must succeed, or fail with the status that the script states. It ends with an error where one does otherwise."""
import base64
import datetime
import hashlib
import io
import json
import re
import struct
import sys
import threading
import time
import zlib
from html import unescape
from urllib.parse import parse_qs, urlparse

import requests
from mastodon import Mastodon, StreamListener
from mastodon.errors import MastodonAPIError, MastodonNotFoundError

URL, TOKEN = sys.argv[1], sys.argv[2]
TOLD = json.load(sys.stdin)
LACKING, UNIMPLEMENTED = set(TOLD["lacking"]), set(TOLD["unimplemented"])
KNOWN = set(TOLD["known"])
SCOPES = ["read", "write", "follow", "push"]
REDIRECTS = ["urn:ietf:wg:oauth:2.0:oob", "https://app.example/back"]
# Mastodon.py rests for five seconds where it asks for an upload again.
rest = time.sleep
time.sleep = lambda seconds: rest(min(seconds, 0.1))
made = {"succeeded": 0, "lacking": 0, "unimplemented": 0, "refused": 0}


def has(item):
    expect(item in KNOWN, f"{item} is no id of the catalogue")
    return item not in LACKING


def fail(what):
    raise SystemExit(f"{TOLD['as']}: {what}")


def expect(condition, what):
    if not condition:
        fail(f"not as it should be: {what}")


def call(operation, ask, refused=None):
    """Calls, and returns the answer; None where the release lacks the operation, or where it is refused with the status that is stated."""
    wanted = None
    if not has(operation):
        wanted, counted = 404, "lacking"
    elif operation in UNIMPLEMENTED:
        wanted, counted = 501, "unimplemented"
    elif refused is not None:
        wanted, counted = refused, "refused"
    try:
        answer = ask()
    except MastodonNotFoundError as error:
        status = 404
        told = error
    except MastodonAPIError as error:
        status = error.args[1] if len(error.args) > 1 else None
        told = error
    else:
        expect(wanted is None, f"{operation} succeeded, {wanted} was wanted")
        made["succeeded"] += 1
        return answer
    # Another method may have the path.
    expect(status == wanted or (wanted, status) == (404, 405), f"{operation}: {told!r}")
    made[counted] += 1
    return None


def png(width, height):
    """A picture of one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = (b"\0" + b"\x40\x80\xc0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def client(token):
    return Mastodon(access_token=token, api_base_url=URL, version_check_mode="none", ratelimit_method="throw")


def sign_in(url, name, password):
    """Fills the form of the page that an application has sent the user to, and returns the answer to it."""
    browser = requests.Session()
    page = browser.get(url, timeout=10)
    expect(page.status_code == 200, f"the page: {page.status_code} {page.text}")
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
    form = {name: unescape(value) for name, value in hidden}
    action = re.search(r'<form method="post" action="([^"]+)"', page.text).group(1)
    form.update(username=name, password=password, decision="allow")
    return browser.post(URL + action, data=form, timeout=10, allow_redirects=False)


def log_in():
    """Registers an application with a list of redirects, and signs in in every way that there is."""
    client_id, secret = Mastodon.create_app("tests", scopes=SCOPES, redirect_uris=REDIRECTS, website="https://app.example", api_base_url=URL)
    app = Mastodon(client_id, secret, api_base_url=URL, version_check_mode="none")

    # The code is copied by hand.
    page = sign_in(app.auth_request_url(scopes=SCOPES, allow_http=True), "owner", "password")
    code = re.search(r"<code>([^<]+)</code>", page.text).group(1)
    app.log_in(code=code, scopes=SCOPES, allow_http=True)
    own = call("apps.verify_credentials", app.app_verify_credentials)
    expect(own is None or own.name == "tests", "the application")
    call("oauth.revoke", lambda: app.revoke_access_token(allow_http=True))

    # The code comes with a redirect, and only who began can exchange it.
    verifier = "a" * 64
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    url = app.auth_request_url(redirect_uris=REDIRECTS[1], scopes=SCOPES, state="a b", allow_http=True)

    def exchange():
        back = sign_in(f"{url}&code_challenge={challenge}&code_challenge_method=S256", "owner@example.org", "password")
        expect(back.status_code == 302 and back.headers["location"].startswith(REDIRECTS[1]), f"the redirect: {back.headers}")
        query = parse_qs(urlparse(back.headers["location"]).query)
        expect(query["state"] == ["a b"], "the state")
        form = {"grant_type": "authorization_code", "code": query["code"][0], "redirect_uri": REDIRECTS[1], "code_verifier": verifier}
        token = requests.post(URL + "/oauth/token", data=form, auth=(client_id, secret), timeout=10)
        expect(token.status_code == 200, f"the token: {token.text}")
        return form, token

    form, _ = exchange()
    wrong = requests.post(URL + "/oauth/token", data=form, auth=(client_id, secret), timeout=10)
    expect(wrong.status_code == 400 and wrong.json()["error"] in ("invalid_grant", "sql: no rows in result set"), "the code was good twice")
    # A code that was used twice may have taken its token with it.
    _, token = exchange()
    if has("OauthGrantType.password"):
        other = Mastodon(client_id, secret, api_base_url=URL, version_check_mode="none")
        other.log_in("owner@example.org", "password", scopes=SCOPES, allow_http=True)
        expect(other.account_verify_credentials().username == "owner", "the account of the password")
    return client(token.json()["access_token"]), app


def register(app):
    """A second user, by the application's own token."""
    form = {"grant_type": "client_credentials", "client_id": app.client_id, "client_secret": app.client_secret, "scope": " ".join(SCOPES)}
    own = requests.post(URL + "/oauth/token", data=form, timeout=10)
    expect(own.status_code == 200, f"an application's own token: {own.text}")
    form = {"username": "mona", "email": "mona@example.org", "password": "hunter2-hunter2", "agreement": "true", "locale": "en", "reason": "to test"}
    headers = {"Authorization": "Bearer " + own.json()["access_token"]}
    answer = requests.post(URL + "/api/v1/accounts", data=form, headers=headers, timeout=10)
    expect(answer.status_code == 200, f"accounts.create: {answer.text}")
    again = requests.post(URL + "/api/v1/accounts", data=form, headers=headers, timeout=10)
    expect(again.status_code == 422, "the same name twice")
    return client(answer.json()["access_token"])


def profile(api):
    me = call("accounts.verify_credentials", api.account_verify_credentials)
    expect(me.username == "owner" and me.source is not None, f"the account: {me}")
    changed = call("accounts.update_credentials", lambda: api.account_update_credentials(
        display_name="Lisa", note="Hello #garden", avatar=io.BytesIO(png(8, 8)), avatar_mime_type="image/png", fields=[("web", "https://a.example")]))
    expect(changed.display_name == "Lisa", "the display name")
    shown = requests.get(changed.avatar, timeout=10)
    expect(shown.content == png(8, 8) and shown.headers["content-type"] == "image/png", "the avatar")
    if has("Account.fields"):
        expect(changed.fields[0].name == "web" and "a.example" in changed.fields[0].value, f"the fields: {changed.fields}")
    call("preferences.get", api.preferences)
    call("profile.get", api.profile)
    call("profile.update", lambda: api.profile_update(display_name="Lisa"))
    call("profile.delete_avatar", api.account_delete_avatar)
    call("profile.delete_header", api.account_delete_header)
    if has("oauth.userinfo"):
        # Mastodon.py asks for it over https alone.
        told = requests.get(URL + "/oauth/userinfo", headers={"Authorization": "Bearer " + TOKEN}, timeout=10)
        expect(told.status_code == 200 and told.json()["preferred_username"] == "owner", f"oauth.userinfo: {told.text}")
    return me


def documents(api):
    instance = call("instance.get_v1", api.instance_v1)
    version = TOLD["as"].split("@")[1]
    expect(instance.version.startswith(version), f"{instance.version} presents {version}")
    newer = call("instance.get", api.instance_v2)
    expect(newer is None or newer.version.startswith(version), "the version")
    call("instance.activity", api.instance_activity)
    call("instance.peers", api.instance_peers)
    call("instance.rules", api.instance_rules)
    call("instance.domain_blocks", api.instance_domain_blocks)
    call("instance.extended_description", api.instance_extended_description)
    call("instance.languages", api.instance_languages)
    call("instance.translation_languages", api.instance_translation_languages)
    call("instance.terms_of_service", api.instance_terms_of_service, refused=404)  # none was published
    call("custom_emojis.list", api.custom_emojis)
    call("announcements.list", api.announcements)
    call("nodeinfo.links", api.instance_nodeinfo)
    call("directory.list", api.directory)
    if has("oauth.server_metadata"):
        told = api.oauth_authorization_server_info()
        expect(told["token_endpoint"].endswith("/oauth/token"), "the metadata")


def people(api, mona):
    """Following, blocking, muting, and what else ties two accounts."""
    bob = mona.account_verify_credentials()
    me = api.account_verify_credentials()
    found = call("accounts.search", lambda: api.account_search("mona"))
    expect([one.id for one in found] == [bob.id], f"the search: {found}")
    expect(call("accounts.get", lambda: api.account(bob.id)).acct == "mona", "the account")
    looked = call("accounts.lookup", lambda: api.account_lookup("mona"))
    expect(looked is None or looked.id == bob.id, "the lookup")
    call("accounts.get_many", lambda: api.accounts([bob.id, me.id]))
    followed = call("accounts.follow", lambda: api.account_follow(bob.id))
    expect(followed.following, f"the relationship: {followed}")
    call("accounts.follow", lambda: mona.account_follow(me.id))
    ids = [one.id for one in call("accounts.followers", lambda: api.account_followers(me.id))]
    expect(ids == [bob.id], f"the followers: {ids}")
    expect(len(call("accounts.following", lambda: api.account_following(me.id))) == 1, "those who are followed")
    call("accounts.set_note", lambda: api.account_note_set(bob.id, "a friend"))
    call("accounts.relationships", lambda: api.account_relationships([bob.id]))
    call("accounts.familiar_followers", lambda: api.account_familiar_followers([bob.id]))
    call("accounts.pin", lambda: api.account_pin(bob.id))
    call("endorsements.list", api.endorsements)
    call("accounts.unpin", lambda: api.account_unpin(bob.id))
    call("accounts.endorse", lambda: api.account_endorse(bob.id))
    call("accounts.unendorse", lambda: api.account_unendorse(bob.id))
    call("accounts.mute", lambda: api.account_mute(bob.id, notifications=False, duration=3600))
    call("mutes.list", api.mutes)
    call("accounts.unmute", lambda: api.account_unmute(bob.id))
    call("accounts.block", lambda: api.account_block(bob.id))
    expect([one.id for one in call("blocks.list", api.blocks) or [bob]] == [bob.id], "the blocks")
    call("accounts.unblock", lambda: api.account_unblock(bob.id))
    expect(call("accounts.follow", lambda: api.account_follow(bob.id)).following, "followed again")
    call("accounts.remove_from_followers", lambda: api.account_remove_from_followers(bob.id))
    call("domain_blocks.create", lambda: api.domain_block("bad.example"))
    call("domain_blocks.list", api.domain_blocks)
    call("domain_blocks.delete", lambda: api.domain_unblock("bad.example"))
    call("suggestions.list", api.suggestions_v2)
    call("accounts.identity_proofs", lambda: api._Mastodon__api_request("GET", f"/api/v1/accounts/{bob.id}/identity_proofs", override_type=dict))
    call("reports.create", lambda: api.report(bob.id, comment="a test"))

    # A locked account is asked.
    mona.account_update_credentials(locked=True)
    api.account_unfollow(bob.id)
    asked = call("accounts.follow", lambda: api.account_follow(bob.id))
    expect(asked.requested and not asked.following, "the request")
    expect([one.id for one in call("follow_requests.list", mona.follow_requests) or [me]] == [me.id], "the requests")
    call("follow_requests.authorize", lambda: mona.follow_request_authorize(me.id))
    api.account_unfollow(bob.id)
    call("accounts.follow", lambda: api.account_follow(bob.id))
    call("follow_requests.reject", lambda: mona.follow_request_reject(me.id))
    mona.account_update_credentials(locked=False)
    call("accounts.follow", lambda: api.account_follow(bob.id))
    return bob


def posts(api, mona):
    picture = api.media_post(io.BytesIO(png(64, 32)), mime_type="image/png", description="A picture", focus=(0.5, -0.5))
    expect(picture.description == "A picture" or not has("MediaAttachment.description"), f"the description: {picture}")
    call("media.update", lambda: api.media_update(picture.id, description="A better picture"))
    call("media.get", lambda: api.media(picture.id))
    sound = api.media_post(io.BytesIO(b"RIFF\x24\0\0\0WAVEfmt " + bytes(2000)), mime_type="audio/wav", synchronous=True)
    expect(sound.id != picture.id, "two attachments")
    posted = call("statuses.create", lambda: api.status_post(
        "Look @mona #garden https://a.example/", media_ids=[picture.id], spoiler_text="flowers", visibility="unlisted", language="en", idempotency_key="1"))
    again = api.status_post("Look @mona #garden https://a.example/", media_ids=[picture.id], spoiler_text="flowers", visibility="unlisted", idempotency_key="1")
    expect(posted.id == again.id or not has("statuses.create.Idempotency-Key"), "a repeated post is one")
    expect([one.id for one in posted.media_attachments] == [picture.id], "the attachments")
    expect((posted.spoiler_text, posted.visibility, posted.sensitive) == ("flowers", "unlisted", True), "the spoiler")
    expect([one.acct for one in posted.mentions] == ["mona"] and [one.name for one in posted.tags] == ["garden"], "mentions and tags")
    call("statuses.create", lambda: api.status_post(""), refused=400 if TOLD["as"].startswith("gotosocial") else 422)
    call("statuses.get", lambda: api.status(posted.id))
    call("statuses.get_many", lambda: api.statuses([posted.id]))
    call("statuses.card", lambda: api._Mastodon__api_request("GET", f"/api/v1/statuses/{posted.id}/card", override_type=dict))

    if has("statuses.create.poll.options"):
        asked = api.status_post("Well?", poll=api.make_poll(["yes", "no"], expires_in=3600, multiple=True))
        expect([one.title for one in asked.poll.options] == ["yes", "no"] and asked.poll.multiple, "the poll")
        voted = call("polls.vote", lambda: mona.poll_vote(asked.poll.id, [0, 1]))
        expect(voted.votes_count == 2, f"the votes: {voted}")
        call("polls.get", lambda: api.poll(asked.poll.id))
    if has("statuses.create.scheduled_at") and has("scheduled_statuses.list"):
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        scheduled = call("statuses.create", lambda: api.status_post("Later", scheduled_at=later))
        expect(scheduled.params.text == "Later", f"the scheduled status: {scheduled}")
        expect(len(call("scheduled_statuses.list", api.scheduled_statuses)) == 1, "one is scheduled")
        call("scheduled_statuses.get", lambda: api.scheduled_status(scheduled.id))
        call("scheduled_statuses.update", lambda: api.scheduled_status_update(scheduled.id, later + datetime.timedelta(hours=1)))
        call("scheduled_statuses.delete", lambda: api.scheduled_status_delete(scheduled.id))

    reply = call("statuses.create", lambda: mona.status_post("Nice", in_reply_to_id=posted.id))
    end = call("statuses.create", lambda: api.status_reply(reply, "Thanks"))
    context = call("statuses.context", lambda: api.status_context(reply.id))
    expect([one.id for one in context.ancestors] == [posted.id] and [one.id for one in context.descendants] == [end.id], "the context")

    expect(call("statuses.favourite", lambda: mona.status_favourite(posted.id)).favourites_count == 1, "the favourite")
    expect(call("statuses.reblog", lambda: mona.status_reblog(posted.id)).reblog.id == posted.id, "the boost")
    who = call("statuses.favourited_by", lambda: api.status_favourited_by(posted.id))
    expect(who is None or [one.username for one in who] == ["mona"], "who favourited")
    who = call("statuses.reblogged_by", lambda: api.status_reblogged_by(posted.id))
    expect(who is None or [one.username for one in who] == ["mona"], "who boosted")
    call("statuses.bookmark", lambda: mona.status_bookmark(posted.id))
    call("bookmarks.list", mona.bookmarks)
    call("favourites.list", mona.favourites)
    call("statuses.unbookmark", lambda: mona.status_unbookmark(posted.id))
    call("statuses.unfavourite", lambda: mona.status_unfavourite(posted.id))
    call("statuses.unreblog", lambda: mona.status_unreblog(posted.id))
    call("statuses.mute", lambda: api.status_mute(posted.id))
    call("statuses.unmute", lambda: api.status_unmute(posted.id))
    call("statuses.pin", lambda: api.status_pin(posted.id))
    call("statuses.unpin", lambda: api.status_unpin(posted.id))
    call("statuses.translate", lambda: api.status_translate(posted.id), refused=404)  # no translator is connected

    edited = call("statuses.update", lambda: api.status_update(end.id, "Thank you"))
    if edited is not None:
        expect(edited.content == "<p>Thank you</p>" and edited.edited_at, "the edit")
    history = call("statuses.history", lambda: api.status_history(end.id))
    if history is not None and edited is not None:
        expect(len(history) == 2 and "Thanks" in history[0].content and history[1].content == "<p>Thank you</p>", f"the versions: {history}")
    source = call("statuses.source", lambda: api.status_source(end.id))
    expect(source is None or "Thank" in source.text, "the source")
    if has("statuses.create.quoted_status_id"):
        quote = api.status_post("So true", quoted_status_id=reply.id)
        expect(quote.quote.state == "accepted" and quote.quote.quoted_status.id == reply.id, f"the quote: {quote.quote}")
        call("statuses.quotes", lambda: mona.status_quotes(reply.id))
        revoked = call("statuses.revoke_quote", lambda: mona.status_quote_revoke(reply.id, quote.id))
        expect(revoked is None or revoked.quote.state == "revoked", "the quote is revoked")
        call("statuses.update_interaction_policy", lambda: api.status_update_quote_approval_policy(quote.id, "nobody"))
    gone = call("statuses.delete", lambda: api.status_delete(end.id))
    if has("DeletedStatus.text"):
        expect("Thank" in gone.text, f"for redrafting: {gone}")
    return posted


def timelines(api, mona, posted):
    bob = mona.account_verify_credentials()
    for number in range(45):
        mona.status_post(f"number {number} #count")
    page = call("timelines.home", lambda: api.timeline_home(limit=10))
    everything = api.fetch_remaining(page)
    numbers = [one for one in everything if "number" in one.content]
    expect(len(numbers) == 45 and len({one.id for one in everything}) == len(everything), f"all pages: {len(numbers)}")
    before = api.fetch_previous(api.timeline_home(limit=5, max_id=everything[10].id))
    expect([one.id for one in before] == [one.id for one in everything[:11]][-len(before):], "the page before")
    newest = api.timeline_home(limit=5, since_id=everything[20].id)
    expect([one.id for one in newest] == [one.id for one in everything[:5]], "what is newer")
    expect(len(call("timelines.public", lambda: api.timeline_public(limit=5))) == 5, "the public timeline")
    call("timelines.public", lambda: api.timeline_local(limit=5))
    expect(len(call("timelines.tag", lambda: api.timeline_hashtag("count", limit=40))) == 40, "the tag's timeline")
    call("timelines.direct", lambda: api._Mastodon__api_request("GET", "/api/v1/timelines/direct", override_type=dict))
    call("timelines.link", lambda: api.timeline_link("https://a.example/"))
    statuses = call("accounts.statuses", lambda: api.account_statuses(bob.id, exclude_replies=True, limit=40))
    expect(len(statuses) == 40 and statuses[0].account.id == bob.id, "the statuses of an account")
    call("conversations.list", api.conversations)
    found = api.search_v2("number 7", result_type="statuses") if has("search.all") else None
    if has("search.all"):
        call("search.all", lambda: api.search_v2("mona"))
    call("search.all_v1", lambda: api.search_v1("mona"))
    expect(found is None or found.statuses is not None, "the search")


def lists_and_filters(api, bob):
    made_list = call("lists.create", lambda: api.list_create("friends"))
    if made_list is not None:
        call("lists.add_accounts", lambda: api.list_accounts_add(made_list.id, [bob.id]))
        expect([one.id for one in call("lists.accounts", lambda: api.list_accounts(made_list.id))] == [bob.id], "who is on the list")
        call("accounts.lists", lambda: api.account_lists(bob.id))
        expect(len(call("timelines.list", lambda: api.timeline_list(made_list.id))) > 0, "the list's timeline")
        call("lists.update", lambda: api.list_update(made_list.id, "best friends"))
        expect(call("lists.get", lambda: api.list(made_list.id)).title == "best friends", "the title")
        expect(len(call("lists.list", api.lists)) == 1, "the lists")
        call("lists.remove_accounts", lambda: api.list_accounts_delete(made_list.id, [bob.id]))
        call("lists.delete", lambda: api.list_delete(made_list.id))

    old = call("filters_v1.create", lambda: api.filter_create("number 44", ["home"], whole_word=True))
    if old is not None:
        call("filters_v1.list", api.filters)
        call("filters_v1.get", lambda: api.filter(old.id))
        changed = call("filters_v1.update", lambda: api.filter_update(old.id, phrase="number 43", context=["home", "public"]))
        expect(changed.phrase == "number 43", "the phrase")
        call("filters_v1.delete", lambda: api.filter_delete(old.id))
    new = call("filters.create", lambda: api.create_filter_v2("weather", ["home", "public"], "warn", keywords_attributes=[
        {"keyword": "number 42", "whole_word": True}, {"keyword": "drizzle", "whole_word": False}]))
    if new is not None:
        expect([(one.keyword, one.whole_word) for one in new.keywords] == [("number 42", True), ("drizzle", False)], f"the keywords: {new}")
        home = api.timeline_home(limit=40)
        hit = [one for one in home if "number 42" in one.content][0]
        expect([one.filter.title for one in hit.filtered] == ["weather"], f"what is filtered: {hit.filtered}")
        call("filters.list", api.filters_v2)
        call("filters.get", lambda: api.filter_v2(new.id))
        call("filters.update", lambda: api.update_filter_v2(new.id, title="rain"))
        keyword = call("filters.create_keyword", lambda: api.add_filter_keyword_v2(new.id, "snow", True))
        call("filters.list_keywords", lambda: api.filter_keywords_v2(new.id))
        if keyword is not None:
            call("filters.delete_keyword", lambda: api.delete_filter_keyword_v2(keyword.id))
        status = call("filters.create_status", lambda: api.add_filter_status_v2(new.id, hit.id))
        call("filters.list_statuses", lambda: api.filter_statuses_v2(new.id))
        if status is not None:
            call("filters.get_status", lambda: api.filter_status_v2(status.id))
            call("filters.delete_status", lambda: api.delete_filter_status_v2(status.id))
        call("filters.delete", lambda: api.delete_filter_v2(new.id))


def notifications(api, mona, posted):
    mona.status_favourite(posted.id)
    mona.status_post("@owner hello")
    page = call("notifications.list", lambda: api.notifications(limit=40))
    kinds = {one.type for one in page}
    expect({"mention", "favourite"} <= kinds, f"the notifications: {kinds}")
    one = call("notifications.get", lambda: api.notifications(id=page[0].id))
    expect(one is None or one.id == page[0].id, "a notification")
    only = api.notifications(types=["mention"], exclude_types=None)
    expect({one.type for one in only} == {"mention"} or not has("notifications.list.types"), "the types")
    call("notifications.unread_count", api.notifications_unread_count)
    groups = call("grouped_notifications.list", api.grouped_notifications)
    if groups is not None:
        key = groups.notification_groups[0].group_key
        call("grouped_notifications.get", lambda: api.grouped_notification(key))
        call("grouped_notifications.accounts", lambda: api.grouped_notification_accounts(key))
        call("grouped_notifications.unread_count", api.unread_grouped_notifications_count)
        call("grouped_notifications.dismiss", lambda: api.dismiss_grouped_notification(key))
    call("notification_policy.get", api.notifications_policy)
    call("notification_requests.list", api.notification_requests)
    call("notifications.dismiss", lambda: api.notifications_dismiss(page[-1].id))
    call("notifications.clear", api.notifications_clear)
    expect(len(api.notifications()) == 0, "all is cleared")
    home = api.timeline_home(limit=1)[0]
    marked = call("markers.save", lambda: api.markers_set(["home"], [home.id]))
    if marked is not None:
        expect(marked["home"].last_read_id == home.id, f"the marker: {marked}")
        call("markers.get", lambda: api.markers_get(["home"]))


def tags(api):
    call("tags.get", lambda: api.tag("count"))
    call("tags.follow", lambda: api.tag_follow("count"))
    call("followed_tags.list", api.followed_tags)
    call("tags.unfollow", lambda: api.tag_unfollow("count"))
    featured = call("featured_tags.create", lambda: api.featured_tag_create("garden"))
    call("featured_tags.list", api.featured_tags)
    call("featured_tags.suggestions", api.featured_tag_suggestions)
    me = api.account_verify_credentials()
    call("accounts.featured_tags", lambda: api.account_featured_tags(me.id))
    if featured is not None:
        call("featured_tags.delete", lambda: api.featured_tag_delete(featured.id))
    call("tags.feature", lambda: api.tag_feature("garden"))
    call("tags.unfeature", lambda: api.tag_unfeature("garden"))
    call("trends.tags", api.trending_tags)
    call("trends.statuses", api.trending_statuses)
    call("trends.links", api.trending_links)


def push(api):
    public = {"pubkey": b"\x04" + bytes(64), "auth": bytes(16)}
    call("push.create", lambda: api.push_subscription_set("https://push.example/", public, mention_events=True))
    call("push.get", api.push_subscription)
    call("push.update", lambda: api.push_subscription_update(favourite_events=True))
    call("push.delete", api.push_subscription_delete)


def admin(api, bob):
    end = datetime.datetime.now()
    begin = end - datetime.timedelta(days=3)
    call("admin_accounts.list", lambda: api.admin_accounts_v2())
    call("admin_accounts.list_v1", lambda: api.admin_accounts_v1())
    call("admin_accounts.get", lambda: api.admin_account(bob.id))
    # GoToSocial knows no silence.
    refused = 400 if TOLD["as"].startswith("gotosocial") else None
    call("admin_accounts.action", lambda: api.admin_account_moderate(bob.id, "silence"), refused)
    call("admin_accounts.unsilence", lambda: api.admin_account_unsilence(bob.id))
    reports = call("admin_reports.list", api.admin_reports)
    if reports:
        report = reports[0]
        call("admin_reports.get", lambda: api.admin_report(report.id))
        call("admin_reports.assign_to_self", lambda: api.admin_report_assign(report.id))
        call("admin_reports.unassign", lambda: api.admin_report_unassign(report.id))
        call("admin_reports.resolve", lambda: api.admin_report_resolve(report.id))
        call("admin_reports.reopen", lambda: api.admin_report_reopen(report.id))
    block = call("admin_domain_blocks.create", lambda: api.admin_create_domain_block("bad.example", severity="silence"))
    call("admin_domain_blocks.list", api.admin_domain_blocks)
    if block is not None:
        call("admin_domain_blocks.update", lambda: api.admin_update_domain_block(block.id, severity="suspend"))
        call("admin_domain_blocks.delete", lambda: api.admin_delete_domain_block(block.id))
    for name, made_by, listed, deleted in [
        ("admin_domain_allows", lambda: api.admin_create_domain_allow("good.example"), api.admin_domain_allows, api.admin_delete_domain_allow),
        ("admin_email_domain_blocks", lambda: api.admin_create_email_domain_block("mail.example"), api.admin_email_domain_blocks, api.admin_delete_email_domain_block),
        ("admin_ip_blocks", lambda: api.admin_create_ip_block("192.0.2.0/24", "no_access"), api.admin_ip_blocks, api.admin_delete_ip_block),
        ("admin_canonical_email_blocks", lambda: api.admin_create_canonical_email_block(email="a@b.example"), api.admin_canonical_email_blocks, api.admin_delete_canonical_email_block),
    ]:
        one = call(f"{name}.create", made_by)
        call(f"{name}.list", listed)
        if one is not None:
            call(f"{name}.delete", lambda: deleted(one.id))
    call("admin_measures.get", lambda: api.admin_measures(begin, end, active_users=True, new_users=True, interactions=True))
    call("admin_dimensions.get", lambda: api.admin_dimensions(begin, end, languages=True, sources=True))
    call("admin_retention.get", lambda: api.admin_retention(begin, end))
    call("admin_trends.tags", api.admin_trending_tags)
    call("admin_trends.statuses", api.admin_trending_statuses)
    call("admin_trends.links", api.admin_trending_links)


def stream(api, mona):
    if not has("streaming.user") or "streaming.user" in UNIMPLEMENTED:
        return
    heard = {"update": [], "delete": [], "notification": []}
    both = threading.Event()

    class Listener(StreamListener):
        def on_update(self, status):
            heard["update"].append(status)

        def on_delete(self, status_id):
            heard["delete"].append(status_id)

        def on_notification(self, notification):
            heard["notification"].append(notification)
            # Who connects between two events hears the next.
            if heard["update"] and heard["delete"]:
                both.set()

    handle = api.stream_user(Listener(), run_async=True)
    for _ in range(200):
        status = mona.status_post("listen")
        mona.status_delete(status.id)
        mona.status_post("@owner hear")
        if both.wait(0.05):
            break
    # A connection closes when the thread that reads it has its next event.
    closing = threading.Thread(target=handle.close)
    closing.start()
    while closing.is_alive():
        mona.status_post("bye")
        closing.join(0.05)
    expect(both.is_set(), f"what was heard: {({name: len(events) for name, events in heard.items()})}")
    expect(heard["update"][0].account.username == "mona", "the update")
    expect(heard["notification"][0].type == "mention", "the notification")
    made["succeeded"] += 1


def main():
    began = time.monotonic()
    api, app = log_in()
    mona = client(TOLD["mona"]) if TOLD["mona"] else register(app)
    documents(api)
    profile(api)
    bob = people(api, mona)
    posted = posts(api, mona)
    timelines(api, mona, posted)
    lists_and_filters(api, bob)
    notifications(api, mona, posted)
    tags(api)
    push(api)
    admin(client(TOKEN), bob)
    stream(api, mona)
    counts = ", ".join(f"{count} {name}" for name, count in made.items())
    print(f"all is well as {TOLD['as']}: {counts} ({time.monotonic() - began:.1f} s)")


main()
