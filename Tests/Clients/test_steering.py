"""Controls a mock server from pytest, with the fixture of the wheel."""
import json
import statistics
import threading
import time
import urllib.request

import pytest

pytestmark = pytest.mark.mockserver(cassettes="steering.json")


def ask(server, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    fields = {**server.headers, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(server.url + path, data, fields, method=method)) as answer:
        return json.loads(answer.read() or "null")


def test_a_stub_answers(mockserver):
    mockserver.stub("GET /users/kean", json={"login": "kean"})
    assert ask(mockserver, "GET", "/users/kean") == {"login": "kean"}


def test_a_request_is_verified_or_the_nearest_request_is_reported(mockserver):
    ask(mockserver, "POST", "/cart", {"item": "milk"})
    assert len(mockserver.verify("POST /cart", times=1, json={"item": "milk"})) == 1
    with pytest.raises(AssertionError, match="milk"):
        mockserver.verify("POST /cart", json={"item": "bread"})


def test_a_scenario_is_set_and_advances(mockserver):
    assert ask(mockserver, "GET", "/cart") == []
    mockserver.scenario("cart", "full")
    assert ask(mockserver, "GET", "/cart") == ["milk"]


def test_tests_do_not_share_scenario_states(mockserver):
    assert mockserver.scenario("cart") == "Started"
    assert ask(mockserver, "GET", "/cart") == []


def test_wait_returns_after_the_request(mockserver):
    later = threading.Timer(0.05, ask, (mockserver, "POST", "/cart", {"item": "milk"}))
    later.start()
    assert mockserver.wait("POST /cart")[0]["method"] == "POST"
    later.join()


def test_no_call_waits_for_a_delayed_acknowledgement(mockserver):
    ask(mockserver, "POST", "/cart", {"item": "milk"})
    calls = {
        "stub": lambda: mockserver.stub("GET /a"), "verify": lambda: mockserver.verify("POST /cart"),
        "scenario": lambda: mockserver.scenario("cart", "full"), "wait": lambda: mockserver.wait("POST /cart"),
        "session": lambda: mockserver.call("GET", "sessions"),
        "journal": lambda: mockserver.call("GET", "journal"),
    }
    for name, call in calls.items():
        median = min(statistics.median(milliseconds(call) for _ in range(50)) for _ in range(3))
        print(f"{name}: {median:.2f} ms")
        assert median < 35, f"{name}: a delayed acknowledgement takes 40 ms"


def milliseconds(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000
