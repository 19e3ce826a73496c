"""Tests the inspector in headless Chromium: live updates, accepting misses, safety, accessibility; run by .ci/browser.

python3 Tests/Clients/inspector.py MOCKSERVER CHROMIUM [AXE]

AXE is the path of axe-core's script. SCREENSHOTS=DIR saves screenshots.
"""

import http.client
import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from devtools import Browser

# HTML that would run code or send requests if the page inserted it into its document.
HOSTILE = (
    "<script>window.ran=1;console.error('ran')</script><img src=x onerror=\"window.ran=1\">"
    "<svg xmlns='http://www.w3.org/2000/svg' onload='window.ran=1'><script>window.ran=1</script></svg>"
    "<iframe src=javascript:parent.ran=1></iframe><style>body{display:none}</style>"
)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def answer(line, type, body, **more):
    method, url = line.split()
    return {
        "id": (method + url).lower().strip("/").replace("/", "-").replace("?", "-").replace("=", "-"),
        "request": {"method": method, "url": url},
        "response": {"status": 200, "headers": [["Content-Type", type]], "body": body}, **more,
    }


CASSETTE = {
    "cassette": 1,
    "interactions": [
        answer("GET /items?page=1", "application/json", {"json": [{"id": 1, "name": "one"}, {"id": 2, "tags": ["a", "b"]}]}),
        answer("GET /big", "application/json", {"json": {"number": 1, "deep": {"er": {"est": "needle"}}}}),
        answer("GET /html", "text/html", {"text": HOSTILE}),
        answer("GET /svg", "image/svg+xml", {"text": HOSTILE}),
        answer("GET /pixel", "image/png", {"base64": PIXEL}),
        answer("GET /json", "application/json", {"json": {HOSTILE: HOSTILE, "__proto__": {"ran": 1}}}),
        answer("GET /cart", "text/plain", {"text": "empty"}, replay={"when": {"cart": "Started"}}),
        answer("GET /cart", "text/plain", {"text": "full"}, replay={"when": {"cart": "full"}}),
    ],
}
CASSETTE["interactions"][-1]["id"] = "cart-full"


class Mock:
    """A mock server on a free port that runs during a `with` statement."""

    def __init__(self, program, folder, *options):
        self.command = [program, "--cassettes", folder, "--port", "0", "--log", "none", *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split("http://")[1].split(":")[1].split()[0])
        self.page = f"http://127.0.0.1:{self.port}/__mock/"
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.connection.request("GET", "/__mock/")
        response = self.connection.getresponse()
        response.read()
        # The page has its own port, to which the server redirects.
        self.inspector = response.headers["Location"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, url, headers={}, body=None):
        self.connection.request(method, url, body=body, headers=headers)
        response = self.connection.getresponse()
        return response.status, response.read().decode("utf-8", "replace")


def expect(what, wanted, found):
    if wanted != found:
        sys.exit(f".ci/browser: {what}: expected {wanted!r}, got {found!r}")
    print(f"ok: {what}")


def clean(page, mock, what):
    """Checks that the console has no errors, and that the page sent requests only to its server."""
    own = (mock.page, mock.inspector, "blob:", "data:")
    expect(f"{what}: no requests to other servers", [], [url for url in page.requests if not url.startswith(own)])
    expect(f"{what}: no error on the console", [], page.errors)


def button(text):
    return f"[...document.querySelectorAll('button')].find(e => e.offsetParent && e.textContent.startsWith({json.dumps(text)}))"


