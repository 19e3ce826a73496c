/// The level of the log: the requests for which something is written.
public enum MockServerLogLevel: String, Sendable, CaseIterable {
  /// One line for every request.
  case requests
  /// The explanation of every miss.
  case misses
  /// A row for every request, repeated ones counted, and a line of status that stays on a terminal.
  case table
  /// No lines.
  case none
}

/// The format of the log's lines.
public enum MockServerLogFormat: String, Sendable, CaseIterable {
  /// For people: time, number, request, status, recording, duration and session.
  case text
  /// For machines: one JSON object a line.
  case json
}
