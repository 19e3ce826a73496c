import CassetteHTTP
package import Cassettes

/// An exchange defined in code, for cases that need no file.
///
/// Several answers play in order, and the last one is repeated. A stub takes precedence over recordings of cassettes,
/// and a stub of an inner scope (a test) over one of an outer scope (its suite). Messages contain the file and line of
/// the stub.
public struct CassetteStub: Sendable {
  static let cassette = "stubs"

  let request: Request
  let answers: [Answer]
  package let place: SourcePlace

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - request: The requests to answer.
  ///   - answers: The answers to successive requests; the last answer is repeated.
  ///   - filePath: The file of the stub.
  ///   - line: The line of the stub.
  ///   - column: The column of the stub.
  public init(
    _ request: Request, _ answers: Answer..., filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(request, answers, place: SourcePlace(file: filePath, line: line, column: column))
  }

  package init(_ request: Request, _ answers: [Answer], place: SourcePlace) {
    self.request = request
    self.answers = answers.isEmpty ? [.status(200)] : answers
    self.place = place
  }

  /// A readable id: `get-users-kean`.
  var id: String {
    let path = request.url.prefix { $0 != "?" }
    let words = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let method = request.method?.rawValue.lowercased() ?? "any"
    return "\(method)-\(words.isEmpty ? "root" : words)"
  }

  /// True if a gate holds any of the answers.
  package var isHeld: Bool { answers.contains { $0.gate != nil } }

  /// The error in the stub, with its position; nil if it is valid.
  package var problem: CassetteError? {
    guard let text = request.problem ?? answers.lazy.compactMap(\.problem).first else { return nil }
    return error(text)
  }

  func error(_ text: String) -> CassetteError {
    CassetteError(file: place.file, line: place.line, column: place.column, message: text)
  }

  /// The priority, which is greater than the priorities in cassettes; the depth of the scope is added to it.
  static let priority = 1_000_000

  func interaction(id: String, _ answer: Answer, scope: Int) -> Interaction {
    var interaction = Interaction(id: id, method: request.method ?? .get, url: request.url, outcome: answer.recorded)
    interaction.match = request.rules
    interaction.match.priority = Self.priority + scope
    interaction.place = place
    return interaction
  }
}
