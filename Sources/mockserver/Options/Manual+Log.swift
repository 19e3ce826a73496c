import MockServerConsole

/// The options and help texts for the log.
extension Manual {
  static let logFormat = Option(
    "log-format", .choice(["text", "json"]), standard: "text",
    help: "The format of the log: lines of text, or one JSON object per line.")

  static let logLines =
    "A log line has the time (UTC), request number, method, target, status, matching recording, duration and session. "
    + "Secrets in targets are masked. The log is written about 20 ms after the response and never delays one; events "
    + "that exceed its buffer are counted instead. With --log-format json each line has the keys time and event. A "
    + "response also has number, method, target, status, outcome (played, derived, fault, miss, recorded, not recorded, "
    + "unreachable, broken), recording, cassette, approximate, detail, sentBytes, duration (seconds) and session, each "
    + "only if it applies. Other events (miss, approximate, refused, reload, file-broken, answer-broken, "
    + "handshake-refused, recording, lost) have a message, and a number or status if they concern a request."
}