def live(mock, browser):
    page = browser.open(mock.page)
    page.wait("document.getElementById('live').textContent === 'live'")
    expect("an empty journal shows a message", True, page.run("!document.getElementById('empty').hidden"))
    page.shoot("empty.png")
    mock.ask("GET", "/items?page=1")
    page.wait("document.querySelectorAll('#rows .row').length === 1", 3)
    print("ok: a new request appears")
    for path in ("/big", "/html", "/svg", "/pixel", "/json"):
        mock.ask("GET", path, {"X-Mock-Session": "her"})
    page.wait("document.querySelectorAll('#rows .row').length === 6", 3)
    page.click("document.querySelectorAll('#rows .row')[0]")
    page.wait("document.querySelector('#detail .tree')")
    expect("JSON is a tree", True, "one" in page.run("document.querySelector('#detail .tree').textContent"))
    page.shoot("exchange.png")
    page.run("const s = document.querySelector('#detail input[type=search]'); s.value = 'tags'; s.dispatchEvent(new Event('input'))")
    expect("JSON is searched", "tags", page.run("document.querySelector('#detail mark').textContent"))
    page.click(button("Hex"))
    expect("bytes are shown", True, page.run("document.querySelector('pre.hex').textContent").startswith("00000000  5b"))
    for action, script, start in (
        ("curl", "curl", "curl -X GET 'http"), ("Swift stub", "stub", ".stub(.get(#\"/items?page=1\"#), .text(")):
        copy = page.run(f"call('GET', 'journal/1').then({script})")
        expect(f"a copy as {action}", start, copy[: len(start)])
    har = page.run("call('GET', 'journal/1').then(e => exported(e, 'har'))")
    expect("a HAR of one exchange", 1, len(json.loads(har)["log"]["entries"]))
    return page


def hostile(mock, page):
    for number, name in ((3, "html"), (4, "svg"), (6, "json")):
        page.click(f"document.getElementById('row-{number}')")
        page.wait(f"document.querySelector('#detail h2').textContent.endsWith('/{name}')")
        for kind in ("Text", "JSON", "Hex"):
            if page.run(f"!!{button(kind)}"):
                page.click(button(kind))
        page.shoot(f"hostile-{name}.png")
    page.click("document.getElementById('row-5')")
    page.wait("document.querySelector('#detail img.body')?.naturalWidth === 1")
    print("ok: an image is shown")
    mock.ask("GET", "/x'><script>window.ran=1</script>", {"X-Mock-Session": HOSTILE[:60]})
    page.wait("document.querySelectorAll('#rows .row').length === 7")
    page.click("document.getElementById('row-7')")
    page.wait("document.querySelector('#detail .panel')")
    for view in ("recordings", "stubs", "state", "settings", "edits"):
        page.run(f"location.hash = '#{view}'")
        page.wait(f"!document.getElementById('{view}').hidden && document.querySelector('#{view} h2')")
        page.shoot(f"view-{view}.png")
    expect("hostile bodies are inert", None, page.run("window.ran"))
    expect("no frame, no foreign script", 0, page.run("document.querySelectorAll('iframe, script:not([src]), #main svg').length"))
    page.run("location.hash = '#journal'")


def accept(mock, page, file):
    with open(file, "rb") as text:
        before = text.read()
    status, _ = mock.ask("GET", "/items?page=2")
    expect("a request that was never recorded", 404, status)
    page.run("location.hash = '#journal?state=missed&id=8'")
    page.wait(f"document.querySelector('#detail h2')?.textContent.endsWith('page=2') && {button('Ignore')}")
    page.shoot("miss.png")
    page.click(button("Ignore"))
    page.wait("document.querySelector('.proposal .diff .add')")
    page.shoot("diff.png")
    with open(file, "rb") as text:
        expect("the first click writes nothing", before, text.read())
    start = time.monotonic()
    page.click(button("Write to"))
    while mock.ask("GET", "/items?page=2")[0] != 200:
        if time.monotonic() - start > 5:
            sys.exit(".ci/browser: the request is not answered five seconds after it was accepted")
        time.sleep(0.005)
    took = time.monotonic() - start
    expect(f"a second click, and the request is answered ({took:.2f} s)", True, took < 1)
    with open(file) as text:
        lines = [text.read().splitlines(), before.decode().splitlines()]
    new = [line for line in lines[0] if line not in lines[1]]
    expect("the diff is of one interaction", True, 0 < len(new) <= 6)
    page.wait("document.querySelector('#detail .good')?.textContent.includes('served')")
    page.shoot("accepted.png")
    page.click(button("Undo"))
    end = time.monotonic() + 5
    while mock.ask("GET", "/items?page=2")[0] != 404 and time.monotonic() < end:
        time.sleep(0.01)
    with open(file, "rb") as text:
        expect("undo restores the file", before, text.read())
    # Accepts a miss with an edited copy.
    mock.ask("POST", "/items", {"Content-Type": "application/json"}, '{"name":"three"}')
    page.run("location.hash = '#journal'")
    page.wait("[...document.querySelectorAll('#rows .row')].some(e => e.textContent.includes('POST'))")
    # Clicks by script and not at a position, because the list moves when an event arrives.
    page.run("[...document.querySelectorAll('#rows .row')].find(e => e.textContent.includes('POST')).click()")
    page.wait(f"document.querySelector('#detail h2')?.textContent.startsWith('POST') && {button('Copy it')}")
    page.click(button("Copy it"))
    page.wait("document.querySelector('.proposal textarea')")
    page.run("document.querySelector('.proposal details').open = true; const t = document.querySelector('.proposal textarea');"
             "t.value = t.value.replace('200', '201')")
    page.click(button("Write to"))
    end = time.monotonic() + 5
    while mock.ask("POST", "/items", {"Content-Type": "application/json"}, '{"name":"three"}')[0] != 201:
        if time.monotonic() > end:
            sys.exit(".ci/browser: the edited copy does not answer")
        time.sleep(0.01)
    print("ok: an edited copy is written and answers")


