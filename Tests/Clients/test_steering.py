"""A mock server steered from pytest, with the fixture of conftest.py."""
import json
import statistics
import threading
import time
import urllib.request

import pytest


def ask(mock, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    fields = {**mock.headers, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(mock.url + path, data, fields, method=method)) as answer:
        return json.loads(answer.read() or "null")


def test_a_stub_answers(mock):
    mock.stub("GET /users/kean", json={"login": "kean"})
    assert ask(mock, "GET", "/users/kean") == {"login": "kean"}


def test_a_request_is_verified_and_the_nearest_is_named(mock):
    ask(mock, "POST", "/cart", {"item": "milk"})
    assert len(mock.verify("POST /cart", times=1, json={"item": "milk"})) == 1
    with pytest.raises(AssertionError, match="milk"):
        mock.verify("POST /cart", json={"item": "bread"})


def test_a_scenario_is_set_and_goes_on(mock):
    assert ask(mock, "GET", "/cart") == []
    mock.scenario("cart", "full")
    assert ask(mock, "GET", "/cart") == ["milk"]


def test_a_session_hears_of_no_other(mock):
    assert mock.scenario("cart") == "Started"
    assert ask(mock, "GET", "/cart") == []


def test_a_request_is_waited_for(mock):
    later = threading.Timer(0.05, ask, (mock, "POST", "/cart", {"item": "milk"}))
    later.start()
    assert mock.wait("POST /cart")[0]["method"] == "POST"
    later.join()


def test_every_call_is_quick(mock):
    ask(mock, "POST", "/cart", {"item": "milk"})
    calls = {
        "stub": lambda: mock.stub("GET /a"), "verify": lambda: mock.verify("POST /cart"),
        "scenario": lambda: mock.scenario("cart", "full"), "wait": lambda: mock.wait("POST /cart"),
        "session": lambda: mock.call("GET", "sessions"),
        "journal": lambda: mock.call("GET", f"journal?session={mock.session}"),
    }
    for name, call in calls.items():
        median = min(statistics.median(milliseconds(call) for _ in range(50)) for _ in range(3))
        print(f"{name}: {median:.2f} ms")
        assert median < 5, name


def milliseconds(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000
