"""A pytest plugin: a stand-in server of any release of Mastodon or GoToSocial, which a test drives.

    pytest -p fedispec_standin --standin-release mastodon@4.3.0

The fixture `standin` is the server, as it was at its start; the server itself runs for the whole session. The program `fedispec` is
looked for in PATH, or named by --standin-command or the variable FEDISPEC. It needs nothing but the standard library.
"""

import json
import os
import shlex
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

START = 30
ANSWER = 30


class Refused(Exception):
    """The control API has refused a call; the text says why."""


class StandIn:
    """A running stand-in: `url` and `token` are for the client under test, the methods for the test."""

    def __init__(self, command, arguments):
        self._process = subprocess.Popen([*command, "serve", *arguments], stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the stand-in did not start: it ended with {self._process.wait(START)}")
        started = json.loads(line)
        self.url, self.token, self.release = started["url"], started["token"], started["as"]
        self.email, self.password = started["email"], started["password"]
        self._control = started["control"]

    def call(self, method, path, body=None):
        """Calls the control API; /_standin/openapi.json describes it."""
        request = urllib.request.Request(
            f"{self.url}/_standin/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self._control}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(f"{method} {path}: {error.read().decode()}") from None

    def reset(self):
        """Returns to the state at the start: accounts, clock, faults and calls."""
        self.call("POST", "reset")

    def account(self, username, **more):
        """Adds an account: {"id": .., "token": ..}. More are `locked`, `display_name`, `role` and `token`."""
        return self.call("POST", "accounts", {"username": username, **more})

    def remote(self, address, **status):
        """Adds an account of another server and, with `status=`, a status of it: {"id": .., "status_id": ..}."""
        return self.call("POST", "remote", {"account": address, **status})

    def post(self, account_id, status, **more):
        """Posts a status of any account. Answers its id."""
        return self.call("POST", "statuses", {"account_id": account_id, "status": status, **more})["id"]

    def fault(self, operation=None, **fault):
        """Lets calls fail: `standin.fault("timelines.home", times=2, status=503)`. Answers the fault."""
        return self.call("POST", "faults", fault if operation is None else {"operation": operation, **fault})

    def clear_faults(self):
        """Removes all faults."""
        self.call("DELETE", "faults")

    def calls(self, operation=None):
        """The calls since the start of the test, or those to one operation."""
        query = "" if operation is None else "?" + urllib.parse.urlencode({"operation": operation})
        return self.call("GET", f"calls{query}")

    def clock(self, **clock):
        """Sets the time (`set="2026-01-01T00:00:00Z"`), moves it (`advance=3600`), or lets it stand (`freeze=True`)."""
        return self.call("POST", "clock", clock)

    def snapshot(self):
        """The whole state, for `restore`."""
        return self.call("GET", "snapshot")

    def restore(self, snapshot):
        """Takes over the state of a snapshot."""
        self.call("POST", "snapshot", snapshot)

    def stop(self):
        """Ends the server."""
        self._process.terminate()
        self._process.wait(START)
        self._process.stdout.close()


def pytest_addoption(parser):
    group = parser.getgroup("stand-in")
    group.addoption("--standin-release", metavar="PROGRAM@VERSION", help="the release; the newest Mastodon without")
    group.addoption("--standin-seed", metavar="N", help="make ids, tokens and times the same at every run")
    group.addoption("--standin-command", metavar="COMMAND", help="the program [default: $FEDISPEC, or fedispec]")


@pytest.fixture(scope="session")
def standin_server(request):
    """The server of the session, as the last test has left it."""
    option = request.config.getoption
    command = option("--standin-command") or os.environ.get("FEDISPEC") or "fedispec"
    arguments = []
    for name, flag in (("--standin-release", "--as"), ("--standin-seed", "--seed")):
        if option(name):
            arguments += [flag, option(name)]
    server = StandIn(shlex.split(command), arguments)
    yield server
    server.stop()


@pytest.fixture
def standin(standin_server):
    """The server, as it was at its start."""
    standin_server.reset()
    return standin_server
