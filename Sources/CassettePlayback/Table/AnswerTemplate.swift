package import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
import Cassettes

/// The template of a recording's answer, compiled on first use.
final class AnswerTemplate: Sendable {
  private let interaction: Interaction
  private let standIns: StandIns
  private let template = Locked<(any CompiledAnswer)?>(nil)
  private let slow = Flag()
  /// The time after which a template is slow: 10 such answers in a row delay other clients by less than 50 ms.
  private static let longest = Duration.milliseconds(2)

  init(_ interaction: Interaction, _ standIns: StandIns) {
    self.interaction = interaction
    self.standIns = standIns
  }

  /// True if rendering an answer has taken so long that later ones are rendered outside of the event loops.
  package var isSlow: Bool { slow.isSet }

  /// Renders an answer, and marks the template as slow if that takes too long.
  func timed<Answer, Failure>(_ render: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    let start = ContinuousClock.now
    defer { if ContinuousClock.now - start > Self.longest { slow.set() } }
    return try render()
  }

  /// Returns the compiled template, with stand-ins in place of secrets.
  ///
  /// - Throws: ``CassetteError`` if the body cannot be read, or a template written in code is invalid.
  func read() throws(CassetteError) -> any CompiledAnswer {
    if let template = template.withLock({ $0 }) { return template }
    guard let response = interaction.response else {
      throw CassetteError(file: interaction.id, message: "there is no response")
    }
    var pieces: [[UInt8]] = []
    if case .chunks(let chunks, _)? = response.body?.form {
      pieces = chunks.map(\.bytes)
    } else if let body = response.body {
      pieces = [try body.bytes()]
    }
    do throws(EngineError) {
      guard let engine = Engines.linked.templates else { throw .notLinked("template") }
      let read = try engine.answer(
        headers: response.headers.replacing { standIns.rendered($0.value) },
        trailers: response.trailers.replacing { standIns.rendered($0.value) },
        body: pieces.map { standIns.rendered($0) ?? $0 })
      template.withLock { $0 = read }
      return read
    } catch {
      throw CassetteError(
        interaction.place ?? SourcePlace(file: interaction.id, line: 0, column: 0), "template: \(error.message)",
        error.suggestion)
    }
  }
}

extension RecordingTable {
  /// Returns the template of an entry's answer.
  func template(of entry: Int) throws(CassetteError) -> AnswerTemplate {
    guard let template = answerTemplates[entry] else {
      throw CassetteError(file: entries[entry].cassette, message: "there is no template")
    }
    return template
  }

  /// Returns true if an entry's answer is generated for each request.
  package func isTemplate(_ entry: Int) -> Bool {
    !answerTemplates.isEmpty && (answerTemplates[entry] != nil || links.concerns(entry))
  }
}

extension HTTPHeaders {
  /// Returns the fields with new values; fields for which `value` returns nil are unchanged.
  package func replacing(_ value: (Field) -> String?) -> HTTPHeaders {
    HTTPHeaders(fields: map { .init(name: $0.name, value: value($0) ?? $0.value, isLatin1: $0.isLatin1) })
  }
}