def burst(mock, page):
    page.run("location.hash = '#journal'")
    page.run("closeDetail(); follows = true")
    before = page.run("rows.length")
    for _ in range(1000):
        mock.ask("GET", "/items?page=1")
    page.wait(f"rows.length >= {before + 1000} && lost === 0", 20)
    expect("all requests of a burst of 1,000 are shown", [before + 1000, 0], page.run("[rows.length, forgotten]"))


def stub_mistake(mock, browser):
    page = browser.open(mock.page + "#stubs")
    page.wait("document.querySelector('#s-body')")
    page.run("document.querySelector('#s-body').value = '{\\n  \"a\": 1,,\\n}'")
    page.click(button("Add the stub"))
    page.wait("document.querySelector('#toast').textContent.includes('line 2, column 10')")
    print("ok: an error in a stub's body has the line and column of the body")
    page.close()


def many(mock, page):
    page.run("location.hash = '#journal'")
    page.run("closeDetail(); follows = true")
    count = page.run("rows.length")
    sent = 0
    while sent < 10_000 - count:
        for _ in range(40):
            mock.ask("GET", f"/items?page=1")
            sent += 1
        # Leaves the page time to receive the events.
        time.sleep(0.1)
    page.wait("rows.length + forgotten >= 10000 && lost === 0", 60)
    lost = page.run("forgotten")
    expect(f"the page has 10,000 rows ({lost} missing)", True, lost < 500)
    longest = page.run("""new Promise(done => {
      const list = document.getElementById("list"); let last = performance.now(), longest = 0, at = 0;
      const step = now => { longest = Math.max(longest, now - last); last = now; at += 2711;
        list.scrollTop = at; if (at < list.scrollHeight) requestAnimationFrame(step); else done(longest); };
      requestAnimationFrame(now => { last = now; step(now); }); })""")
    expect(f"the rows scroll smoothly (longest frame {longest:.0f} ms)", True, longest < 200)
    expect("only few rows are in the document", True, page.run("document.querySelectorAll('#rows .row').length") < 80)
    start = time.monotonic()
    page.run("const q = document.getElementById('q'); q.value = 'page=2'; q.dispatchEvent(new Event('input'))")
    page.wait("shown.length > 0 && shown.length < 500", 2)
    expect(f"a filter is applied within 0.5 s ({time.monotonic() - start:.2f} s)", True, time.monotonic() - start < 0.5)
    expect("the URL contains the filter", True, "q=page%3D2" in page.run("location.hash"))
    url = page.run("location.href")
    page.shoot("filtered.png")
    return url


