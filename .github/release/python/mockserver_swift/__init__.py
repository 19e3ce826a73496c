"""Runs the mockserver program and controls it: stubs, scenarios, verification, misses.

    with MockServer(cassettes="cassettes") as server:
        client = Client(base_url=server.url)
"""
import json
import os
import subprocess
import sys
import tempfile
import uuid
from urllib import error, parse, request as http

__version__ = "0.0.0"  # The release script writes the version of the program here.

# Proxies from the environment are ignored, because the server is on loopback.
_opener = http.build_opener(http.ProxyHandler({}))

# The shell ends the server when its standard input is closed, which also happens if this process is killed.
_GUARD = '"$@" & exec >&- 2>&-; read -r _; kill $!; wait $!'


def program():
    """Returns the path of the program: the environment variable MOCKSERVER, or the program in this package."""
    return os.environ.get("MOCKSERVER") or os.path.join(os.path.dirname(__file__), "mockserver")


def main():
    """Replaces this process by the program, with the same arguments. This is the command `mockserver` of the package."""
    os.execv(program(), [program(), *sys.argv[1:]])


class Session:
    """A session, with its own positions in cassettes, stubs and scenarios.

    A client belongs to the session whose `headers` it sends. The session without a name needs no header.
    """

    def __init__(self, url, name=""):
        self.url = url
        self.name = name
        self.headers = {"X-Mock-Session": name} if name else {}
        self._filter = {"session": name}

    def call(self, method, path, body=None):
        """Calls `/__mock/PATH` and returns its answer. Raises AssertionError with the explanation for an error status."""
        fields = {**self.headers, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with _opener.open(http.Request(f"{self.url}/__mock/{path}", data, fields, method=method)) as answer:
                return json.load(answer)
        except error.HTTPError as failure:
            problem = json.load(failure)
            near = [f"  near: {one['request']}\n    " + "\n    ".join(one["differs"]) for one in problem.get("nearest", [])]
            raise AssertionError("\n".join([problem["detail"], *near])) from None

    def stub(self, request, json=None, status=200, headers=None, text=None, **more):
        """Adds an answer to a request, such as "GET /users/kean", and returns the stub's id.

        The stub takes precedence over recordings. `match` and `replay` have the format of a cassette.
        """
        response = {"status": status}
        if headers:
            response["headers"] = [[name, value] for name, value in dict(headers).items()]
        if json is not None or text is not None:
            response["body"] = {"json": json} if text is None else {"text": text}
        return self.call("POST", "interactions", {"request": _request(request), "response": response, **more})["ids"][0]

    def verify(self, request, times=None, json=None, **more):
        """Returns the received requests that match. Raises AssertionError with the nearest requests if their number is wrong.

        `times` is a number, or a dictionary with "atLeast" and "atMost". The default is at least one.
        """
        return self.call("POST", "verify", {"request": _request(request, json), "times": times, **more})["requests"]

    def wait(self, request, times=1, seconds=5, json=None, **more):
        """Returns when the request has been received `times` times, or raises AssertionError after `seconds`."""
        asked = {"request": _request(request, json), "times": times, "seconds": seconds, **more}
        return self.call("POST", "wait", asked)["requests"]

    def scenario(self, name, state=None):
        """Sets the state of a scenario if `state` is given, and returns its state."""
        path = f"scenarios/{parse.quote(name, safe='')}"
        return self.call("PUT" if state else "GET", path, {"state": state} if state else None)["state"]

    def requests(self, **filters):
        """Returns the session's requests, the oldest first. `filters` are those of `/__mock/journal`: outcome="miss"."""
        return self.call("GET", "journal?" + parse.urlencode({**self._filter, **filters}))["entries"]

    def misses(self):
        """Returns an explanation of each request of the session without an answer."""
        return [_explanation(self.call("GET", f"journal/{one['number']}")) for one in self.requests(outcome="miss")]

    def check(self):
        """Raises AssertionError with the explanations if requests of the session had no answer."""
        misses = self.misses()
        if misses:
            raise AssertionError("\n".join(misses))

    def reset(self):
        """Resets the session: positions, scenarios, stubs and journal."""
        self.call("POST", "reset", self._filter)


class MockServer(Session):
    """A server on a free loopback port, which runs in a `with` statement, or from `start()` until `stop()`.

    The server is also its session without a name. `requests()` and `misses()` include all sessions, and `reset()` resets
    all sessions.

    `cassettes` is a folder, a file or a list of them. Without cassettes, only stubs answer. `options` are additional
    options of the command, such as "--openapi", "api.yaml".
    """

    def __init__(self, cassettes=None, *options):
        paths = [cassettes] if isinstance(cassettes, (str, os.PathLike)) else list(cassettes or [])
        self._empty = None
        self._arguments = ["serve", "--log", "none", *options]
        self._paths = [os.fspath(path) for path in paths]

    @classmethod
    def recording(cls, upstream, cassette, *options):
        """Returns a server that forwards requests to `upstream` and records them; `stop()` writes the cassette."""
        server = cls(None, *options)
        server._arguments = ["record", "--upstream", upstream, "--cassette", os.fspath(cassette), *options]
        return server

    def start(self):
        """Starts the server and returns it. Raises RuntimeError with the program's message if it does not start."""
        arguments = ["sh", "-c", _GUARD, "-", program(), *self._arguments, "--port", "0"]
        if self._arguments[0] == "serve" and not self._paths:
            self._empty = tempfile.TemporaryDirectory()
            self._paths = [self._empty.name]
        for path in self._paths:
            arguments += ["--cassettes", path]
        self._said = tempfile.TemporaryFile()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=self._said, text=True)
        line = self._process.stdout.readline().split()
        if len(line) < 4:
            self.stop()
            raise RuntimeError(self.output or f"{program()} ended with exit code {self._process.returncode}")
        super().__init__(line[3])
        self._filter = {}
        return self

    def session(self, name=None):
        """Returns a new session for clients that send its `headers`."""
        return Session(self.url, name or uuid.uuid4().hex)

    def stop(self):
        """Stops the server and sets `output` to the program's messages. A recording server writes its cassette."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._said.seek(0)
        self.output = self._said.read().decode(errors="replace").strip()
        self._said.close()
        if self._empty:
            self._empty.cleanup()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def _request(line, json=None):
    method, url = line.split(" ", 1)
    return {"method": method, "url": url, **({} if json is None else {"body": {"json": json}})}


def _explanation(miss):
    lines = [miss.get("reason") or f"{miss['method']} {miss['url']}: no answer"]
    for near in miss.get("nearest", []):
        lines.append(f"  near: {near['request']}  (\"{near['id']}\", {near['place']})")
        lines += [f"    {difference['words']}" for difference in near["differs"]]
    for index, remedy in enumerate(miss.get("remedies", [])):
        lines.append(("  To answer it, " if index == 0 else "  or ") + remedy)
    return "\n".join(lines)
