/// An error or warning about a cassette, with its place and what to write instead.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The severity of a problem: an error keeps the cassette from being played, a warning does not.
  public enum Severity: String, Hashable, Sendable {
    /// The cassette is not played.
    case error
    /// The cassette is played; something in it has no effect or is not as the format wants it.
    case warning
  }

  /// The severity, which tells if the cassette can be played in spite of the problem.
  public var severity: Severity
  /// The file's path, as it was given.
  public var file: String
  /// The line, counted from one; 0 when the file as a whole is meant.
  public var line: Int
  /// The column, counted from one in characters; 0 when the file as a whole is meant.
  public var column: Int
  /// A description of the problem.
  public var message: String
  /// A guess at what was meant, as in `did you mean "response"?`.
  public var suggestion: String?
  /// True if the problem may pass by itself: asking again in a moment may do.
  package var isPassing = false

  /// Creates an error about a place in a file, or about the file as a whole where line and column are 0.
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

  /// The error in one line, as compilers write it, control characters escaped: `file:line:column: message, did you mean
  /// …?`.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    let kind = severity == .warning ? "warning: " : ""
    return Printable.escaped("\(place): \(kind)\(message)" + (suggestion.map { ", \($0)" } ?? ""))
  }
}