def keyboard(mock, browser):
    page = browser.open(mock.page + "#journal?state=missed")
    page.wait("document.querySelectorAll('#rows .row').length > 0")
    for _ in range(60):
        page.press("Tab")
        if page.run("document.activeElement.id") == "list":
            break
    expect("Tab moves the focus to the list", "list", page.run("document.activeElement.id"))
    page.press("Home")
    page.press("ArrowDown")
    chosen = page.run("document.querySelector('.row[aria-selected=true] .c-n').textContent")
    expect("arrow keys select a row", True, bool(chosen))
    page.press("Enter")
    page.wait("document.activeElement.id === 'detail'")
    for _ in range(40):
        page.press("Tab")
        if (page.run("document.activeElement.textContent") or "").startswith("Ignore"):
            break
    page.press("Enter")
    page.wait("document.activeElement.textContent.startsWith('Write to')")
    page.press("Enter")
    page.wait("document.querySelector('#detail .good')?.textContent.includes('served')")
    expect("a miss is accepted with only the keyboard", "Undo", page.run("document.activeElement.textContent"))
    page.press("Enter")
    page.wait("!document.querySelector('#detail .good')")
    page.press("Escape")
    expect("Escape moves the focus back to the list", "list", page.run("document.activeElement.id"))
    page.press("/")
    page.type("items")
    expect("a slash moves the focus to the search field", ["q", "items"], page.run("[document.activeElement.id, place.q]"))
    clean(page, mock, "keyboard")
    page.close()


def looks(mock, browser, axe):
    for name, width, dark in (("light", 1200, False), ("dark", 1200, True), ("narrow", 320, False), ("narrow-dark", 320, True)):
        page = browser.open(mock.page, width, 640, dark)
        page.wait("document.querySelectorAll('#rows .row').length > 0")
        page.shoot(f"{name}-journal.png")
        problems = check(page, axe, f"{name} journal")
        page.run("location.hash = '#journal?state=missed'")
        page.wait("shown.length && shown.every(e => e.state === 'missed') && document.querySelectorAll('#rows .row').length > 0")
        page.press("Tab")
        page.run("document.getElementById('list').focus()")
        page.press("Home")
        page.press("Enter")
        page.wait("document.querySelector('#detail .panel')")
        page.shoot(f"{name}-miss.png")
        problems += check(page, axe, f"{name} miss")
        page.run("closeDetail()")
        for view in ("recordings", "stubs", "state", "settings", "edits"):
            page.run(f"location.hash = '#{view}'")
            page.wait(f"!document.getElementById('{view}').hidden && document.querySelector('#{view} h2')")
            problems += check(page, axe, f"{name} {view}")
            page.shoot(f"{name}-{view}.png")
        expect(f"{name}: no problems for screen readers or narrow windows", [], problems)
        clean(page, mock, name)
        page.close()
    page = browser.open("about:blank")
    page.send("Page.navigate", url=mock.page)
    page.wait("document.getElementById('live')?.textContent === 'live'")
    shift = page.run("""new Promise(done => { let sum = 0;
      new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) sum += e.value; })
        .observe({type: "layout-shift", buffered: true}); setTimeout(() => done(sum), 800); })""")
    expect(f"the layout does not shift ({shift:.3f})", True, shift < 0.02)
    page.close()


def check(page, axe, what):
    problems = []
    if page.run("document.documentElement.scrollWidth > innerWidth"):
        problems.append(f"{what}: wider than the window")
    if not axe:
        return problems
    page.run(axe)
    found = page.run("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.target[0] + ' ' + n.any.map(a => a.message).join())]))")
    return problems + [f"{what}: {name} {nodes[:3]}" for name, nodes in found]


# What the script of a recorded page may try in order to control the server: the outcome of each attempt.
ATTACK = """(async () => {
  const outcome = (promise) => promise.then(r => r.type === "opaque" ? "opaque" : r.status, e => e.name);
  const json = {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"};
  const plain = {method: "POST", headers: {"Content-Type": "text/plain"}, body: "{}", mode: "no-cors", credentials: "include"};
  const other = open(INSPECTOR);
  await new Promise(done => setTimeout(done, 1000));
  let document;
  try { document = other.document ? "readable" : "closed"; } catch (error) { document = error.name; }
  other?.close();
  return [
    await outcome(fetch("/__mock/journal")), await outcome(fetch("/__mock/journal", {referrerPolicy: "no-referrer"})),
    await outcome(fetch("/__mock/reset", json)), await outcome(fetch("/__mock/interactions/save", json)),
    await outcome(fetch("/__mock/", {redirect: "manual"})), await outcome(fetch("/__mock/inspector.js")),
    await outcome(fetch(INSPECTOR + "journal", {credentials: "include"})),
    await outcome(fetch(INSPECTOR + "reset", {credentials: "include", ...json})),
    await outcome(fetch(INSPECTOR + "reset", plain)), document];
})()"""


