"""The checks of checks.json, through the wheel's pytest plugin."""
import json
import pathlib
from urllib import error, request as http

import pytest

CHECKS = json.loads((pathlib.Path(__file__).parent / "checks.json").read_text())


class Unfollowed(http.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = http.build_opener(http.ProxyHandler({}), Unfollowed())


def ask(session, step):
    method, path = step["ask"].split(" ")
    data = json.dumps(step["json"]).encode() if "json" in step else None
    fields = {**session.headers, **step.get("headers", {}), **({"Content-Type": "application/json"} if data else {})}
    try:
        answer = OPENER.open(http.Request(session.url + path, data, fields, method=method))
    except error.HTTPError as failure:
        answer = failure
    text = answer.read().decode()
    if "status" in step:
        assert answer.status == step["status"], text
    for name, value in step.get("fields", {}).items():
        assert value in (answer.headers[name] or ""), dict(answer.headers)
    if step.get("empty"):
        assert text == ""
    assert step.get("text", "") in text
    for name, value in step.get("has", {}).items():
        assert json.loads(text)[name] == value


def fails(step, call):
    if "fails" in step:
        with pytest.raises(AssertionError, match=step["fails"]):
            call()
    else:
        call()


@pytest.mark.mockserver(cassettes="cassettes", misses=True)
@pytest.mark.parametrize("name", CHECKS)
def test(mockserver, name):
    session, allowed = mockserver, False
    for step in CHECKS[name]:
        match next(iter(step)):
            case "ask":
                ask(session, step)
            case "stub":
                fails(step, lambda: session.stub(step["stub"], **step.get("answer", {})))
            case "verify":
                fails(step, lambda: session.verify(step["verify"], **step.get("expected", {})))
            case "wait":
                fails(step, lambda: session.wait(step["wait"], **step.get("expected", {})))
            case "scenario":
                assert session.scenario(step["scenario"], step.get("set")) == step["is"]
            case "requests":
                assert len(session.requests()) == step["requests"]
            case "misses":
                found, allowed = session.misses(), True
                assert len(found) == len(step["misses"]), found
                for text, wanted in zip(found, step["misses"]):
                    assert wanted in text
            case "reset":
                session.reset()
            case "session":
                session = mockserver.session(step["session"])
    if not allowed:
        mockserver.check()
