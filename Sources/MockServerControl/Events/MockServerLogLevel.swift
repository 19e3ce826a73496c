/// The level of detail of the log.
public enum MockServerLogLevel: String, Sendable, CaseIterable {
  /// A line for every request.
  case requests
  /// The explanation of every miss.
  case misses
  /// A row for every request with a count of repeated rows, and on a terminal a status line.
  case table
  /// No lines for requests.
  case none
}

/// The format of the log.
public enum MockServerLogFormat: String, Sendable, CaseIterable {
  /// Text for people: time, number, request, status, recording, duration and session.
  case text
  /// One JSON object per line, for programs.
  case json
}