def attack(mock, browser):
    mock.ask("GET", "/big")
    page = browser.open(f"http://127.0.0.1:{mock.port}/html?recorded")
    page.wait("document.readyState === 'complete'")
    *answers, document = page.run(ATTACK.replace("INSPECTOR", json.dumps(mock.inspector)), userGesture=True)
    expect("a recorded page has no access to /__mock/", [403] * 6 + ["TypeError", "TypeError", "opaque"], answers)
    expect("a recorded page cannot read the inspector that it opened", "SecurityError", document)
    page.close()


def login(program, browser, folder):
    with Mock(program, folder, "--admin-token", "t0ken-of-the-team") as mock:
        page = browser.open(mock.page)
        page.wait("!document.getElementById('login').hidden")
        page.shoot("login.png")
        page.wait("document.activeElement.id === 'token'")
        page.type("guess")
        page.press("Enter")
        page.wait("document.getElementById('login-problem').textContent.includes('not the token')")
        page.run("document.getElementById('token').value = ''")
        page.type("t0ken-of-the-team")
        page.press("Enter")
        page.wait("document.getElementById('live').textContent === 'live'")
        expect("scripts cannot read the cookie", "", page.run("document.cookie"))
        mock.ask("GET", "/big")
        page.wait("document.querySelectorAll('#rows .row').length === 1")
        print("ok: a login opens the page")
        attack(mock, browser)
        expect("the journal still has the request that a page tried to remove", True,
               "/big" in mock.ask("GET", "/__mock/journal", {"Authorization": "Bearer t0ken-of-the-team"})[1])
        page.close()


def recording(program, browser, folder):
    with Mock(program, folder) as live:
        rec = os.path.join(folder, "..", os.path.basename(folder) + "-recorded.json")
        command = [program, "record", "--upstream", f"http://127.0.0.1:{live.port}", "--cassette", rec, "--port", "0"]
        recorder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(recorder.stdout.readline().split("http://127.0.0.1:")[1].split()[0])
            page = browser.open(f"http://127.0.0.1:{port}/__mock/")
            page.wait("document.getElementById('live').textContent === 'live'")
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/big", headers={"Authorization": "Bearer s3cr3t-of-a-person"})
            connection.getresponse().read()
            page.wait("rows.length === 1 && rows[0].state === 'passed on'")
            page.run("location.hash = '#recordings'")
            page.wait("document.querySelector('#recordings .panel tbody tr')")
            row = page.run("document.querySelector('#recordings .panel tbody tr').textContent")
            expect("a recorder shows new recordings and redacted values", True, "new" in row and "1 values" in row)
            page.click(button("Look"))
            page.wait("document.querySelector('#recordings .tree')")
            expect("the page does not contain the secret", False, page.run("document.body.textContent.includes('s3cr3t')"))
            page.shoot("recording.png")
            page.close()
        finally:
            recorder.terminate()
            recorder.wait()
            if os.path.exists(rec):
                os.remove(rec)


