#!/usr/bin/env python3
"""Sends hostile rules, templates, schemas and patches to a server: behaviour.py MOCKSERVER [SECONDS] [SEED]

Fails if the server ends, takes more than 10 s for an answer, uses more than 1 GB, or sends invalid JSON. `.ci/fuzz` runs it
after libFuzzer. The same seed results in the same calls.
"""
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time

RESOURCE = {"cassette": 1, "resource": {"path": "/things", "schema": {"type": "object"}, "seed": [{"id": 1, "a": [1, {"b": "c"}]}]}}
WORDS = ["a", "b", "id", "x-y", "", "ä", "\u0000", "\u2028", "0", "-1", "1e400", "9" * 40, "null", "$", "..", "*", "'", '"', "\\", "{{", "}}"]
COUNTS = {"now": 0, "uuid": 0, "jwt": 0, "replace": 3, "substring": 2, "fake": 0}
COUNTS |= {name: 2 for name in "lookup eq ne lt le gt ge contains startsWith endsWith add subtract multiply divide modulo split join".split()}
HELPERS = """now date uuid random fake counter jwt base64 sha256 upper lower trim capitalize replace substring split join concat size
first last lookup number string json parse urlencode eq ne lt le gt ge and or not contains startsWith endsWith add subtract multiply
divide modulo round range""".split()
ROOTS = ["path", "path.0", "path.id", "query.q", "query.q.1", "header.X-A", "cookie.c", "form.f", "parts.a.body", "parts", "body", "body.$.a",
         "body.$..*", "body.$.items[*].b", "state.s", "method", "url", "base", "host", "session"]
LOOPS = ["this", "@index", "@key", "this.b", "this.b.c", "@last"]


def refuse(constant):
    raise ValueError(constant)


