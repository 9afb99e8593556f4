"""Talks to a server as an application with Mastodon.py does: `client.py URL`. It ends with an error where an answer is not as it should be."""
import io
import sys
import threading

from mastodon import Mastodon, StreamListener
from mastodon.errors import MastodonAPIError, MastodonIllegalArgumentError

URL = sys.argv[1]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"not as it should be: {what}")


def log_in():
    client_id, client_secret = Mastodon.create_app("tests", api_base_url=URL, scopes=["read", "write"])
    api = Mastodon(client_id, client_secret, api_base_url=URL)
    try:
        api.log_in("mona@example.org", "wrong", scopes=["read", "write"])
        expect(False, "a wrong password was taken")
    except MastodonIllegalArgumentError:
        pass
    api.log_in("mona@example.org", "hunter2", scopes=["read", "write"])
    return api


def account(api):
    expect(api.account_verify_credentials().username == "mona", "the account")
    png = io.BytesIO(b"\x89PNG" + bytes(5000))
    changed = api.account_update_credentials(
        display_name="Mona Lisa", avatar=png, avatar_mime_type="image/png", fields=[("web", "a"), ("mail", "b")])
    expect(changed.display_name == "Mona Lisa", "the display name")
    expect(changed.avatar.endswith("?5004"), f"the avatar: {changed.avatar}")
    expect([(f.name, f.value) for f in changed.fields] == [("web", "a"), ("mail", "b")], f"the fields: {changed.fields}")


def statuses(api):
    media = api.media_post(io.BytesIO(b"\x89PNG" + bytes(3000)), mime_type="image/png", description="A picture")
    expect(media.description == "A picture", "the description")
    status = api.status_post("Hello", media_ids=[media], idempotency_key="1")
    expect([m.id for m in status.media_attachments] == [media.id], "the attachments")
    asked = api.status_post("Well?", poll=api.make_poll(["yes", "no"], expires_in=3600))
    expect([o.title for o in asked.poll.options] == ["yes", "no"], "the poll")
    for number in range(5):
        api.status_post(f"number {number}")
    page = api.timeline_home(limit=3)
    expect(len(page) == 3, "the first page")
    everything = api.fetch_remaining(page)
    expect(len(everything) == 7, f"all pages: {len(everything)}")
    newer = api.fetch_previous(api.timeline_home(limit=3, max_id=everything[2].id))
    expect(newer, "the page before")
    expect(len(api.notifications(limit=1)) == 1, "the notifications")


def rest(api):
    made = api.create_filter_v2("weather", ["home", "public"], "hide", keywords_attributes=[
        {"keyword": "rain", "whole_word": True}, {"keyword": "drizzle", "whole_word": False}])
    expect([(k.keyword, k.whole_word) for k in made.keywords] == [("rain", True), ("drizzle", False)], f"{made}")
    expect(len(api.filters_v2()) == 1, "the filters")
    api.list_create("friends")
    expect([one.title for one in api.lists()] == ["friends"], "the lists")
    try:
        api.bookmarks()
        expect(False, "what nobody implements was answered")
    except MastodonAPIError as error:
        expect(error.args[1] == 501, str(error))


def stream(api):
    heard = {"updates": [], "deletes": []}
    both = threading.Event()

    class Listener(StreamListener):
        def on_update(self, status):
            heard["updates"].append(status)

        def on_delete(self, status_id):
            heard["deletes"].append(status_id)
            # Who connects between the two hears only this one, and the next pair.
            if heard["updates"]:
                both.set()

    handle = api.stream_user(Listener(), run_async=True)
    for _ in range(200):
        # Who connects later than that hears the next one.
        status = api.status_post("listen")
        api.status_delete(status.id)
        if both.wait(0.05):
            break
    handle.close()
    expect(heard["updates"] and heard["updates"][0].content == "<p>listen</p>", "an update")
    expect(heard["deletes"], "a deletion")


def main():
    api = log_in()
    account(api)
    statuses(api)
    rest(api)
    stream(api)
    print("all is well")


main()
