import MockServerConsole

/// The options and help texts for the log.
extension Manual {
  static let logFormat = Option(
    "log-format", .choice(["text", "json"]), standard: "text", help: "Lines for people, or one JSON object a line.")

  static let logLines =
    "A line of the log is: time (UTC), number of the request, method, target, status, the recording that answered, "
    + "duration, session. Secrets in targets are masked. The log is written some 20 ms behind the answers, and keeps none "
    + "waiting; what found no room is counted. A line of --log-format json has the keys time and event; an answer also "
    + "number, method, target, status, outcome (played, derived, fault, miss, recorded, not recorded, unreachable, broken), "
    + "recording, cassette, approximate, detail, sentBytes, duration (seconds) and session, each only where there is one. "
    + "Other events (miss, approximate, refused, reload, file-broken, answer-broken, handshake-refused, recording, lost) have "
    + "a message, and number or status where there is one."
}
