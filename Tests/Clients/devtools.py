"""Controls headless Chromium over its DevTools protocol and a pipe, with only the standard library.

    with Browser("/usr/bin/chromium") as browser:
        page = browser.open("http://127.0.0.1:8080/__mock/")
        page.wait("document.title === 'mockserver'")
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import threading
import time


class Browser:
    """A browser with a temporary profile that runs during a `with` statement."""

    def __init__(self, chromium, *options):
        self.command = [
            chromium, "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", *options,
        ]
        if os.getuid() == 0:
            self.command.append("--no-sandbox")
        self.answers, self.pages, self.last = {}, {}, 0
        self.changed = threading.Condition()

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def pipes():
            # Chromium reads commands from descriptor 3 and writes answers to 4.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [*self.command, f"--user-data-dir={self.profile.name}", "about:blank"], preexec_fn=pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _read(self):
        buffer = b""
        while True:
            part = os.read(self.input, 1 << 20)
            if not part:
                return
            buffer += part
            *messages, buffer = buffer.split(b"\0")
            for message in messages:
                message = json.loads(message)
                with self.changed:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    elif message.get("sessionId") in self.pages:
                        self.pages[message["sessionId"]].hear(message["method"], message["params"])
                    self.changed.notify_all()

    def send(self, method, session=None, **parameters):
        with self.changed:
            self.last += 1
            number = self.last
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.answers, timeout=60):
                sys.exit(f"the browser does not answer {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, url, width=1200, height=800, dark=False):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        with self.changed:
            self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.size(width, height)
        page.dark(dark)
        page.send("Page.navigate", url=url)
        return page


class Page:
    """A tab, with its requests and errors."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.requests, self.errors = [], []

    def hear(self, method, event):
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            self.errors.append(str([each.get("value") for each in event["args"]]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.errors.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, is_dark):
        features = [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def run(self, script, **options):
        """Returns the value of an expression, after its promise is fulfilled."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, **options)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, script, seconds=15):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(f"!!({script})"):
                    return
            except RuntimeError:
                # During navigation, no document can evaluate the expression.
                pass
            time.sleep(0.02)
        self.shoot("failed.png")
        raise SystemExit(f"not true after {seconds} s: {script} (see failed.png)")

    KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Home": 36, "End": 35, "ArrowDown": 40, "ArrowUp": 38, "Space": 32}

    def press(self, key, shift=False):
        """Presses and releases a key."""
        text = {"Enter": "\r", "Space": " "}.get(key, key if len(key) == 1 else None)
        name = {"Space": " "}.get(key, key)
        facts = {"key": name, "code": key, "windowsVirtualKeyCode": self.KEYS.get(key) or ord(key.upper())}
        if shift:
            facts["modifiers"] = 8
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **facts, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **facts)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def click(self, script):
        """Clicks at the center of an element. An element that covers it gets the click, as for a user."""
        box = self.run(f"(() => {{ const e = {script}; e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect();"
                       " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def shoot(self, name):
        """Saves a screenshot in the folder SCREENSHOTS, if it is set."""
        folder = os.environ.get("SCREENSHOTS")
        if not folder:
            return
        data = self.send("Page.captureScreenshot", format="png")["data"]
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(base64.b64decode(data))
