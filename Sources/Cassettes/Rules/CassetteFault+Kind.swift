/// Faults by their names in a cassette.
extension CassetteFault {
  /// Closes the connection without sending an answer: `URLError.badServerResponse`.
  public static func empty(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(RecordedFailure(code: -1011)), "empty", [], on: path, first: count)
  }

  /// Starts an answer whose content cannot be parsed: `URLError.cannotParseResponse`.
  public static func malformed(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(RecordedFailure(code: -1017)), "malformed", [], on: path, first: count)
  }

  /// Never sends an answer: `timeout` in a cassette.
  public static func never(on path: String? = nil, first count: Int? = nil) -> CassetteFault {
    CassetteFault(.failure(RecordedFailure(code: -1001)), "never", [], on: path, first: count)
  }
}
