"""Logs in as an application with Mastodon.py does: `login.py URL`. It ends with an error where an answer is not as it should be."""
import base64
import hashlib
import io
import secrets
import sys
import time
from urllib.parse import parse_qs, urlsplit

import requests
from mastodon import Mastodon
from mastodon.errors import MastodonIllegalArgumentError

URL = sys.argv[1]
SCOPES = ["read", "write"]
# Mastodon.py rests for five seconds where it asks for an upload again.
rest = time.sleep
time.sleep = lambda seconds: rest(min(seconds, 0.1))
REDIRECTS = ["http://127.0.0.1:9/callback", "urn:ietf:wg:oauth:2.0:oob"]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"not as it should be: {what}")


def code_of(page):
    """The code in the address that a page of consent leads to."""
    answer = requests.get(page, allow_redirects=False, timeout=60)
    target = answer.headers["Location"]
    expect(target.startswith(REDIRECTS[0]), target)
    return parse_qs(urlsplit(target).query)["code"][0]


def log_in(client):
    api = Mastodon(*client, api_base_url=URL, version_check_mode="none")
    page = api.auth_request_url(redirect_uris=REDIRECTS[0], scopes=SCOPES, allow_http=True)
    try:
        api.log_in(code="made-up", redirect_uri=REDIRECTS[0], scopes=SCOPES, allow_http=True)
        expect(False, "a code that nobody issued was taken")
    except MastodonIllegalArgumentError:
        pass
    api.log_in(code=code_of(page), redirect_uri=REDIRECTS[0], scopes=SCOPES, allow_http=True)
    return api


def log_in_with_proof(client):
    """The id and the secret in a header, and a proof key, neither of which Mastodon.py has."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    page = Mastodon(*client, api_base_url=URL, version_check_mode="none").auth_request_url(redirect_uris=REDIRECTS[0], scopes=SCOPES, allow_http=True)
    page += f"&code_challenge={challenge}&code_challenge_method=S256"
    sent = {"grant_type": "authorization_code", "redirect_uri": REDIRECTS[0]}
    token = f"{URL}/oauth/token"
    refused = requests.post(token, {**sent, "code": code_of(page), "code_verifier": "x" * 43}, auth=client, timeout=60)
    expect(refused.status_code == 400 and refused.json()["error"] == "invalid_grant", refused.text)
    granted = requests.post(token, {**sent, "code": code_of(page), "code_verifier": verifier}, auth=client, timeout=60)
    expect(granted.status_code == 200, granted.text)
    return Mastodon(access_token=granted.json()["access_token"], api_base_url=URL, version_check_mode="none")


def upload(api):
    """An upload is answered with 202, and asked for until it is processed."""
    picture = b"\x89PNG" + bytes(3000)
    media = api.media_post(io.BytesIO(picture), mime_type="image/png")
    expect(media.url is None, f"accepted: {media}")
    media = api.media_post(io.BytesIO(picture), mime_type="image/png", synchronous=True)
    expect(media.url.startswith("https:"), f"processed: {media}")


def edit(api):
    """PUT is what Mastodon.py sends; Mastodon's router takes PATCH too."""
    status = api.status_post("Hello")
    expect(api.status_update(status.id, "Hello again").content == "Hello again", "edited")
    header = {"Authorization": f"Bearer {api.access_token}"}
    edited = requests.patch(f"{URL}/api/v1/statuses/{status.id}", {"status": "Hello at last"}, headers=header, timeout=60)
    expect(edited.status_code == 200 and edited.json()["content"] == "Hello at last", edited.text)


def main():
    client = Mastodon.create_app("tests", redirect_uris=REDIRECTS, api_base_url=URL, scopes=SCOPES)
    for api in [log_in(client), log_in_with_proof(client)]:
        upload(api)
        edit(api)
    print("all is well")


main()
