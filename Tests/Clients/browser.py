"""Checks which answers of a mock server pages in headless Chromium can read; run by .ci/browser.

python3 Tests/Clients/browser.py MOCKSERVER CHROMIUM
"""

import http.client
import http.server
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

CASSETTE = {
    "cassette": 1,
    "origin": "https://api.example",
    "interactions": [
        {
            "request": {"method": "GET", "url": "/login"},
            "response": {"status": 204, "headers": [["Set-Cookie", "sid=1; Path=/"]]},
        },
        {
            "request": {"method": "GET", "url": "/items"},
            "response": {
                "status": 200,
                "headers": [
                    ["Link", '<https://api.example/items?page=2>; rel="next"'],
                    ["X-Total", "2"],
                    ["Access-Control-Allow-Origin", "https://app.example"],
                ],
                "body": {"json": [{"id": 1}, {"id": 2}]},
            },
        },
        {
            "request": {"method": "PUT", "url": "/items/1", "body": {"json": {"id": 1}}},
            "response": {"status": 200, "body": {"json": {"saved": True}}},
        },
    ],
}

# The page sends requests, and posts the answers that it could read to its own server.
PAGE = """<!doctype html><title>page</title><script>
const api = new URLSearchParams(location.search).get("api");
async function read(path, options = {}) {
  try {
    const answer = await fetch(api + path, {credentials: "include", ...options});
    return {status: answer.status, link: answer.headers.get("Link"), total: answer.headers.get("X-Total"),
            miss: answer.headers.get("Mockserver-Miss"), text: await answer.text()};
  } catch (error) { return error.name; }
}
(async () => {
  const json = {"Content-Type": "application/json", "X-Mine": "1", "Authorization": "Bearer x"};
  const seen = {
    login: await read("/login"), items: await read("/items"),
    put: await read("/items/1", {method: "PUT", headers: json, body: JSON.stringify({id: 1})}),
    miss: await read("/nowhere", {method: "DELETE", headers: {"X-Mine": "1"}}),
    journal: await read("/__mock/journal"),
    reset: await read("/__mock/reset", {method: "POST", headers: json, body: "{}"}),
  };
  await fetch("/seen", {method: "POST", body: JSON.stringify(seen)});
})();
</script>"""


def serve_pages(seen):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = PAGE.encode() if self.path.startswith("/?") else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            seen.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Mock:
    """A mock server on a free port that runs during a `with` statement."""

    def __init__(self, program, cassette, *options):
        self.command = [program, "--cassettes", cassette, "--port", "0", "--log", "none", *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.split("http://127.0.0.1:")[1].split()[0])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def requests(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/__mock/journal")
        return json.load(connection.getresponse())["entries"]


def visit(chromium, url, seen):
    """Opens a page, and returns the answers that it could read."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            chromium, "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
            # Host names that resolve to this machine, as those of a hostile site may after DNS rebinding.
            "--host-resolver-rules=MAP *.example 127.0.0.1",
        ]
        if os.getuid() == 0:
            command.append("--no-sandbox")
        browser = subprocess.Popen([*command, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return seen.get(timeout=60)
        except queue.Empty:
            sys.exit(f".ci/browser: the page {url} did not report its answers")
        finally:
            browser.terminate()
            browser.wait()


def expect(what, wanted, found):
    if wanted != found:
        sys.exit(f".ci/browser: {what}: expected {wanted!r}, got {found!r}")
    print(f"ok: {what}")


def reads_all(who, page, mock, api):
    link = f'<{api}/items?page=2>; rel="next"'
    expect(f"{who} reads JSON", [{"id": 1}, {"id": 2}], json.loads(page["items"]["text"]))
    expect(f"{who} reads Link and X-Total", [link, "2"], [page["items"]["link"], page["items"]["total"]])
    expect(f"{who} sends JSON with a token", {"saved": True}, json.loads(page["put"]["text"]))
    expect(f"{who} reads the explanation of a miss", [404, "1"], [page["miss"]["status"], page["miss"]["miss"]])
    asked = [entry for entry in mock.requests() if entry["url"] == "/items" and entry["method"] == "GET"]
    names = [name.lower() for name, _ in asked[-1]["headers"]]
    return "cookie" in names


def main():
    program, chromium = sys.argv[1:]
    seen = queue.Queue()
    pages = serve_pages(seen)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cassette = os.path.join(folder, "api.json")
        with open(cassette, "w") as file:
            json.dump(CASSETTE, file)

        with Mock(program, cassette) as mock:
            api = f"http://localhost:{mock.port}"
            page = visit(chromium, f"http://localhost:{pages}/?api={api}", seen)
            expect("a page on another port sends its cookie", True, reads_all("a page on another port", page, mock, api))
            expect("a page on another port cannot use /__mock/", ["TypeError"] * 2, [page["journal"], page["reset"]])

        with Mock(program, cassette) as mock:
            page = visit(chromium, f"http://evil.example:{pages}/?api=http://localhost:{mock.port}", seen)
            expect("a page of another host cannot read answers", {"TypeError"}, {str(each) for each in page.values()})
            expect("but its requests were received", True, any(entry["url"] == "/items" for entry in mock.requests()))

        with Mock(program, cassette, "--cors-origin", f"http://staging.example:{pages}") as mock:
            api = f"http://localhost:{mock.port}"
            page = visit(chromium, f"http://staging.example:{pages}/?api={api}", seen)
            reads_all("a page that --cors-origin names", page, mock, api)

        with Mock(program, cassette, "--cors", "recorded") as mock:
            page = visit(chromium, f"http://localhost:{pages}/?api=http://localhost:{mock.port}", seen)
            expect("with --cors recorded, pages read only what the recorded fields permit", "TypeError", page["items"])


main()
