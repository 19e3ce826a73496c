"""A shop with a login, which a recorder reaches through its HTTP proxy as http://shop.example. Prints its port.

The login sets a cookie for the shop's domain, redirects with a code, then without a scheme, and ends with a signed URL.
"""
import gzip
import http.server
import json

SIGNED = "http://shop.example/files/a?X-Amz-Credential=AKIAQ7ZPX2VDKTMW9RBC%2F20261128%2Feu&X-Amz-Signature=" + "9f3c1e7ab2" * 6 + "77d0"
COOKIE = "sid=Zk8vQ2xTw9abcR4; Domain=shop.example; Path=/; Secure; HttpOnly; SameSite=None"


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        location = "http://shop.example/callback?code=4/0AfJohXkQ9zTw8vLm3RpYd7sB&state=x"
        self.answer(303, [("Location", location), ("Set-Cookie", COOKIE), ("Set-Cookie", "theme=dark; Path=/")])

    def do_GET(self):
        path = self.path.removeprefix("http://shop.example")
        if path.startswith("/files/"):
            return self.answer(200, [("Content-Type", "text/plain")], b"the file")
        if "sid=Zk8vQ2xTw9abcR4" not in (self.headers.get("Cookie") or ""):
            return self.answer(401, [("Content-Type", "text/plain")], b"logged out")
        if path.startswith("/callback"):
            return self.answer(302, [("Location", "//shop.example/account")])
        body = json.dumps({"user": "kean", "file": SIGNED}).replace("/", "\\/").encode()
        headers = [("Content-Type", "application/json")]
        if "gzip" in (self.headers.get("Accept-Encoding") or ""):
            body = gzip.compress(body)
            headers.append(("Content-Encoding", "gzip"))
        self.answer(200, headers, body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
print(server.server_address[1], flush=True)
server.serve_forever()
