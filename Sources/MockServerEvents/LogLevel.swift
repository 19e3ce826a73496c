/// What is written for each request.
public enum LogLevel: String, Sendable, CaseIterable {
  /// One line for every request.
  case requests
  /// The explanation of every miss.
  case misses
  /// Nothing.
  case none
}

/// How lines of the log are written.
public enum LogFormat: String, Sendable, CaseIterable {
  /// For people: time, number, request, status, recording, duration and session.
  case text
  /// For machines: one JSON object a line.
  case json
}
