import CassetteHTTP
import CassetteOpenAPI
import MockServerConsole
import MockServerKit
import MockServerSockets
import MockServerWire

/// The options for generated values, delays, faults and the clock.
extension Manual {
  static let seed = Option(
    "seed", .number(0...Int.max), "N",
    help:
      "The seed of random values, delays and faults: the same N repeats the same sequence for each session in every "
      + "run.")
  static let clock = Option(
    "clock", .text, "system|recorded|TIME", standard: "system",
    help: "The time used in responses: the current time; the current time, with recorded dates moved to today; or a "
      + "fixed TIME, such as 2026-11-22T12:00:00Z.")
  static let latency = Option(
    "latency", .text, "TIME",
    help: "The delay of responses that do not set their own: 50ms, 20ms..80ms, 80ms~0.4 (a median and a sigma), "
      + "recorded, or fitted to the recordings. The units are ms, s, min and h; a number without a unit is in seconds.")
  static let bandwidth = Option(
    "bandwidth", .size(1...(1 << 40)), "SIZE", standard: "no limit", help: "The number of body bytes sent per second.")
  static let playback = Command.Section(
    title: "Generated values and timing", options: [seed, clock, latency, bandwidth])

  // MARK: The options for access from web pages of other origins

  static let cors = Option(
    "cors", .choice(["loopback", "recorded"]), standard: "loopback",
    help: "Allow pages served from this machine to read every response, or send the CORS headers exactly as recorded.")
  static let corsOrigin = Option(
    "cors-origin", .text, "ORIGIN", repeats: true,
    help: "Also allow pages of this origin to read every response: https://staging.example. May be repeated.")

  static let browsers = Command.Section(title: "Web pages (CORS)", options: [cors, corsOrigin])
}

extension CORSPolicy {
  /// Creates the policy from the options.
  init(_ invocation: Invocation) throws(CommandError) {
    self = invocation.text(Manual.cors) == "recorded" ? .recorded : CORSPolicy()
    for text in invocation.texts(Manual.corsOrigin) {
      guard self != .recorded else {
        throw .usage("--cors recorded and --cors-origin cannot be combined", of: invocation.command)
      }
      guard let origin = WebOrigin(text) else {
        throw .usage(
          "--cors-origin must be the scheme, host and port of a page, not \"\(text)\"", of: invocation.command,
          hint: "For instance: --cors-origin https://staging.example")
      }
      named.insert(origin)
    }
  }
}

/// The options for `/__mock/`.
extension Manual {
  static let noAdmin = Option("no-admin", help: "Disable /__mock/.")
  static let adminToken = Option(
    "admin-token", .text, "TOKEN",
    help: "Require this token (Authorization: Bearer TOKEN) for /__mock/; mandatory there if --host is not a loopback "
      + "address. Prefer MOCKSERVER_ADMIN_TOKEN: a command line is visible to every user of the machine.")
  static let inspectorPort = Option(
    "inspector-port", .number(0...65_535), "PORT", standard: "a free port",
    help: "The port of the inspector. Recorded pages have the origin of --port, and therefore no access to it.")
  static let journalBodies = Option(
    "journal-bodies", .size(0...(8 << 20)), "SIZE", standard: "64K",
    help: "How much of each request body /__mock/journal keeps; all bodies together are limited to 8M.")
  static let journalSecrets = Option(
    "journal-secrets",
    help: "Show requests in /__mock/journal unmasked, with passwords and tokens; only on a loopback address.")

  static let readOnly = Option("read-only", help: "Never write to files, and refuse requests to /__mock/ that would.")

  static let acceptedOrigin = Option(
    "origin", .text, "URL", repeats: true,
    help:
      "An origin that may be contacted to accept a miss, in addition to the origins of the cassettes. May be repeated.")
  static let controlling = [
    noAdmin, adminToken, inspectorPort, journalBodies, journalSecrets, readOnly, acceptedOrigin,
  ]

  // MARK: The options and help texts for the log

  static let logFormat = Option(
    "log-format", .choice(["text", "json"]), standard: "text",
    help: "The format of the log: lines of text, or one JSON object per line.")

  static let logLines =
    "A log line has the time (UTC), request number, method, target, status, matching recording, duration and session. "
    + "Secrets in targets are masked. The log is written about 20 ms after the response and never delays one; events "
    + "that exceed its buffer are counted instead. With --log-format json each line has the keys time and event. A "
    + "response also has number, method, target, status, outcome (played, derived, fault, miss, recorded, not recorded, "
    + "unreachable, broken), recording, cassette, approximate, detail, sentBytes, duration (seconds until the last "
    + "byte), disconnected and session, each only if it applies. Other events (miss, approximate, refused, reload, "
    + "file-broken, answer-broken, handshake-refused, recording, lost) have a message, and a number or status if they concern a request."

