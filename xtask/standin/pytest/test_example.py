"""A suite that tests a client, here Mastodon.py, with a stand-in."""

import pytest
from mastodon import Mastodon, MastodonServerError


@pytest.fixture
def client(standin):
    return Mastodon(api_base_url=standin.url, access_token=standin.token, ratelimit_method="throw")


def test_a_post_is_in_the_home_timeline(standin, client):
    posted = client.status_post("Hello")
    assert [status.id for status in client.timeline_home()] == [posted.id]
    (call,) = standin.calls("statuses.create")
    assert (call["status"], call["body"]["status"]) == (200, "Hello")


def test_each_test_begins_anew(standin, client):
    assert client.timeline_home() == []
    assert [call["operation"] for call in standin.calls() if call["method"] == "POST"] == []


def test_the_client_tells_that_the_server_is_down(standin, client):
    standin.fault("timelines.home", times=1, status=503)
    with pytest.raises(MastodonServerError):
        client.timeline_home()
    assert client.timeline_home() == []
    statuses = [call["status"] for call in standin.calls("timelines.home")]
    assert statuses == [503, 200]


def test_a_scheduled_post_is_posted_when_its_time_comes(standin, client):
    import datetime

    standin.clock(set="2026-01-01T00:00:00Z")
    client.status_post("Later", scheduled_at=datetime.datetime(2026, 1, 1, 1, tzinfo=datetime.timezone.utc))
    assert client.timeline_home() == []
    standin.clock(advance=3600)
    assert len(client.timeline_home()) == 1


def test_people_follow_and_write(standin, client):
    mona = standin.account("mona", locked=True, token="monas-token")
    assert mona["token"] == "monas-token"
    bob = standin.remote("bob@other.example", status="From afar")
    assert client.status(bob["status_id"]).account.acct == "bob@other.example"
    assert client.account_follow(mona["id"]).requested


def test_a_mistake_in_a_fault_is_told(standin):
    with pytest.raises(Exception, match="timelines.home"):
        standin.fault("timelines.hom", status=500)


def test_a_state_is_taken_back(standin, client):
    before = standin.snapshot()
    client.status_post("Gone")
    standin.restore(before)
    assert client.timeline_home() == []
