/// An error or warning about a cassette, with its position and a suggestion.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The severity of a problem: a cassette with an error cannot be played, one with a warning can.
  public enum Severity: String, Hashable, Sendable {
    /// The cassette cannot be played.
    case error
    /// The cassette can be played, but a part of it has no effect or deviates from the format.
    case warning
  }

  /// The severity: an error prevents the cassette from being played, a warning does not.
  public var severity: Severity
  /// The path of the file, as the caller specified it.
  public var file: String
  /// The line, counted from one; 0 if the error concerns the whole file.
  public var line: Int
  /// The column in characters, counted from one; 0 if the error concerns the whole file.
  public var column: Int
  /// A description of the problem.
  public var message: String
  /// A suggestion, such as `did you mean "response"?`.
  public var suggestion: String?
  /// True if the problem may be temporary, so that the caller can retry.
  package var isPassing = false

  /// Creates an error at a position in a file, or about the whole file if line and column are 0.
  public init(
    file: String, line: Int = 0, column: Int = 0, message: String, suggestion: String? = nil,
    severity: Severity = .error
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.suggestion = suggestion
  }

  package init(_ place: SourcePlace, _ message: String, _ suggestion: String? = nil, severity: Severity = .error) {
    self.init(
      file: place.file, line: place.line, column: place.column, message: message, suggestion: suggestion,
      severity: severity)
  }

  /// The error in one line in the format of compilers, with control characters escaped: `file:line:column: message, did
  /// you mean …?`.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    let kind = severity == .warning ? "warning: " : ""
    return Printable.escaped("\(place): \(kind)\(message)" + (suggestion.map { ", \($0)" } ?? ""))
  }
}