  // MARK: The option that selects the event loop

  static let loop = Option(
    "loop", .choice(EventLoopKind.allCases.map(\.rawValue)), standard: EventLoopKind.platformDefault.rawValue,
    help: "The event loop: epoll is faster on Linux; dispatch, the default on Apple platforms, also runs on Linux.")
}

extension MockServer.Configuration {
  /// Sets the event loop according to the options.
  mutating func chooseLoop(_ invocation: Invocation) {
    usesDispatch = invocation.text(Manual.loop) == EventLoopKind.dispatch.rawValue
  }
}

/// The options for served specifications.
extension Manual {
  static let specification = Option(
    "openapi", .path, "SPEC", repeats: true,
    help: "Answer requests without a recording from this OpenAPI 3.0 or 3.1 document, JSON or YAML. May be repeated.")
  static let contract = Option(
    "contract", .choice(MockServerContractMode.allCases.map(\.rawValue)),
    help:
      "Validate requests that recordings answer against the specifications, too: fail refuses requests that violate the "
      + "contract, note only reports them, off disables validation.")
  static let specifications = Command.Section(title: "Specifications", options: [specification, contract])

  static let specifying =
    "Recordings and fixtures take precedence over specifications. A specification answers with an example, or with a "
    + "value generated from the schema, which always conforms to it; an example that violates its own schema is not "
    + "used (mockserver check SPEC names it). References may lead to files in the specification's folder. Such "
    + "responses have the field Mockserver-Source: spec OPERATION, and are marked in the journal. A request chooses "
    + "another response with Prefer: code=404, example=NAME, dynamic=true (random values, by --seed). A request that "
    + "violates the contract is answered with 400, 401, 406, 415 or 422, in the form that the document defines for it, "
    + "or as application/problem+json with each violation and its place; with --contract note it is answered normally, "
    + "and Mockserver-Contract describes the violation. A body that takes too long to check is named there, too."
    + "\n\nA document may have any number of files and operations. Its "
    + "files together are limited to 256 MB (each counts as at least 8 KB), chains of references to 32, the nesting of "
    + "JSON to 512 levels and of YAML to 256. A generated value is limited to 4 MB, 40,000 parts, 60 levels, 10,000 "
    + "elements in a list and 1 MB in a string."

  // MARK: The options for TLS between clients and the server

  static let servingTLS = Command.Section(
    title: "TLS for clients", options: [tls, tlsFolder, tlsCertificate, tlsKey, tlsClientAuthorities])

  static let trusting =
    "--tls self-signed creates a certificate authority for this machine, keeps it, and prints its file, ca.pem. To "
    + "trust it: curl --cacert ca.pem; NODE_EXTRA_CA_CERTS=ca.pem for Node; REQUESTS_CA_BUNDLE=ca.pem for Python's "
    + "requests, SSL_CERT_FILE=ca.pem for the rest of Python, Go and Ruby; on macOS: security add-trusted-cert -r "
    + "trustRoot -k ~/Library/Keychains/login.keychain-db ca.pem; in an iOS simulator: xcrun simctl keychain booted "
    + "add-root-cert ca.pem. The printed pin, the SHA-256 of the certificate's key, stays the same. A client that "
    + "reaches this server under another name, through a hosts file or curl --connect-to, gets a certificate for that "
    + "name. Never share authority.pem, which is in the same folder as ca.pem."

  static let tls = Option(
    "tls", .choice(["self-signed"]), help: "Serve TLS with a generated certificate for localhost and --host.")
  static let tlsFolder = Option(
    "tls-dir", .folder, "DIR", standard: "~/.local/state/mockserver/tls",
    help: "The folder for the generated certificate authority and certificates.")
  static let tlsCertificate = Option(
    "tls-cert", .path, "FILE", help: "Serve TLS with this certificate (PEM), followed by its chain.")
  static let tlsKey = Option("tls-key", .path, "FILE", help: "The private key (PEM) of --tls-cert.")
  static let tlsClientAuthorities = Option(
    "tls-client-ca", .path, "FILE",
    help: "Accept only clients with a certificate issued by one of these authorities (PEM). With --tls self-signed, "
      + "pass self-signed to generate such a certificate, client.pem, next to ca.pem.")
}