class Made:
    """Generates values of a grammar, and sometimes truncates or mixes them."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        # True while values must be valid, and are neither truncated nor mixed.
        self.tame = False

    def pick(self, *choices):
        choice = self.r.choice(choices)
        return choice() if callable(choice) else choice

    def word(self):
        return self.pick(*WORDS)

    def number(self):
        return self.pick(0, 1, -1, 7, 3.5, 10**18, -(10**30), 1e-9, 2**63)

    def damaged(self, text):
        if not self.tame and self.r.random() < 0.15 and text:
            at = self.r.randrange(len(text))
            text = self.pick(text[:at], text[at:], text[:at] + self.word() + text[at:], text + text)
        return text

    def expression(self, depth=0, loops=0):
        if depth > 3 or self.r.random() < 0.4:
            known = ROOTS + (LOOPS if loops else [])
            return self.pick(*known, "1..6", "0.10..9.99", "'%s'" % self.word().strip("'\\"), "7", "-3.5")
        helper = self.pick(*HELPERS)
        count = COUNTS.get(helper, 1) if self.tame or self.r.random() < 0.97 else self.r.randrange(5)
        inner = " ".join("(%s)" % self.expression(depth + 1, loops) for _ in range(count))
        named = {"random": " length=5 of=hex", "now": " offset=-1d", "base64": " decode=true", "jwt": " exp='+1h'", "date": " zone=+02:00"}
        more = named.get(helper, "") if self.r.random() < 0.5 else self.pick("", " default='x'")
        return ("%s %s%s" % (helper if helper != "fake" else "fake email", inner, more)).strip()

    def template(self, depth=0, loops=0):
        parts = []
        for _ in range(self.r.randrange(1, 4)):
            kind = self.r.random()
            if kind < 0.3 or depth > 3:
                parts.append(self.pick("a", " / ", "ä", "\"", "<&>") if self.tame else self.word())
            elif kind < 0.75:
                parts.append("{{%s}}" % self.expression(0, loops))
            else:
                block = self.pick("if", "unless", "each", "with")
                name = self.pick("", " as |i|", " as |i j|") if block in ("each", "with") else ""
                middle = self.pick("", "{{else}}" + self.template(depth + 1, loops))
                inner = self.template(depth + 1, loops + (block in ("each", "with")))
                parts.append("{{#%s (%s)%s}}%s%s{{/%s}}" % (block, self.expression(0, loops), name, inner, middle, block))
        text = "".join(parts)
        return self.damaged(text) if self.r.random() < 0.1 else text

    def json(self, leaf, depth=0):
        kind = self.r.random()
        if depth > 4 or kind < 0.5:
            return leaf()
        if kind < 0.75:
            return [self.json(leaf, depth + 1) for _ in range(self.r.randrange(4))]
        return {self.pick(self.word, leaf) if leaf == self.template else self.word(): self.json(leaf, depth + 1) for _ in range(self.r.randrange(4))}

    def value(self):
        return self.json(lambda: self.pick(self.word, self.number, None, True, "a" * 2000))

    def pattern(self, depth=0):
        atoms = ["a", ".", "\\d", "\\w+", "[^a-z]", "[a-", "(?i)", "^", "$", "\\b", "\\1", "(?<n>a)", "é", "\\x{41}"]
        text = ""
        for _ in range(self.r.randrange(1, 6)):
            atom = self.pick(*atoms)
            if self.r.random() < 0.4 and depth < 5:
                atom = self.pick("(%s)", "(?:%s)", "(?=%s)", "(?!%s)", "(%s|a)") % self.pattern(depth + 1)
            text += atom + self.pick("", "", "*", "+", "?", "*?", "{2,30}", "{1000}", "{0,99999}")
        return self.damaged(text)

    def place(self):
        steps = ["", ".a", "..*", "[*]", "[0]", "[-1]", "[::2]", "[1:9:0]", "['id']", "[?@.a==1]", "[?match(@.b,'(a*)*b')]", "[?@..b]", "[?length(@)>1]",
                 "[?!(@.a && $..b)]", "[9999999999999999999]"]
        return self.damaged("$" + "".join(self.pick(*steps) for _ in range(self.r.randrange(6))))

    def schema(self, depth=0):
        if depth > 4:
            return self.pick(True, False, {}, {"$ref": "#"})
        one = lambda: self.schema(depth + 1)
        members = {
            "type": lambda: self.pick("object", "array", "string", "nothing", 1), "pattern": self.pattern, "$ref": lambda: self.pick("#", "#/$defs/a", "http://127.0.0.1:1/x", "#a"),
            "properties": lambda: {self.word(): one()}, "patternProperties": lambda: {self.pattern(): one()}, "items": one, "prefixItems": lambda: [one(), one()],
            "allOf": lambda: [one(), one()], "anyOf": lambda: [one()], "oneOf": lambda: [one(), one()], "not": one, "if": one, "then": one, "contains": one,
            "$defs": lambda: {"a": one()}, "enum": lambda: [self.value()], "const": self.value, "minimum": self.number, "multipleOf": self.number,
            "minLength": self.number, "uniqueItems": lambda: True, "required": lambda: [self.word()], "format": lambda: self.pick("email", "date-time", "regex", "x"),
            "unevaluatedProperties": one, "$dynamicRef": lambda: "#a", "$anchor": lambda: "a", "dependentSchemas": lambda: {self.word(): one()}, "$id": lambda: "http://a/" + self.word(),
        }
        return {name: members[name]() for name in self.r.sample(sorted(members), self.r.randrange(1, 5))}

    def condition(self, depth=0):
        kind = self.pick("equals", "contains", "matches", "doesNotMatch", "atLeast", "before", "oneOf", "not", "and", "or", "absent", "includes")
        if kind in ("not",):
            return {kind: self.condition(depth + 1) if depth < 4 else "a"}
        if kind in ("and", "or", "includes"):
            return {kind: [self.condition(depth + 1) for _ in range(2)] if depth < 4 else []}
        value = {"matches": self.pattern, "doesNotMatch": self.pattern, "atLeast": self.number, "before": lambda: "2026-01-01T00:00:00Z", "absent": lambda: True, "oneOf": lambda: [self.word()]}
        return {kind: value.get(kind, self.word)()}

    def stub(self, number):
        match = {}
        for name in self.r.sample(["path", "query", "headers", "body"], self.r.randrange(4)):
            match[name] = {
                "path": lambda: self.pick("/f/{id}", "/f/{id}/{" + self.word() + "}", {"matches": self.pattern()}, "/" + self.word()),
                "query": lambda: {"q": self.condition(), "*": "ignore"}, "headers": lambda: {"X-A": self.condition()},
                "body": lambda: self.pick({"schema": self.schema()}, {"json": self.value()}, {"values": {self.place(): self.condition()}}, {"ignore": [self.place()]}, self.condition()),
            }[name]()
        body = self.pick({"json": self.json(self.template)}, {"text": json.dumps(self.json(self.template))}, {"text": self.template()})
        kind = self.pick("application/json", "application/json", "text/html", "text/plain")
        # A body without expressions is sent unchanged, so it may be invalid JSON.
        if "text" in body and "{{" not in body["text"]:
            kind = "text/plain"
        replay = self.pick({}, {"repeat": "loop"}, {"delay": "1ms~0.5"}, {"when": {"s": self.word()}})
        return {"id": "fuzz-%d" % (number % 40), "request": {"method": "POST", "url": "/f/%d" % (number % 40)}, "match": match, "replay": replay,
                "response": {"status": 200, "template": True, "headers": [["Content-Type", kind], ["X-T", "".join(c for c in self.template() if c >= " ")]], "body": body}}

    def answer(self, number):
        """Returns a stub that answers any request to its path with JSON."""
        self.tame = True
        value = self.json(self.template)
        self.tame = False
        body = self.pick({"json": value}, {"json": {"value": value, "{{query.q}}": "{{body}}"}}, {"text": '{"x": {{body}}, "y": "{{query.q}}", "z": %s}' % json.dumps(value)})
        return {"id": "answer-%d" % (number % 40), "request": {"method": "POST", "url": "/t/%d" % (number % 40)}, "match": {"body": "ignore", "query": {"*": "ignore"}},
                "response": {"status": 200, "template": True, "headers": [["Content-Type", "application/json"], ["X-T", "{{query.q}}{{{body}}}"], ["Location", "/a{{{query.q}}}"]], "body": body}}

    def patch(self):
        pointer = lambda: self.pick("", "/", "/a", "/a/0", "/a/1/b", "/a/-", "/~01", "/" + self.word(), "/a/99999999999999999999")
        if self.r.random() < 0.3:
            return "application/merge-patch+json", self.value()
        return "application/json-patch+json", [{"op": self.pick("add", "remove", "replace", "move", "copy", "test", "x"), "path": pointer(), "from": pointer(), "value": self.value()} for _ in range(self.r.randrange(6))]


def main():
    binary, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**9)
    made, counts = Made(seed), {}
    print(f"behaviour: seed {seed}, {seconds:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "things.json"), "w") as file:
            json.dump(RESOURCE, file)
        log = open(os.path.join(folder, "log"), "w+")
        server = subprocess.Popen([binary, "serve", "--cassettes", folder, "--port", "0", "--no-watch", "--log", "none", "--loops", "1"], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            port = int(server.stdout.readline().split()[3].rsplit(":", 1)[1])
            end, number, last = time.monotonic() + seconds, 0, ""

            def ask(method, path, body, kind="application/json"):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                try:
                    text = body if isinstance(body, bytes) else json.dumps(body).encode()
                    connection.request(method, path, text, {"Content-Type": kind, "X-Mock-Session": "s%d" % (number % 5), "Cookie": "c=1", "X-A": made.word().encode("utf8", "ignore").decode("latin1").replace("\0", "")})
                    answer = connection.getresponse()
                    return answer, answer.read()
                finally:
                    connection.close()

            def count(what):
                counts[what] = counts.get(what, 0) + 1

            def add(stub, kind):
                nonlocal last
                last = json.dumps(stub)
                answer, text = ask("PUT", "/__mock/interactions/" + stub["id"], last.encode())
                if answer.status == 404:
                    answer, text = ask("POST", "/__mock/interactions", last.encode())
                count(kind + (" taken" if answer.status < 300 else " refused"))
                if answer.status >= 500:
                    raise AssertionError(f"{answer.status} to a stub: {text[:300]}")
                return answer.status < 300

            while time.monotonic() < end:
                number += 1
                add(made.stub(number), "stubs")
                kept = add(made.answer(number), "answers")
                for turn in range(5):
                    asked = made.pick(made.value, {"a": 1, "items": [{"b": 2}, {"b": "x"}], "n": 5})
                    path = "/f/%d" % made.r.randrange(40) if turn > 2 or not kept else "/t/%d" % (number % 40)
                    answer, text = ask("POST", path + "?q=%s&q=2" % made.pick("1", "a%20b", "%00", "%FF"), asked)
                    if answer.status == 200 and "json" in (answer.getheader("Content-Type") or ""):
                        count("JSON")
                        try:
                            json.loads(text.decode("utf-8"), parse_constant=refuse)
                        except ValueError:
                            raise AssertionError(f"invalid JSON: {text[:300]}") from None
                    else:
                        count("missed" if answer.status == 404 else str(answer.status))
                kind, patch = made.patch()
                answer, text = ask("PATCH", "/things/1", patch, kind)
                if answer.status >= 500:
                    raise AssertionError(f"{answer.status} to a patch {json.dumps(patch)[:300]}: {text[:300]}")
                if number % 200 == 0:
                    memory = int(next(line for line in open(f"/proc/{server.pid}/status") if line.startswith("VmRSS")).split()[1]) >> 10 if os.path.exists("/proc") else 0
                    counts["MB"] = memory
                    if memory > 1024:
                        raise AssertionError(f"{memory} MB")
                    ask("DELETE", "/__mock/interactions", b"")
                    ask("POST", "/__mock/reset", {})
            if server.poll() is not None:
                raise AssertionError(f"the server ended: {server.returncode}")
            print("behaviour:", number, "stubs,", counts)
        except Exception as problem:
            log.seek(0)
            print(f"behaviour: call {number}: {problem!r}\nlast stub: {last}\nserver: {server.poll()}\n{log.read()[-2000:]}")
            sys.exit(1)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