def counting(program, browser):
    """Checks the plays of all sessions, the positions of one session, and durations without a log."""
    turns = [answer("GET /poll", "text/plain", {"text": str(number)}) for number in (1, 2, 3)]
    for number, one in enumerate(turns):
        one["id"] = f"poll-{number + 1}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with open(os.path.join(folder, "turns.json"), "w") as text:
            json.dump({"cassette": 1, "interactions": [answer("GET /a", "text/plain", {"text": "a"}), *turns]}, text)
        with Mock(program, folder) as mock:
            for _ in range(3):
                mock.ask("GET", "/a")
            mock.ask("GET", "/poll", {"X-Mock-Session": "her"})
            mock.ask("GET", "/poll", {"X-Mock-Session": "her"})
            page = browser.open(mock.page)
            page.wait("document.querySelectorAll('#rows .row').length === 5")
            expect("each exchange has its duration without a log", True,
                   page.run("[...document.querySelectorAll('#rows .c-d')].every(e => /\\d [µm]?s/.test(e.textContent))"))
            page.run("location.hash = '#recordings'")
            page.wait("document.querySelector('#recordings .wide-table tbody tr')")
            cells = "[...document.querySelectorAll('#recordings .wide-table tbody tr')].map(r => [4, 5].map(c => r.cells[c].textContent.trim()))"
            expect("plays of all sessions, positions of the session without a name",
                   [["3", "always"], ["1", "1 of 3 next"], ["1", "2 of 3"], ["–", "3 of 3"]], page.run(cells))
            page.run("const s = document.querySelector('#recordings select'); s.value = 'her'; s.dispatchEvent(new Event('change'))")
            page.wait(f"{cells}[3][1] === '3 of 3 next'")
            expect("positions of a session", [["3", "always"], ["1", "1 of 3 played"], ["1", "2 of 3 played"], ["–", "3 of 3 next"]],
                   page.run(cells))
            page.shoot("turns.png")
            mock.ask("GET", "/poll", {"X-Mock-Session": "her"})
            mock.ask("GET", "/poll", {"X-Mock-Session": "her"})
            page.wait(f"{cells}[3].join() === '2,3 of 3 next 2 times'", 5)
            print("ok: positions are updated with new requests")
            clean(page, mock, "recordings")
            page.close()


