import CassetteHTTP
package import Cassettes

/// An exchange made in code, where a file is too much.
///
/// Several answers play one after the other, and the last one again and again. A stub comes before the recordings of
/// cassettes, and one of a nearer scope (a test's) before one of a wider (its suite's). File and line of the stub are its
/// place in every message.
public struct CassetteStub: Sendable {
  static let cassette = "stubs"

  let request: Request
  let answers: [Answer]
  package let place: SourcePlace

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - request: What it answers.
  ///   - answers: What it says, one after the other; the last one again and again.
  ///   - filePath: The file it is written in.
  ///   - line: The line it is written in.
  ///   - column: The column it is written in.
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

  /// A readable name: `get-users-kean`.
  var id: String {
    let path = request.url.prefix { $0 != "?" }
    let words = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let method = request.method?.rawValue.lowercased() ?? "any"
    return "\(method)-\(words.isEmpty ? "root" : words)"
  }

  /// True if a gate holds any of the answers.
  package var isHeld: Bool { answers.contains { $0.gate != nil } }

  /// The error in the stub, with its place; nil for most.
  package var problem: CassetteError? {
    guard let text = request.problem ?? answers.lazy.compactMap(\.problem).first else { return nil }
    return error(text)
  }

  func error(_ text: String) -> CassetteError {
    CassetteError(file: place.file, line: place.line, column: place.column, message: text)
  }

  /// A stub comes before what cassettes say of their priority; one of a nearer scope before one of a wider.
  static let priority = 1_000_000

  func interaction(id: String, _ answer: Answer, scope: Int) -> Interaction {
    var interaction = Interaction(id: id, method: request.method ?? .get, url: request.url, outcome: answer.recorded)
    interaction.match = request.rules
    interaction.match.priority = Self.priority + scope
    interaction.place = place
    return interaction
  }
}
