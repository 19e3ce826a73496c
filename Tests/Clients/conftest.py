"""A mock server for pytest: each test that asks for `mock` has a session of its own. Copy it into your tests."""
import json
import os
import subprocess
import uuid
from urllib import error, request as http

import pytest


class Mock:
    def __init__(self, url):
        self.url, self.session = url, uuid.uuid4().hex
        self.headers = {"X-Mock-Session": self.session}  # what the client under test has to send

    def call(self, method, path, body=None):
        fields = {**self.headers, "Content-Type": "application/json"}
        asked = http.Request(f"{self.url}/__mock/{path}", body and json.dumps(body).encode(), fields, method=method)
        try:
            with http.urlopen(asked) as answer:
                return json.load(answer)
        except error.HTTPError as failure:
            problem = json.load(failure)
            near = [f"  near: {n['request']}\n    " + "\n    ".join(n["differs"]) for n in problem.get("nearest", [])]
            raise AssertionError("\n".join([problem["detail"], *near])) from None

    def stub(self, line, json=None, status=200, **more):  # `match` and `replay` are as in a cassette
        response = {"status": status} | ({} if json is None else {"body": {"json": json}})
        return self.call("POST", "interactions", {"request": request(line), "response": response, **more})["ids"][0]

    def verify(self, line, times=None, json=None, **more):
        return self.call("POST", "verify", {"request": request(line, json), "times": times, **more})["requests"]

    def wait(self, line, times=1, seconds=5, json=None, **more):
        asked = {"request": request(line, json), "times": times, "seconds": seconds}
        return self.call("POST", "wait", asked | more)["requests"]

    def scenario(self, name, state=None):
        return self.call("PUT" if state else "GET", f"scenarios/{name}", state and {"state": state})["state"]


def request(line, json=None):
    method, url = line.split(" ", 1)
    return {"method": method, "url": url} | ({} if json is None else {"body": {"json": json}})


@pytest.fixture(scope="session")
def mockserver():
    command = [os.environ.get("MOCKSERVER", "mockserver"), "--port", "0", "--log", "none"]
    cassettes = os.environ.get("CASSETTES", os.path.join(os.path.dirname(__file__), "steering.json"))
    with subprocess.Popen([*command, "--cassettes", cassettes], stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().split()[3]
        server.terminate()


@pytest.fixture
def mock(mockserver):
    yield (own := Mock(mockserver))
    own.call("POST", "reset", {"session": own.session})