def hostile_names(program, browser):
    """Checks hostile methods, paths, fields, bodies, ids, scenarios, sessions and file names on every view of the page."""
    # A file name cannot contain a slash, and a request target cannot contain white space.
    attack = "<img/src=x/onerror=window.ran=1>".replace("/", "\f")
    line = "<img/src=x/onerror=window.ran=1>\"'><svg/onload=window.ran=1>javascript:window.ran=1{{7*7}}${window.ran=1}"
    one = answer(f"GET /{line}", HOSTILE.replace("\n", " "), {"text": HOSTILE})
    one.update(id=HOSTILE, replay={"when": {HOSTILE: "Started"}, "then": {HOSTILE: HOSTILE}})
    one["request"]["headers"] = [["X-Hostile", HOSTILE]]
    near = answer("GET /near?a=1", "text/plain", {"text": "near"})
    near["id"] = f"near {HOSTILE}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name, list in ((f"{attack}.json", [one]), ("\"'onmouseover=window.ran=1 x.json", [near])):
            with open(os.path.join(folder, name), "w") as text:
                json.dump({"cassette": 1, "origin": "https://a.example", "interactions": list}, text)
        os.makedirs(os.path.join(folder, "fixtures"))
        with open(os.path.join(folder, "fixtures", f"{attack}.html"), "w") as text:
            text.write(HOSTILE)
        with Mock(program, folder) as mock:
            stub = {"id": HOSTILE, "request": {"method": "GET", "url": "/stub?" + line},
                    "response": {"status": 200, "headers": [["X-H", HOSTILE]], "body": {"text": HOSTILE}}}
            status, text = mock.ask("POST", "/__mock/interactions", {"Content-Type": "application/json"},
                                    json.dumps(stub))
            expect(f"a hostile stub is added ({text[:200]})", True, status in (200, 201))
            requests = [("GET", f"/{line}"), ("GET", f"/missing/{line}?{line}"), ("GET", f"/near?a={line}"), ("GET", "/stub?" + line)]
            for method, path in requests:
                raw(mock, f"{method} {path} HTTP/1.1\r\nHost: {line}\r\nX-Mock-Session: {HOSTILE}\r\n"
                    f"X-Hostile: {HOSTILE}\r\nContent-Type: {HOSTILE}\r\nContent-Length: {len(HOSTILE)}\r\n"
                    f"Connection: close\r\n\r\n{HOSTILE}")
            raw(mock, "X`touch$IFS$9ran`|'~ /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            page = browser.open(mock.page)
            page.wait("document.getElementById('live').textContent === 'live'")
            page.wait("document.querySelectorAll('#rows .row').length >= 3")
            count = page.run("document.querySelectorAll('#rows .row').length")
            for number in range(count):
                page.click(f"document.querySelectorAll('#rows .row')[{number}]")
                page.wait("document.querySelector('#detail .panel, #detail pre, #detail table')")
                for kind in ("Text", "JSON", "Hex", "Request", "Answer", "Copy it", "Ignore"):
                    if page.run(f"!!{button(kind)}"):
                        page.click(button(kind))
                page.run("for (const d of document.querySelectorAll('#detail details')) d.open = true")
                page.shoot(f"hostile-names-{number}.png")
            for view in ("recordings", "stubs", "state", "settings", "edits"):
                page.run(f"location.hash = '#{view}'")
                page.wait(f"!document.getElementById('{view}').hidden && document.querySelector('#{view} h2')")
                page.run(f"for (const s of document.querySelectorAll('#{view} select')) {{ s.selectedIndex = s.options.length - 1;"
                         "s.dispatchEvent(new Event('change')); }")
                if page.run(f"!!{button('Look')}"):
                    page.click(button("Look"))
                page.shoot(f"hostile-names-{view}.png")
            for hash in (f"#journal?q={line}", f"#journal?state={line}&id={line}", f"#{line}", "#__proto__", "#recordings?x=" + line):
                page.run(f"location.hash = {json.dumps(hash)}")
                page.wait("document.readyState === 'complete'")
            expect(f"hostile names are inert in {count} requests and on every view", [None, 0], page.run(
                "[window.ran, document.querySelectorAll('iframe, img[src=x], script:not([src]), #main svg, [onerror], [onload], [onmouseover]').length]"))
            clean(page, mock, "hostile names")
            page.close()


def raw(mock, text):
    """Sends bytes that http.client would reject, and reads until the connection is closed."""
    with socket.create_connection(("127.0.0.1", mock.port), timeout=30) as client:
        client.sendall(text.encode())
        while client.recv(1 << 16):
            pass


def framed(mock, browser):
    """Checks that a page of another origin can neither frame nor read the inspector."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = f"<!doctype html><title>other</title><iframe src='{mock.page}'></iframe>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.open(f"http://127.0.0.1:{server.server_address[1]}/")
    page.wait("document.title === 'other'")
    time.sleep(0.5)
    frames = page.send("Page.getFrameTree")["frameTree"].get("childFrames", [])
    # Either the server refuses the request, or the browser applies the policy of the page.
    shown = [frame["frame"]["url"] for frame in frames if frame["frame"]["mimeType"] == "text/html"
             and frame["frame"]["url"].startswith("http")]
    expect("other pages cannot frame the inspector", [], shown)
    read = page.run(f"fetch('{mock.page}journal').then(r => r.text(), e => e.name)")
    expect("other pages cannot read the inspector", "TypeError", read)
    page.close()
    server.shutdown()


def main():
    program, chromium = sys.argv[1:3]
    axe = None
    if len(sys.argv) > 3:
        with open(sys.argv[3]) as file:
            axe = file.read()
    else:
        print("skipped: the rules of axe-core, which is not installed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Browser(chromium) as browser:
        file = os.path.join(folder, "api.json")
        with open(file, "w") as text:
            json.dump(CASSETTE, text, indent=2)
        with Mock(program, folder) as mock:
            page = live(mock, browser)
            hostile(mock, page)
            accept(mock, page, file)
            clean(page, mock, "the page")
            keyboard(mock, browser)
            looks(mock, browser, axe)
            stub_mistake(mock, browser)
            burst(mock, page)
            url = many(mock, page)
            other = browser.open(url)
            other.wait("place.q === 'page=2'")
            print("ok: a filter can be shared by its URL")
            clean(page, mock, "10,000 rows")
            framed(mock, browser)
        hostile_names(program, browser)
        counting(program, browser)
        login(program, browser, folder)
        recording(program, browser, folder)


main()
