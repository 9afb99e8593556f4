"""A plugin of pytest for `.ci/suites`: shortens waits, ends tests that hang, and registers the users of toot where its release registers none."""

import json
import os
import signal
import sys
import time
import urllib.request
import uuid

import pytest


@pytest.fixture(scope="session", autouse=True)
def registration():
    if "SUITES_CONTROL" not in os.environ or os.environ.get("SUITES_REGISTERS"):
        return
    from toot import User

    def register(app):
        name = str(uuid.uuid4())[-10:].replace("-", "_")
        request = urllib.request.Request(
            f"{app.base_url}/_standin/accounts",
            json.dumps({"username": name, "token": True}).encode(),
            {"Authorization": "Bearer " + os.environ["SUITES_CONTROL"], "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return User(app.instance, name, json.load(answer)["token"])

    # The suite imports its own copies of the function by name.
    for module in list(sys.modules.values()):
        if hasattr(module, "register_account") and getattr(module, "__name__", "").startswith(("tests.", "integration", "conftest")):
            module.register_account = register


@pytest.fixture(scope="session", autouse=True)
def short_waits():
    """Suites wait for what other servers do in the background, which a stand-in does within half a second; and for mutes of three seconds."""
    sleep = time.sleep
    time.sleep = lambda seconds: sleep(min(seconds, 4))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Ends a test that waits for ever, such as for an event that does not come."""
    def give_up(*_):
        raise TimeoutError("the test took longer than a minute")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        return (yield)
    finally:
        signal.alarm(0)
